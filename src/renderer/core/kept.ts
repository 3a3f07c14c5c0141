/**
 * What the window keeps between two starts: every name, its shape and its version. It stands with the user's settings as texts; a text that
 * is not of its version and shape counts for nothing, and the value is as at the first start.
 */
import * as v from 'valibot'
import { keptExportSettings } from '../../shared/api/export-options.ts'
import { keptImportManner, keptImportOptions } from '../../shared/api/import-options.ts'
import { keptRetarget } from '../../shared/api/retarget-options.ts'
import type { RetargetChoice } from '../../shared/api/retarget-options.ts'
import type { ExportSettings } from '../../shared/api/export-options.ts'
import type { ImportManner, ImportOptions } from '../../shared/api/import-options.ts'
import { BONE_SHAPES, BONE_SIZES } from '../viewport/types.ts'
import { useSession } from './session.ts'

interface Shape<T> {
  /** grows when an older text would be misread */
  version: number
  schema: v.GenericSchema<unknown, T>
  /** at the first start, and where the text says nothing that can be used */
  none: T
}

function shape<T>(version: number, schema: v.GenericSchema<unknown, T>, none: T): Shape<T> {
  return { version, schema, none }
}

/** A switch that a text without it leaves as it is at the first start. */
const flag = (on: boolean): v.GenericSchema<unknown, boolean> => v.fallback(v.boolean(), on)
const flags = <K extends string>(none: Record<K, boolean>): Shape<Record<K, boolean>> => {
  const entries = Object.fromEntries(Object.entries<boolean>(none).map(([name, on]) => [name, flag(on)]))
  return shape(2, v.object(entries) as unknown as v.GenericSchema<unknown, Record<K, boolean>>, none)
}

const index = v.pipe(v.number(), v.integer(), v.minValue(-1))
const finite = v.pipe(v.number(), v.finite())
/** Something of a scene by its number, and by its name where an edit moved it. */
const named = v.object({ index, name: v.string() })

/** Where one stood in a model. */
const keptModel = v.object({
  ref: v.string(),
  clip: v.nullable(named),
  slice: v.nullable(named),
  /** native */
  time: finite,
  speed: finite,
  loop: v.boolean(),
  camera: v.nullable(
    v.object({
      target: v.tuple([finite, finite, finite]),
      yaw: finite,
      pitch: finite,
      distance: v.pipe(finite, v.minValue(1e-9)),
      fov: finite,
      parallel: v.optional(v.boolean()),
    }),
  ),
  selection: v.object({
    kind: v.string(),
    joint: named,
    mesh: index,
    group: index,
    material: index,
    texture: index,
    vertex: index,
    nativeVertex: index,
    slice: index,
    clip: index,
    helper: index,
    file: v.string(),
  }),
})
export type KeptModel = v.InferOutput<typeof keptModel>

export const KEPT = {
  /** what was open when the window was left */
  lastOpen: shape(
    2,
    v.object({
      /** root folder of the library, '' for none */
      library: v.fallback(v.string(), ''),
      /** it was looked through, or that had begun */
      walked: v.fallback(v.optional(v.boolean(), false), false),
      page: v.fallback(v.picklist(['library', 'model']), 'library'),
      /** reference of the model that was shown, '' for none */
      active: v.fallback(v.string(), ''),
      models: v.fallback(v.array(keptModel), []),
    }),
    { library: '', walked: false, page: 'library', active: '', models: [] },
  ),
  /** panels of the workbench, as dockview writes them */
  layout: shape<Record<string, unknown> | null>(2, v.nullable(v.looseObject({})), null),
  /** those of a window that has no room for panels beside the picture */
  narrowLayout: shape<Record<string, unknown> | null>(1, v.nullable(v.looseObject({})), null),
  /** switches of the picture */
  display: flags({
    wireframe: false,
    skeleton: false,
    names: false,
    grid: true,
    textures: true,
    lit: true,
    helpers: false,
    follow: false,
    inPlace: false,
    rootPath: false,
    frontOnly: false,
  }),
  /** how bones are drawn */
  bones: shape(
    1,
    v.object({
      shape: v.fallback(v.picklist(BONE_SHAPES), 'octahedral'),
      size: v.fallback(v.pipe(finite, v.minValue(BONE_SIZES.least), v.maxValue(BONE_SIZES.most)), 1),
    }),
    { shape: 'octahedral', size: 1 },
  ),
  /** what lies behind and over a picture in the texture viewer */
  textureView: shape(
    1,
    v.object({
      behind: v.fallback(v.picklist(['checker', 'colour']), 'checker'),
      colour: v.fallback(v.pipe(v.string(), v.regex(/^#[0-9a-f]{6}$/)), '#808080'),
      uv: flag(false),
    }),
    { behind: 'checker', colour: '#808080', uv: false },
  ),
  /** two models in the picture: side by side or over each other, and then with their distances as colours */
  secondPicture: shape(1, v.object({ manner: v.fallback(v.picklist(['beside', 'over']), 'beside'), distances: flag(true) }), {
    manner: 'beside',
    distances: true,
  }),
  posing: flags({ auto: true, onion: false, trail: false, keepSkin: true, follow: true, range: false }),
  /** what edits did to the motion is shown above the keys */
  motionCheck: shape(1, v.boolean(), false),
  /** joints that are pinned while posing, and how many bones bend for a joint, by skeleton */
  reach: shape(
    1,
    v.record(
      v.string(),
      v.object({
        pins: v.pipe(v.array(named), v.maxLength(1000)),
        bones: v.pipe(v.array(v.object({ joint: named, count: v.pipe(v.number(), v.integer(), v.minValue(0)) })), v.maxLength(1000)),
      }),
    ),
    {} as Record<string, { pins: { index: number; name: string }[]; bones: { joint: { index: number; name: string }; count: number }[] }>,
  ),
  libraryView: shape<'list' | 'grid'>(2, v.picklist(['list', 'grid']), 'list'),
  /** what is chosen in the library is shown beside it */
  libraryPreview: shape(1, v.boolean(), true),
  /** the first steps are on their way, and a motion was played in them: a page that is loaded again goes on with them */
  firstSteps: shape(1, v.object({ on: flag(false), played: flag(false) }), { on: false, played: false }),
  /** the panel of the last operation is folded */
  adjustFolded: shape(2, v.boolean(), false),
  /** ids of the commands that the palette ran, the last one first */
  lastCommands: shape(1, v.array(v.string()), [] as string[]),
  /** where models were exported to last */
  exportFolder: shape(2, v.string(), ''),
  /** the folder that mods are tried in */
  testFolder: shape(2, v.string(), ''),
  /** where models are linked with another program; null: in a folder of Marrow's own */
  linkFolder: shape(2, v.nullable(v.string()), null),
  /** options of exports, by family; `many` of exports of many */
  exportOptions: shape(2, v.record(v.string(), keptExportSettings), {} as Record<string, ExportSettings>),
  /** options of imports, by the model's file and the glTF's name */
  imports: shape(2, v.record(v.string(), keptImportOptions), {} as Record<string, ImportOptions>),
  /** how the last import of a family went: what pairs of files begin with that are not in `imports` */
  importManner: shape(2, v.record(v.string(), keptImportManner), {} as Record<string, ImportManner>),
  /** of motions carried over, by the files of both models */
  retargets: shape(1, v.record(v.string(), keptRetarget), {} as Record<string, RetargetChoice>),
  /** the form of an export of many; `folder` null: as `exportFolder` */
  batchExport: shape(
    2,
    v.object({
      to: v.fallback(v.picklist(['glb', 'gltf', 'png']), 'glb'),
      layout: v.fallback(v.picklist(['folders', 'flat']), 'folders'),
      existing: v.fallback(v.picklist(['skip', 'replace']), 'skip'),
      folder: v.fallback(v.nullable(v.string()), null),
    }),
    { to: 'glb', layout: 'folders', existing: 'skip', folder: null },
  ),
} as const

export type KeptName = keyof typeof KEPT
export type Kept<N extends KeptName> = (typeof KEPT)[N]['none']

/** In the browser's own store, since it is what lets the window in: the key to the services. One for each origin, port included, and shared by tabs. */
export const CONNECTION_KEY = 'marrow.key'

export function parseKept<N extends KeptName>(name: N, text: string): Kept<N> {
  const { version, schema, none } = KEPT[name] as unknown as Shape<Kept<N>>
  try {
    const stored = JSON.parse(text) as { version?: unknown; value?: unknown } | null
    if (stored?.version !== version) return none
    const read = v.safeParse(schema, stored.value)
    return read.success ? read.output : none
  } catch {
    return none
  }
}

export interface Keeper<N extends KeptName> {
  read(): Kept<N>
  write(value: Kept<N>): void
  /** Writes once nothing new has come for a moment, or the page is left: for what a drag changes many times. */
  writeSoon(value: () => Kept<N>): void
}

const SOON_MS = 600
/** What changes without a pause is not left for longer. */
const LATEST_MS = 2000

export function useKept<N extends KeptName>(name: N): Keeper<N> {
  const session = useSession()
  let timer: ReturnType<typeof setTimeout> | undefined
  let waiting: AbortController | undefined
  /** when the first change came that is not written */
  let since: number | undefined
  const page = typeof window === 'undefined' ? undefined : window
  function settle(): void {
    clearTimeout(timer)
    // a page that is gone has nothing to be asked for
    waiting?.abort()
    waiting = undefined
  }
  function write(value: Kept<N>): void {
    settle()
    since = undefined
    const text = JSON.stringify({ version: KEPT[name].version, value })
    if (text !== session.settings.window[name]) void session.change({ window: { ...session.settings.window, [name]: text } })
  }
  return {
    read: () => parseKept(name, session.settings.window[name] ?? ''),
    write,
    writeSoon(value) {
      settle()
      waiting = new AbortController()
      const now = (): void => write(value())
      since ??= performance.now()
      timer = setTimeout(now, Math.min(SOON_MS, since + LATEST_MS - performance.now()))
      // what is changed and left at once is kept, too
      page?.addEventListener('pagehide', now, { once: true, signal: waiting.signal })
    },
  }
}

/** Pairs of files or models, and skeletons, whose choices are kept. */
const MOST_PAIRS = 40

/** A choice for a pair (or a skeleton) as the last of all; the one that was made longest ago goes. */
export function withLast<T>(all: Readonly<Record<string, T>>, pair: string, choice: T): Record<string, T> {
  const others = Object.entries(all).filter(([other]) => other !== pair)
  return Object.fromEntries([...others, [pair, choice] as const].slice(-MOST_PAIRS))
}
