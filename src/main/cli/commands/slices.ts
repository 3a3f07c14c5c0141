/** Commands for the windows on a model's animations. */
import { FormatError } from '../../binary/format-error.ts'
import { answer, command, flag, MODEL, number, required, text, whole, withDefault, SAVE } from '../command.ts'
import type { Answer, CommandContext } from '../command.ts'
import type { SaveLeave } from '../save-all.ts'
import type { SliceChange } from '../slices.ts'
import { say } from '../../../shared/texts/say.ts'

const SLICE = required(text('slice', 'commandLine.slice.slice'))

async function change(path: string, what: SliceChange, leave: SaveLeave, { models }: CommandContext): Promise<Answer> {
  const { changeSlices, sliceEditText } = await import('../slices.ts')
  const report = await changeSlices(await models(), path, what, leave)
  return answer(report, sliceEditText, { aside: report.warnings.map((warning) => say('reports.severity.warning', { message: warning })) })
}

export const sliceCommands = [
  command({
    name: ['slices'],
    help: 'commandLine.slices.help',
    arguments: { model: MODEL },
    async run({ model }, { models }) {
      const { slices, slicesText } = await import('../slices.ts')
      return answer(slices(await models(), model), slicesText)
    },
  }),
  command({
    name: ['slice', 'add'],
    help: 'commandLine.slice.add.help',
    arguments: { model: MODEL },
    options: {
      start: required(number('frame', 'commandLine.slice.start')),
      end: required(number('frame', 'commandLine.slice.end')),
      name: withDefault(text('name', 'commandLine.slice.name'), ''),
      speed: withDefault(number('frames', 'commandLine.slice.speed'), 1),
      at: whole('index', 'commandLine.slice.at'),
      clip: withDefault(whole('index', 'commandLine.slice.clip'), 0),
      ...SAVE,
    },
    run: ({ model, name, start, end, speed, at, clip, replaceReadOnly }, context) =>
      change(model, { kind: 'add', at, clip, values: { name, start, end, speed } }, { replaceReadOnly }, context),
  }),
  command({
    name: ['slice', 'set'],
    help: 'commandLine.slice.set.help',
    arguments: { model: MODEL, slice: SLICE },
    options: {
      name: text('name', 'commandLine.slice.set.name'),
      start: number('frame', 'commandLine.slice.start'),
      end: number('frame', 'commandLine.slice.end'),
      speed: number('frames', 'commandLine.slice.speed'),
      ...SAVE,
    },
    run({ model, slice, replaceReadOnly, name, start, end, speed }, context) {
      const values = Object.fromEntries(Object.entries({ name, start, end, speed }).filter(([, value]) => value !== undefined))
      if (Object.keys(values).length === 0) throw new FormatError('invalid-argument', say('commandLine.slice.set.nothing'))
      return change(model, { kind: 'set', slice, values }, { replaceReadOnly }, context)
    },
  }),
  command({
    name: ['slice', 'remove'],
    help: 'commandLine.slice.remove.help',
    arguments: { model: MODEL, slice: SLICE },
    options: SAVE,
    run: ({ model, slice, replaceReadOnly }, context) => change(model, { kind: 'remove', slice }, { replaceReadOnly }, context),
  }),
  command({
    name: ['slice', 'extract'],
    help: 'commandLine.slice.extract.help',
    arguments: { model: MODEL, slice: SLICE },
    options: {
      out: text('file', 'commandLine.slice.extract.out'),
      force: flag('commandLine.force'),
    },
    async run({ model, slice, out, force }, { models }) {
      const { extractSlice } = await import('../slices.ts')
      const report = await extractSlice(await models(), model, slice, out, force === true)
      return answer(report, ({ bytes, file }) => `${say('reports.bytesWritten', { n: bytes, file })}\n`)
    },
  }),
]
