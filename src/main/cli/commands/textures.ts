/** Commands for one texture of a model or a dictionary, as a PNG and from one. */
import { answer, command, flag, required, text, WRITE } from '../command.ts'

const MODEL = required(text('model', 'a folder, a pack, any file of the model, or a texture dictionary'))
const NAME = required(text('name', 'name of the texture'))

export const textureCommands = [
  command({
    name: 'texture list',
    help: 'the textures of a model: size, how they are stored',
    arguments: { model: MODEL },
    async run({ model }, { models }) {
      const { listTextures, texturesText } = await import('../texture.ts')
      return answer(await listTextures(await models(), model), texturesText)
    },
  }),
  command({
    name: 'texture get',
    help: 'write a texture as PNG',
    arguments: { model: MODEL, name: NAME, file: required(text('file', 'the PNG')) },
    options: { force: flag('replace a file that is there') },
    async run({ model, name, file, force }, { models }) {
      const { getTexture } = await import('../texture.ts')
      const report = await getTexture(await models(), model, name, file, force === true)
      return answer(report, (r) => `${r.texture}: ${r.width} x ${r.height} written to ${r.file}\n`)
    },
  }),
  command({
    name: 'texture set',
    help: "put a PNG in the place of a texture, stored in the texture's own format; the first write keeps the original",
    arguments: { model: MODEL, name: NAME, file: required(text('file', 'a PNG')) },
    options: WRITE,
    async run({ model, name, file, replaceReadOnly }, { models }) {
      const { setTexture, textureSetText } = await import('../texture.ts')
      return answer(await setTexture(await models(), model, name, file, { replaceReadOnly }), textureSetText)
    },
  }),
]
