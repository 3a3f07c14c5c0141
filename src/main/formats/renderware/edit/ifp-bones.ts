/** Bones of an IFP's animation: new ones, and translation that is given or taken away. */
import { basisQuat, basisVector } from '../scene/basis.ts'
import { boneKey } from '../scene/clips.ts'
import { frameAt } from './skeleton.ts'
import { keyLayout, setKeys, withColumns } from '../codecs/ifp-bones.ts'
import { refuse } from '../../editing.ts'
import { say } from '../texts/index.ts'
import type { DffDocument } from '../codecs/dff.ts'
import type { IfpAnimation, IfpBone, IfpDocument } from '../codecs/ifp-bones.ts'
import type { EditSession } from '../../editing.ts'

/** A bone for a joint at the end of an animation, with one key: the joint's rest. */
export function addBone(session: EditSession, document: IfpDocument, animation: IfpAnimation, joint: number): IfpBone {
  const { scene } = session.assembled
  const name = (scene.skeleton.names[joint] ?? '').trim()
  if (!name) refuse(say('edit.jointWithoutName'))
  const size = document.kind === 'ANPK' ? 28 : 24
  if (name.length >= size) refuse(say('edit.tooLong', { name, most: size - 1 }))
  const field = new Uint8Array(size)
  for (let i = 0; i < name.length; i++) field[i] = name.charCodeAt(i)
  const boneId = nodeIdOf(session, joint)
  if (animation.bones.some((b) => (boneId >= 0 && b.boneId === boneId) || boneKey(b.name) === boneKey(name))) refuse(say('edit.boneThere'))
  const q = new Float32Array(4)
  basisQuat(q, 0, scene.skeleton.restRotation, 4 * joint)
  let bone: IfpBone
  if (document.kind === 'ANPK') {
    const empty = new Uint8Array(0)
    const keys = Float32Array.of(-q[0], -q[1], -q[2], q[3], 0)
    bone = withColumns(
      {
        name: field,
        type: 0,
        numKeys: 1,
        boneId,
        keys: new Uint8Array(keys.buffer),
        shorts: null,
        floats: null,
        anpk: {
          cpanSize: 52 + 28,
          animSize: 44,
          word1: 0,
          word2: 0,
          links: Int32Array.of(boneId),
          animRest: empty,
          keyTag: 'KR00',
          keySize: 20,
          keyRest: empty,
          rest: empty,
        },
      },
      false,
    )
    animation.anpk!.dganSize += 8 + 52 + 28
  } else {
    const compressed = animation.bones[0] ? animation.bones[0].shorts !== null : true
    const keys = compressed
      ? new Uint8Array(Int16Array.from([...q.map((v) => Math.round(v * 4096)), 0]).buffer)
      : new Uint8Array(Float32Array.of(...q, 0).buffer)
    bone = withColumns({ name: field, type: compressed ? 3 : 1, numKeys: 1, boneId, keys, shorts: null, floats: null }, compressed)
    animation.keyBytes += keys.length
  }
  animation.bones.push(bone)
  animation.numBones++
  return bone
}

/** HAnim number of a joint; -1 for none, and the bone is then matched by name. */
export function nodeIdOf(session: EditSession, joint: number): number {
  return frameAt(session, session.document(session.binding.primary) as DffDocument | undefined, joint)?.frame.hanim?.nodeId ?? -1
}

/** Gives all keys of a bone a translation, or takes it away. Rotations and times keep their bytes. */
export function setTranslation(document: IfpDocument, animation: IfpAnimation, bone: IfpBone, rest: Float32Array | null): void {
  const layout = keyLayout(document, bone)
  if (!layout) refuse(say('edit.noEditableKeys'))
  const has = layout.translation >= 0
  if (has === (rest !== null)) refuse(has ? say('edit.translationThere') : say('edit.noTranslation'))
  if (layout.scale >= 0) refuse(say('edit.translationWithScale'))
  const unit = bone.shorts ? 2 : 4
  const anpk = document.kind === 'ANPK'
  const native = new Float32Array(3)
  if (rest) basisVector(native, 0, rest, 0)
  const oldWidth = layout.stride * unit
  const width = (rest ? 8 : 5) * unit
  const keys = new Uint8Array(width * bone.numKeys)
  const t = bone.shorts ? Int16Array.from(native, (v) => Math.max(-32768, Math.min(32767, Math.round(v * 1024)))) : native
  const tBytes = new Uint8Array(t.buffer, t.byteOffset, t.byteLength)
  for (let k = 0; k < bone.numKeys; k++) {
    const old = bone.keys.subarray(oldWidth * k, oldWidth * (k + 1))
    const rotation = old.subarray(0, 4 * unit)
    const time = old.subarray(layout.time * unit, (layout.time + 1) * unit)
    const parts = rest ? (anpk ? [rotation, tBytes, time] : [rotation, time, tBytes]) : [rotation, time]
    let at = width * k
    for (const part of parts) {
      keys.set(part, at)
      at += part.length
    }
  }
  if (anpk) bone.anpk!.keyTag = rest ? 'KRT0' : 'KR00'
  else bone.type += rest ? 1 : -1
  setKeys(document, animation, bone, keys, bone.numKeys)
}
