/** Keys of an ANM: values alone, since keys stand in the order of playback. */
import { notHere } from '../../address.ts'
import { ANIM_TYPE, animKey, animNodes, animation, packHalf } from '../codecs/rt-anim.ts'
import { refuse } from '../../editing.ts'
import { say } from '../texts/index.ts'
import type { AnmDocument } from '../codecs/anm.ts'
import type { RtAnim } from '../codecs/rt-anim.ts'
import type { KeyEdit } from '../../../../shared/api/types/clips.ts'
import type { TrackPlace } from './clip-tracks.ts'

export function editAnm(document: AnmDocument, edits: { place: TrackPlace; edit: KeyEdit }[]): void {
  for (const { place, edit } of edits) {
    const root = document.roots[place.animation]
    if (!root) notHere('track', edit.track)
    if (root.codec !== animation) refuse(say('edit.animationNotEdited'))
    const anim = root.value as RtAnim
    const node = animNodes(anim)[place.bone]
    if (!node) notHere('track', edit.track)
    if (edit.insert?.times.length || edit.remove?.length) refuse(say('edit.keysInPlayback'))
    if (!edit.set) continue
    const compressed = anim.type === ANIM_TYPE.compressed
    const stride = compressed ? 22 : 36
    const view = new DataView(anim.keys.buffer, anim.keys.byteOffset, anim.keys.byteLength)
    const old = new Float32Array(8)
    edit.set.keys.forEach((k, i) => {
      const key = node.keys[k]
      if (key === undefined) refuse(say('formats.noKey', { key: k }))
      animKey(anim, key, old)
      if (Math.fround(edit.set!.times[i]) !== old[0]) refuse(say('edit.timesFixed'))
      const n = place.part === 'rotation' ? 4 : 3
      const first = place.part === 'rotation' ? 1 : 5
      for (let c = 0; c < n; c++) {
        const value = edit.set!.values[n * i + c]
        if (!Number.isFinite(value)) refuse(say('edit.noNumber', { what: place.part }))
        if (Math.fround(value) === old[first + c]) continue
        const element = first - 1 + c
        if (!compressed) view.setFloat32(stride * key + 4 + 4 * element, value, true)
        else {
          const scale = place.part === 'translation' ? anim.packing[3 + c] : 1
          const offset = place.part === 'translation' ? anim.packing[c] : 0
          if (scale === 0) refuse(say('edit.noRange'))
          const unscaled = (value - offset) / scale
          if (Math.abs(unscaled) >= 2) refuse(say('edit.outsideRange', { value }))
          view.setUint16(stride * key + 4 + 2 * element, packHalf(unscaled), true)
        }
      }
    })
  }
}
