/** Animations of a package. */
import { nameOf } from '../../../binary/reader.ts'
import { keyLayout } from '../codecs/ifp-bones.ts'
import { say } from '../texts/index.ts'
import type { Rule } from '../rules.ts'
import type { IfpDocument } from '../codecs/ifp-bones.ts'

export const animations: Rule<IfpDocument> = (document, report) => {
  const names = new Set<string>()
  document.animations.forEach((animation, a) => {
    const path = `animations[${a}]`
    const name = nameOf(animation.name)
    if (names.has(name.toLowerCase())) report.say('clip-twice', say('lint.clipTwice', { name }), path, animation.start)
    names.add(name.toLowerCase())
    let backwards = 0,
      weak = 0,
      bad = 0
    const ids = new Set<number>()
    let twice = 0
    for (const bone of animation.bones) {
      if (bone.boneId >= 0 && ids.has(bone.boneId)) twice++
      ids.add(bone.boneId)
      const layout = keyLayout(document, bone)
      const column = bone.shorts ?? bone.floats
      if (!layout || !column) continue
      const unit = bone.shorts ? 1 / 4096 : 1
      for (let k = 0; k < bone.numKeys; k++) {
        const at = layout.stride * k
        const time = column[at + layout.time]
        if (k > 0 && time < column[at - layout.stride + layout.time]) backwards++
        const length = Math.hypot(column[at], column[at + 1], column[at + 2], column[at + 3]) * unit
        if (!Number.isFinite(length) || !Number.isFinite(time)) bad++
        else if (length < 0.5 || length > 1.2) weak++
      }
    }
    if (bad) report.say('key-not-a-number', say('lint.keysNoNumbers', { n: bad, name }), path, animation.start)
    if (backwards) report.say('key-order', say('lint.keyOrder', { n: backwards, name }), path, animation.start)
    if (weak) report.say('key-length', say('lint.keyLength', { n: weak, name }), path, animation.start)
    if (twice) report.say('clip-bone-twice', say('lint.boneTwice', { name, n: twice }), path, animation.start)
  })
}
