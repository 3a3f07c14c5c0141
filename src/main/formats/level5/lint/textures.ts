/** Pictures, and the textures that a model asks for. */
import { stemOf } from '../../../../shared/ref.ts'
import { entryName, imgPictures } from '../codecs/img.ts'
import { decodePicture } from '../codecs/tim2-pixels.ts'
import { checkTextures } from '../scene/checks.ts'
import { isOfDc1 } from './lookup.ts'
import { say } from '../texts/index.ts'
import type { Report, Rule } from '../rules.ts'
import type { ImgDocument } from '../codecs/img.ts'
import type { MdsDocument } from '../codecs/mds.ts'
import type { Tim2Document, Tim2Node } from '../codecs/tim2.ts'

export const textures: Rule<MdsDocument> = (document, report, model) => {
  if (!model.binding) return
  const pictures = new Set<string>()
  let known = true
  for (const member of model.binding.members) {
    const other = model.load(member.ref)
    if (other?.format === 'level5.img') for (const p of imgPictures(other as ImgDocument)) pictures.add(stemOf(p.name))
    else if (other?.format === 'level5.tim2') pictures.add(stemOf(other.ref))
    else if (!other) known = false
  }
  if (known) report.take(checkTextures(document, (texture) => pictures.has(stemOf(texture))))
}

export const pictures: Rule<ImgDocument> = (document, report, model) => {
  if (document.magic === 'IM3' && isOfDc1(model)) report.say('bank-of-other-game', say('lint.bankOfDc2'), '', 0)
  const seen = new Set<string>()
  document.entries.forEach((entry, i) => {
    const name = entryName(entry)
    const key = name.toLowerCase()
    if (seen.has(key))
      report.say(
        'picture-name',
        say('lint.twoEntries', { name }),
        `entries[${i}].name`,
        0x10 + i * (document.magic === 'IM3' ? 0x40 : 0x30),
      )
    seen.add(key)
    const body = document.bodies[entry.body]
    if (body?.kind === 'tim2') pixels(body.tim2, `entries[${i}].image.`, report)
  })
}

export const picture: Rule<Tim2Document> = (document, report) => pixels(document.tim2, '', report)

function pixels(tim2: Tim2Node, path: string, report: Report): void {
  tim2.pictures.forEach((p, i) => {
    const power = (v: number): boolean => v > 0 && (v & (v - 1)) === 0
    if (!power(p.width) || !power(p.height))
      report.say('picture-size', say('lint.powerOfTwo', { width: p.width, height: p.height }), `${path}pictures[${i}]`)
    if (!decodePicture(p, 'linear')) report.say('picture-unread', say('lint.pictureUnread'), `${path}pictures[${i}]`)
  })
}
