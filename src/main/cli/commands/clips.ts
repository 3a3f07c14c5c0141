/** Commands for the clips of a model as a whole. */
import { FormatError } from '../../binary/format-error.ts'
import { answer, command, MODEL, number, required, text, SAVE } from '../command.ts'
import type { Answer, CommandContext } from '../command.ts'
import type { ClipWish } from '../clips.ts'
import type { SaveLeave } from '../save-all.ts'
import { say } from '../../../shared/texts/say.ts'

const CLIP = required(text('clip', 'commandLine.clip.clip'))
const NAME = required(text('name', 'commandLine.clip.name'))

async function change(path: string, wish: ClipWish, leave: SaveLeave, { models }: CommandContext): Promise<Answer> {
  const { changeClips, clipEditText } = await import('../clips.ts')
  return answer(await changeClips(await models(), path, wish, leave), clipEditText)
}

export const clipCommands = [
  command({
    name: ['clip', 'list'],
    help: 'commandLine.clip.list.help',
    arguments: { model: MODEL },
    async run({ model }, { models }) {
      const { clips, clipsText } = await import('../clips.ts')
      return answer(await clips(await models(), model), clipsText)
    },
  }),
  command({
    name: ['clip', 'new'],
    help: 'commandLine.clip.new.help',
    arguments: { model: MODEL, name: NAME },
    options: {
      from: text('clip', 'commandLine.clip.new.from'),
      start: number('time', 'commandLine.clip.new.start'),
      end: number('time', 'commandLine.clip.new.end'),
      ...SAVE,
    },
    run({ model, name, from, start, end, replaceReadOnly }, context) {
      if (from === undefined && (start !== undefined || end !== undefined))
        throw new FormatError('invalid-argument', say('commandLine.clip.new.timesOfNothing'))
      return change(
        model,
        { kind: 'add', name, from: from === undefined ? undefined : { clip: from, start, end } },
        { replaceReadOnly },
        context,
      )
    },
  }),
  command({
    name: ['clip', 'duplicate'],
    help: 'commandLine.clip.duplicate.help',
    arguments: { model: MODEL, clip: CLIP, name: NAME },
    options: SAVE,
    run: ({ model, clip, name, replaceReadOnly }, context) =>
      change(model, { kind: 'duplicate', clip, name }, { replaceReadOnly }, context),
  }),
  command({
    name: ['clip', 'rename'],
    help: 'commandLine.clip.rename.help',
    arguments: { model: MODEL, clip: CLIP, name: NAME },
    options: SAVE,
    run: ({ model, clip, name, replaceReadOnly }, context) => change(model, { kind: 'rename', clip, name }, { replaceReadOnly }, context),
  }),
  command({
    name: ['clip', 'remove'],
    help: 'commandLine.clip.remove.help',
    arguments: { model: MODEL, clip: CLIP },
    options: SAVE,
    run: ({ model, clip, replaceReadOnly }, context) => change(model, { kind: 'remove', clip }, { replaceReadOnly }, context),
  }),
  command({
    name: ['clip', 'unpack'],
    help: 'commandLine.clip.unpack.help',
    arguments: { model: MODEL, clip: CLIP },
    options: SAVE,
    run: ({ model, clip, replaceReadOnly }, context) => change(model, { kind: 'unpack', clip }, { replaceReadOnly }, context),
  }),
  command({
    name: ['clip', 'merge'],
    help: 'commandLine.clip.merge.help',
    arguments: { model: MODEL, file: required(text('file', 'commandLine.clip.merge.file')) },
    options: { clip: text('name', 'commandLine.clip.merge.clip'), ...SAVE },
    run: ({ model, file, clip, replaceReadOnly }, context) =>
      change(model, { kind: 'merge', file, only: clip }, { replaceReadOnly }, context),
  }),
]
