/** Commands for one texture of a model or a dictionary, as a PNG and from one. */
import { answer, command, flag, required, text, SAVE } from '../command.ts'
import { say } from '../../../shared/texts/say.ts'

const MODEL = required(text('model', 'commandLine.texture.model'))
const NAME = required(text('name', 'commandLine.texture.name'))

export const textureCommands = [
  command({
    name: ['texture', 'list'],
    help: 'commandLine.texture.list.help',
    arguments: { model: MODEL },
    async run({ model }, { models }) {
      const { listTextures, texturesText } = await import('../texture.ts')
      return answer(await listTextures(await models(), model), texturesText)
    },
  }),
  command({
    name: ['texture', 'get'],
    help: 'commandLine.texture.get.help',
    arguments: { model: MODEL, name: NAME, file: required(text('file', 'commandLine.texture.get.file')) },
    options: { force: flag('commandLine.force') },
    async run({ model, name, file, force }, { models }) {
      const { getTexture } = await import('../texture.ts')
      const report = await getTexture(await models(), model, name, file, force === true)
      return answer(
        report,
        (r) => `${say('reports.texture.written', { texture: r.texture, width: r.width, height: r.height, file: r.file })}\n`,
      )
    },
  }),
  command({
    name: ['texture', 'set'],
    help: 'commandLine.texture.set.help',
    arguments: { model: MODEL, name: NAME, file: required(text('file', 'commandLine.texture.set.file')) },
    options: SAVE,
    async run({ model, name, file, replaceReadOnly }, { models }) {
      const { setTexture, textureSetText } = await import('../texture.ts')
      return answer(await setTexture(await models(), model, name, file, { replaceReadOnly }), textureSetText)
    },
  }),
]
