/** Commands that write models for other programs and take animations from them. */
import { FormatError } from '../../binary/format-error.ts'
import {
  answer,
  choice,
  command,
  flag,
  MODEL,
  number,
  required,
  several,
  text,
  unless,
  whole,
  withDefault,
  words,
  SAVE,
} from '../command.ts'
import { failureText } from '../output.ts'
import type { Value } from '../command.ts'
import { EXPORT_OPTIONS, EXPORT_PRESETS, PRESET_NAMES } from '../../../shared/api/export-options.ts'
import type { ExportOptionName, ExportParts, ExportPreset, ExportSettings } from '../../../shared/api/export-options.ts'
import { IMPORT_OPTIONS } from '../../../shared/api/import-options.ts'
import { SETTINGS } from '../../../shared/api/settings.ts'
import type { FamilyId } from '../../../shared/api/types/family.ts'
import type { LibraryPart } from '../../../shared/api/types/library.ts'
import { say } from '../../../shared/texts/say.ts'

const PARTS: readonly LibraryPart[] = ['bones', 'meshes', 'clips', 'slices', 'textures']

const { tickRate: RATE } = SETTINGS
const TICK_RATE = number('number', () => say('commandLine.tickRate', { rate: RATE.default }), {
  ...RATE,
  what: 'commandLine.ticksPerSecond',
})

const FAMILY: Value<FamilyId | undefined> = {
  ...text('family', 'commandLine.export.family'),
  choices: (registry) => registry.families.map(({ id }) => id),
}

interface Wished extends Partial<ExportSettings> {
  preset?: ExportPreset
  animation?: string[]
  range?: string
}

/** The preset's options with the user's over them. @throws FormatError invalid-argument */
function partsOf({ preset, animation, range, ...given }: Wished): ExportParts {
  const parts: ExportParts = { ...EXPORT_PRESETS[preset ?? 'blender'], animations: animation }
  for (const [name, option] of Object.entries(EXPORT_OPTIONS)) {
    const value = given[name as ExportOptionName]
    // a switch that takes something away says nothing where it is not given
    if (value !== undefined && (value !== true || !option.default)) Object.assign(parts, { [name]: value })
  }
  if (range === undefined) return parts
  const [, from, to] = /^(-?\d[\d.e+]*)\.\.(-?\d[\d.e+]*)$/i.exec(range) ?? []
  if (!(Number(from) <= Number(to))) throw new FormatError('invalid-argument', say('commandLine.export.rangeWrong', { range }))
  return { ...parts, range: { from: Number(from), to: Number(to) } }
}

export const exchangeCommands = [
  command({
    name: ['export'],
    help: 'commandLine.export.help',
    arguments: { model: MODEL },
    options: {
      to: required(choice('form', 'commandLine.export.to', ['gltf', 'glb', 'png'])),
      out: required(text('folder', 'commandLine.export.out')),
      filter: text('text', 'commandLine.export.filter'),
      family: FAMILY,
      with: words('parts', 'commandLine.export.with', PARTS),
      layout: withDefault(choice('layout', 'commandLine.export.layout', ['flat', 'folders']), 'flat'),
      tickRate: TICK_RATE,
      animation: several(text('name', 'commandLine.export.animation')),
      hidden: flag('commandLine.export.hidden'),
      lods: flag('commandLine.export.lods'),
      visibility: flag('commandLine.export.visibility'),
      opacity: flag('commandLine.export.opacity'),
      vertices: flag('commandLine.export.vertices'),
      textures: unless('commandLine.export.textures'),
      colours: unless('commandLine.export.colours'),
      unlit: unless('commandLine.export.unlit'),
      extras: unless('commandLine.export.extras'),
      preset: choice('program', 'commandLine.export.preset', PRESET_NAMES),
      sampling: choice('rate', 'commandLine.export.sampling', EXPORT_OPTIONS.sampling.values),
      rootBone: flag('commandLine.export.rootBone'),
      scale: number('factor', 'commandLine.export.scale', { ...EXPORT_OPTIONS.scale, what: 'commandLine.factor' }),
      range: text('from..to', 'commandLine.export.range'),
      skip: flag('commandLine.export.skip'),
      force: flag('commandLine.export.force'),
    },
    async run({ model, to, out, filter, family, with: has, layout, tickRate, skip, force, ...wished }, { models, signal, progress }) {
      if (skip && force) throw new FormatError('invalid-argument', say('commandLine.export.skipAndForce'))
      const { exportModels, exportText } = await import('../export.ts')
      const report = await exportModels(await models({ tickRate }), model, {
        to,
        folder: out,
        parts: partsOf(wished),
        layout,
        existing: force ? 'replace' : skip ? 'skip' : 'refuse',
        filter: { text: filter, family, has },
        signal: signal(),
        onProgress: (done, current) => progress.show(say('reports.progress.models', { n: done, current })),
      })
      return answer(report, exportText, { aside: report.failures.map(failureText), failed: report.failures.length > 0 })
    },
  }),
  command({
    name: ['import'],
    help: 'commandLine.import.help',
    arguments: { model: MODEL },
    options: {
      from: required(text('file', 'commandLine.import.from')),
      animation: text('name', 'commandLine.import.animation'),
      clip: whole('index', 'commandLine.import.clip'),
      slice: whole('index', 'commandLine.import.slice'),
      into: several(text('animation=place', 'commandLine.import.into')),
      joints: several(text('name', 'commandLine.import.joints')),
      map: text('file', 'commandLine.import.map'),
      timing: withDefault(choice('which', 'commandLine.import.timing', IMPORT_OPTIONS.timing.values), IMPORT_OPTIONS.timing.default),
      tolerance: number('degrees', () => say('commandLine.import.tolerance', { degrees: IMPORT_OPTIONS.tolerance.default }), {
        ...IMPORT_OPTIONS.tolerance,
        what: 'commandLine.degrees',
      }),
      animations: unless('commandLine.import.animations'),
      weights: flag('commandLine.import.weights'),
      rest: flag('commandLine.import.rest'),
      tickRate: TICK_RATE,
      ...SAVE,
    },
    async run({ model, map, tickRate, ...wishes }, { models }) {
      if (wishes.clip !== undefined && wishes.slice !== undefined)
        throw new FormatError('invalid-argument', say('commandLine.import.clipAndSlice'))
      if (wishes.into && (wishes.clip !== undefined || wishes.slice !== undefined))
        throw new FormatError('invalid-argument', say('commandLine.import.intoAndOne'))
      const { importFrom, importText } = await import('../import.ts')
      const options = { ...wishes, mapFile: map }
      return answer(await importFrom(await models({ tickRate }), model, options), importText)
    },
  }),
]
