/** Colours and textures of a material script. */
import { lastStep, numberIn } from '../../address.ts'
import { folderOf, stemOf } from '../../../../shared/ref.ts'
import { fix } from '../../lint.ts'
import { encodeText } from '../codecs/strings.ts'
import { withValue } from '../codecs/text.ts'
import { say } from '../texts/index.ts'
import type { Rule } from '../rules.ts'
import type { MaterialDocument } from '../codecs/material.ts'

export const FIX = {
  colour: fix<MaterialDocument>(
    'lostsaga.fourth-number',
    () => say('lint.fourthNumber'),
    (document, diagnostic) => {
      const script = document
      const { name } = lastStep(diagnostic.path)
      const block = script.materials[numberIn(diagnostic.path, 'materials') ?? -1]
      if (!block) return
      for (let i = block.firstLine; i <= block.lastLine; i++) {
        const line = script.lines[i]
        if (line.words[0] !== name || line.words.length !== 4) continue
        // colours of 0 to 255 are told by a number above 1, as the scene takes them
        const opaque = line.words.slice(1).some((w) => Number(w) > 1) ? '255' : '1'
        script.lines[i] = withValue(line, encodeText(`${line.words.slice(1).join(' ')} ${opaque}`).raw, '//')
      }
    },
  ),
}

export const materials: Rule<MaterialDocument> = (document, report, model) => {
  document.materials.forEach((block, i) => {
    for (const name of ['ambient', 'diffuse', 'specular', 'emissive'] as const) {
      if (block[name] && block[name].length === 3)
        report.say(
          'colour-of-three',
          say('lint.colourOfThree', { field: name }),
          `materials[${i}].${name}`,
          document.lines[block.firstLine].start,
          FIX.colour,
        )
    }
    for (const texture of block.textures) {
      if (!model.around.byStem(stemOf(texture.file), folderOf(document.ref)).some((f) => f.kind === 'texture'))
        report.say(
          'texture-missing',
          say('formats.textureNotFound', { texture: texture.file }),
          `materials[${i}].texture`,
          document.lines[texture.line].start,
        )
    }
  })
}
