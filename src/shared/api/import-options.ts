/** Every option of an import from glTF, with its default and limits: calls, window, what is kept and the command line have them from here. */
import * as v from 'valibot'
import { defaultsOf, keptEntries, schemasOf } from './option.ts'
import type { OptionTable, OptionValues } from './option.ts'

export const IMPORT_OPTIONS = {
  /** of a file that was sampled at another rate: `keep` puts what changed onto the clip's own keys, `take` has what the file shows at its own times */
  timing: { kind: 'choice', default: 'keep', values: ['keep', 'take'] },
  /** degrees up to which a joint that is turned counts as not changed, and as many thousandths of the figure's size of a way */
  tolerance: { kind: 'number', default: 0.02, least: 0, most: 90 },
  /** onto clips and slices */
  animations: { kind: 'flag', default: true },
  /** of skins whose meshes have the same vertices */
  weights: { kind: 'flag', default: false },
  /** places of joints at rest, meshes staying where they are */
  rest: { kind: 'flag', default: false },
} as const satisfies OptionTable

/** A value for each option. */
export type ImportSettings = OptionValues<typeof IMPORT_OPTIONS>
export const IMPORT_DEFAULTS: ImportSettings = defaultsOf(IMPORT_OPTIONS)
export const importSettingsSchema = v.partial(v.object(schemasOf(IMPORT_OPTIONS)))

/** Where an animation goes: `clip 0`, `slice 2`, '' for nowhere. */
export const importPlace = v.pipe(v.string(), v.regex(/^((clip|slice) \d{1,6})?$/))

/** How an import goes, whatever the file: what a pair of files that is new begins with is what its family had last. */
export type ImportManner = Pick<ImportSettings, 'timing' | 'tolerance'>

/** What the window keeps for a pair of files. */
export interface ImportOptions extends ImportSettings {
  /** places by the titles of animations: names, numbered where several have one */
  into: Record<string, string>
  /** joints that are not taken, by the names that an export gives them */
  without: string[]
}

export const FRESH_IMPORT: ImportOptions = { ...IMPORT_DEFAULTS, into: {}, without: [] }

const kept = keptEntries(IMPORT_OPTIONS)

export const keptImportManner = v.object({
  timing: kept.timing,
  tolerance: kept.tolerance,
}) satisfies v.GenericSchema<unknown, ImportManner>

export const keptImportOptions = v.object({
  ...kept,
  into: v.fallback(v.record(v.string(), importPlace), FRESH_IMPORT.into),
  without: v.fallback(v.array(v.string()), FRESH_IMPORT.without),
}) satisfies v.GenericSchema<unknown, ImportOptions>
