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
  WRITE,
} from '../command.ts'
import { failureText } from '../output.ts'
import type { Value } from '../command.ts'
import { SETTINGS } from '../../../shared/api/settings.ts'
import type { FamilyId, LibraryPart } from '../../../shared/api/types.ts'

const PARTS: readonly LibraryPart[] = ['bones', 'meshes', 'clips', 'slices', 'textures']

const { tickRate: RATE } = SETTINGS
const TICK_RATE = number(
  'number',
  `game ticks per second, where the game counts in them (default: as chosen for the model, else as in the settings, ${RATE.default})`,
  { ...RATE, what: 'ticks per second' },
)

const FAMILY: Value<FamilyId | undefined> = {
  ...(text('family', 'only models of a family') as Value<FamilyId | undefined>),
  choices: (registry) => registry.families.map(({ id }) => id),
}

export const exchangeCommands = [
  command({
    name: 'export',
    help: 'write a model as glTF or its textures as PNG',
    arguments: { model: MODEL },
    options: {
      to: required(choice('form', 'gltf, glb, or png for the textures alone', ['gltf', 'glb', 'png'])),
      out: required(text('folder', 'where to; made when it is not there')),
      filter: text('text', 'only models with these words in their name or path'),
      family: FAMILY,
      with: words('parts', 'only models with at least one of each, separated by commas', PARTS),
      layout: withDefault(
        choice('layout', 'flat: all in one folder; folders: as they stand below the folder that is given', ['flat', 'folders']),
        'flat',
      ),
      tickRate: TICK_RATE,
      animation: several(text('name', 'only these slices and clips')),
      hidden: flag('meshes that the game does not show too, marked as hidden'),
      lods: flag('every level of detail; all but the highest are marked as hidden'),
      visibility: flag('when meshes are shown, as animations with KHR_animation_pointer'),
      textures: unless('materials without pictures'),
      skip: flag('leave models out whose files are there'),
      force: flag('replace files that are there'),
    },
    async run({ model, to, out, filter, family, with: has, layout, tickRate, skip, force, ...wished }, { models, signal, progress }) {
      const { animation: animations, hidden, lods, visibility, textures } = wished
      if (skip && force) throw new FormatError('invalid-argument', 'give --skip or --force, not both')
      const { exportModels, exportText } = await import('../export.ts')
      const report = await exportModels(await models({ tickRate }), model, {
        to,
        folder: out,
        parts: { animations, hidden, lods, visibility, textures },
        layout,
        existing: force ? 'replace' : skip ? 'skip' : 'refuse',
        filter: { text: filter, family, has },
        signal: signal(),
        onProgress: (done, current) => progress.show(`${done} models, ${current}`),
      })
      return answer(report, exportText, { aside: report.failures.map(failureText), failed: report.failures.length > 0 })
    },
  }),
  command({
    name: 'import',
    help: 'take animations of a glTF file onto the clips and slices of a model, by names of joints; the first write keeps the original',
    arguments: { model: MODEL },
    options: {
      from: required(text('file', 'a .glb or .gltf file')),
      animation: text('name', 'one animation of the file, by name or number (default: each that has a clip or slice of its name)'),
      clip: whole('index', 'the clip that it goes into'),
      slice: whole('index', 'the slice that it goes into'),
      map: text('file', 'JSON: {"node of the glTF": "joint", "other node": null}; or auto for joints of like names and places'),
      timing: withDefault(
        choice('which', "keep the clip's own key times, or take those that the file was sampled at", ['keep', 'take']),
        'keep',
      ),
      tolerance: number('degrees', 'turns up to this, and ways in proportion, count as rounding (default: 0.02)', {
        least: 0,
        most: 180,
        what: 'degrees',
      }),
      tickRate: TICK_RATE,
      ...WRITE,
    },
    async run({ model, from, animation, clip, slice, map, timing, tolerance, tickRate, replaceReadOnly }, { models }) {
      if (clip !== undefined && slice !== undefined) throw new FormatError('invalid-argument', 'give --clip or --slice, not both')
      const { importFrom, importText } = await import('../import.ts')
      const options = { from, animation, clip, slice, mapFile: map, timing, tolerance, replaceReadOnly }
      return answer(await importFrom(await models({ tickRate }), model, options), importText)
    },
  }),
]
