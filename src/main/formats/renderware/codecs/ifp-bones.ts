/** Animations of a package in memory: bones with their keys as strided columns, and where the parts of a key stand. */
import type { Document } from '../../format.ts'

export interface IfpBone {
  /** char[24] in ANP3, char[28] in ANPK */
  name: Uint8Array
  /** ANP3: 1-4. ANPK: the key chunk's FourCC tells, and this is 0 */
  type: number
  numKeys: number
  /** -1: matched by name */
  boneId: number
  /** the keys' bytes, `stride` each; i16 columns for ANP3 types 3 and 4, else f32 */
  keys: Uint8Array
  /** the same bytes */
  shorts: Int16Array | null
  floats: Float32Array | null
  /** what only ANPK has, and where its chunks stand */
  anpk?: AnpkBone
}

export interface AnpkBone {
  /** size fields as stored */
  cpanSize: number
  animSize: number
  /** second and third word of ANIM: 0 and numKeys - 1 in known files */
  word1: number
  word2: number
  /** words after these: boneId (44 bytes), or sibling and child (48 bytes), or none */
  links: Int32Array
  /** what follows the known fields of ANIM, and its padding to four bytes */
  animRest: Uint8Array
  /** FourCC of the key chunk, '' where there is none */
  keyTag: string
  keySize: number
  /** chunk bytes behind the keys, and padding */
  keyRest: Uint8Array
  /** what follows the chunks in CPAN, and padding */
  rest: Uint8Array
}

export interface IfpAnimation {
  /** char[24] in ANP3, all of the NAME chunk in ANPK */
  name: Uint8Array
  /** ANP3: bytes of all keys as stored; wrong in 1 of 896 known animations */
  keyBytes: number
  /** ANP3 only: 1 compressed */
  flags: number
  /** number of bones as stored */
  numBones: number
  bones: IfpBone[]
  /** offset of the animation in the file */
  start: number
  end: number
  anpk?: { nameSize: number; namePad: Uint8Array; dganSize: number; infoSize: number; infoWord: Uint8Array; rest: Uint8Array }
}

export interface IfpDocument extends Document {
  readonly format: 'renderware.ifp'
  kind: 'ANP3' | 'ANP2' | 'ANPK'
  /** size field of the header */
  size: number
  /** the package's name: char[24] in ANP3, the rest of INFO in ANPK */
  name: Uint8Array
  numAnimations: number
  animations: IfpAnimation[]
  /** ANPK: size field of INFO and its padding */
  infoSize: number
  infoPad: Uint8Array
  /** what follows the last animation within the size of the header */
  slack: Uint8Array
  /** what follows that: stale tail, padding of an archive */
  trailing: Uint8Array
  /** bytes that the header's size did not count when it was read; kept through edits */
  sizeOff: number
}

export const NOTHING: Uint8Array = new Uint8Array(0)

/** Time of a key in seconds. */
export function keyTime(document: Pick<IfpDocument, 'kind'>, bone: IfpBone, key: number): number {
  const layout = keyLayout(document, bone)
  if (!layout) return 0
  return bone.shorts ? bone.shorts[layout.stride * key + layout.time] / 60 : bone.floats![layout.stride * key + layout.time]
}

export interface KeyColumns {
  /** elements of the column per key */
  stride: number
  /** element of the rotation x, y, z, w; of the time; of translation and scale, -1 for none */
  rotation: number
  time: number
  translation: number
  scale: number
}

const ROT: KeyColumns = { stride: 5, rotation: 0, time: 4, translation: -1, scale: -1 }
const ROT_TIME_TRANS: KeyColumns = { stride: 8, rotation: 0, time: 4, translation: 5, scale: -1 }
const ROT_TRANS: KeyColumns = { stride: 8, rotation: 0, time: 7, translation: 4, scale: -1 }
const ROT_TRANS_SCALE: KeyColumns = { stride: 11, rotation: 0, time: 10, translation: 4, scale: 7 }

/** Where the parts of a bone's keys stand; undefined for a bone without readable keys. */
export function keyLayout(document: Pick<IfpDocument, 'kind'>, bone: IfpBone): KeyColumns | undefined {
  if (document.kind === 'ANPK') {
    const tag = bone.anpk?.keyTag
    return tag === 'KR00' ? ROT : tag === 'KRT0' ? ROT_TRANS : tag === 'KRTS' ? ROT_TRANS_SCALE : undefined
  }
  return bone.type === 1 || bone.type === 3 ? ROT : bone.type === 2 || bone.type === 4 ? ROT_TIME_TRANS : undefined
}

/** Sets the numeric views of a bone's key bytes. */
export function withColumns(bone: IfpBone, compressed: boolean): IfpBone {
  const { keys } = bone
  const aligned = keys.byteOffset % (compressed ? 2 : 4) === 0 ? keys : keys.slice()
  bone.keys = aligned
  bone.shorts = compressed ? new Int16Array(aligned.buffer, aligned.byteOffset, aligned.length >> 1) : null
  bone.floats = compressed ? null : new Float32Array(aligned.buffer, aligned.byteOffset, aligned.length >> 2)
  return bone
}

/**
 * New keys for a bone; counts and the sizes of all chunks around it follow, by as much as the keys grew, so that sizes
 * that were off stay so.
 */
export function setKeys(document: IfpDocument, animation: IfpAnimation, bone: IfpBone, keys: Uint8Array, numKeys: number): void {
  const grown = keys.length - bone.keys.length
  bone.keys = keys
  bone.numKeys = numKeys
  withColumns(bone, document.kind !== 'ANPK' && bone.type >= 3)
  animation.keyBytes += grown
  if (!bone.anpk) return
  const chunk = bone.anpk
  let shift = grown
  if (numKeys === 0 && chunk.keyTag) {
    // games read no key chunk where there are no keys
    shift -= 8 + chunk.keyRest.length
    chunk.keyTag = ''
    chunk.keyRest = NOTHING
    chunk.keySize = 0
  } else chunk.keySize += grown
  if (chunk.word2 !== 0) chunk.word2 = (numKeys - 1) >>> 0
  chunk.cpanSize += shift
  animation.anpk!.dganSize += shift
}

export const KEY_TYPES: Readonly<Record<number | string, string>> = {
  1: 'f32[4] rotation.xyzw, f32 time',
  2: 'f32[4] rotation.xyzw, f32 time, f32[3] translation.xyz',
  3: 'i16/4096[4] rotation.xyzw, i16 time',
  4: 'i16/4096[4] rotation.xyzw, i16 time, i16/1024[3] translation.xyz',
  KR00: 'f32[4] rotation.xyzw, f32 time',
  KRT0: 'f32[4] rotation.xyzw, f32[3] translation.xyz, f32 time',
  KRTS: 'f32[4] rotation.xyzw, f32[3] translation.xyz, f32[3] scale.xyz, f32 time',
}
