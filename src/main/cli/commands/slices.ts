/** Commands for the windows on a model's animations. */
import { FormatError } from '../../binary/format-error.ts'
import { answer, command, flag, MODEL, number, required, text, whole, withDefault, WRITE } from '../command.ts'
import type { Answer, CommandContext } from '../command.ts'
import type { SaveLeave } from '../save-all.ts'
import type { SliceChange } from '../slices.ts'

const SLICE = required(text('slice', 'its number, or its name where only one has it'))

async function change(path: string, what: SliceChange, leave: SaveLeave, { models }: CommandContext): Promise<Answer> {
  const { changeSlices, sliceEditText } = await import('../slices.ts')
  const report = await changeSlices(await models(), path, what, leave)
  return answer(report, sliceEditText, { aside: report.warnings.map((warning) => `warning: ${warning}`) })
}

export const sliceCommands = [
  command({
    name: 'slices',
    help: "the windows on a model's animations, with the game's numbers",
    arguments: { model: MODEL },
    async run({ model }, { models }) {
      const { slices, slicesText } = await import('../slices.ts')
      return answer(slices(await models(), model), slicesText)
    },
  }),
  command({
    name: 'slice add',
    help: 'add a slice',
    arguments: { model: MODEL },
    options: {
      start: required(number('frame', 'first frame')),
      end: required(number('frame', 'last frame, shown as a pose')),
      name: withDefault(text('name', 'its name, where the game keeps names'), ''),
      speed: withDefault(number('frames', 'frames per tick; a factor where the game keeps no slices'), 1),
      at: whole('index', 'its place in the list (default: the end)'),
      clip: withDefault(whole('index', 'the animation that it is a window on'), 0),
      ...WRITE,
    },
    run: ({ model, name, start, end, speed, at, clip, replaceReadOnly }, context) =>
      change(model, { kind: 'add', at, clip, values: { name, start, end, speed } }, { replaceReadOnly }, context),
  }),
  command({
    name: 'slice set',
    help: 'change a slice',
    arguments: { model: MODEL, slice: SLICE },
    options: {
      name: text('name', 'new name'),
      start: number('frame', 'first frame'),
      end: number('frame', 'last frame, shown as a pose'),
      speed: number('frames', 'frames per tick; a factor where the game keeps no slices'),
      ...WRITE,
    },
    run({ model, slice, replaceReadOnly, name, start, end, speed }, context) {
      const values = Object.fromEntries(Object.entries({ name, start, end, speed }).filter(([, value]) => value !== undefined))
      if (Object.keys(values).length === 0)
        throw new FormatError('invalid-argument', 'nothing to change: give --name, --start, --end or --speed')
      return change(model, { kind: 'set', slice, values }, { replaceReadOnly }, context)
    },
  }),
  command({
    name: 'slice remove',
    help: 'remove a slice; those behind it move up',
    arguments: { model: MODEL, slice: SLICE },
    options: WRITE,
    run: ({ model, slice, replaceReadOnly }, context) => change(model, { kind: 'remove', slice }, { replaceReadOnly }, context),
  }),
  command({
    name: 'slice extract',
    help: 'write one window as an animation file of its own, the poses at its ends evaluated',
    arguments: { model: MODEL, slice: SLICE },
    options: {
      out: text('file', 'where to (default: named after the slice, in this folder)'),
      force: flag('replace a file that is there'),
    },
    async run({ model, slice, out, force }, { models }) {
      const { extractSlice } = await import('../slices.ts')
      const report = await extractSlice(await models(), model, slice, out, force === true)
      return answer(report, ({ bytes, file }) => `${bytes} bytes written to ${file}\n`)
    },
  }),
]
