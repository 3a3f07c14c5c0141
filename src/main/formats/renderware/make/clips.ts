/** New animation packages. */
import { withColumns } from '../codecs/ifp-bones.ts'
import { fixed, padded } from './text.ts'
import type { IfpBone, IfpDocument } from '../codecs/ifp-bones.ts'

export interface NewTrack {
  bone: string
  /** -1: matched by name */
  id: number
  /** seconds, ascending */
  times: ArrayLike<number>
  /** x,y,z,w per key, rotation of the frame as row vectors have it (ANP3's sense; ANPK stores the conjugate) */
  rotations: ArrayLike<number>
  /** 3 per key; the frame keeps its position without them */
  translations?: ArrayLike<number>
}

export function newIfp(
  name: string,
  clips: readonly { name: string; tracks: readonly NewTrack[] }[],
  kind: 'ANP3' | 'ANPK' = 'ANP3',
  ref = 'new.ifp',
): IfpDocument {
  const empty = new Uint8Array(0)
  const document: IfpDocument = {
    format: 'renderware.ifp',
    ref,
    diagnostics: [],
    kind,
    size: 0,
    name: kind === 'ANP3' ? fixed(name, 24) : padded(name),
    numAnimations: clips.length,
    animations: [],
    infoSize: 4 + name.length + 1,
    infoPad: empty,
    slack: empty,
    trailing: empty,
    sizeOff: 0,
  }
  if (kind === 'ANPK') {
    document.name = fixed(name, name.length + 1)
    document.infoPad = new Uint8Array((4 - (document.infoSize & 3)) & 3)
  }
  for (const clip of clips) {
    const bones = clip.tracks.map((track) => (kind === 'ANP3' ? anp3Bone(track) : anpkBone(track)))
    const animation: IfpDocument['animations'][number] = {
      name: kind === 'ANP3' ? fixed(clip.name, 24) : fixed(clip.name, clip.name.length + 1),
      keyBytes: kind === 'ANP3' ? bones.reduce((sum, b) => sum + b.keys.length, 0) : 0,
      flags: kind === 'ANP3' ? 1 : 0,
      numBones: bones.length,
      bones,
      start: 0,
      end: 0,
    }
    if (kind === 'ANPK') {
      const size = animation.name.length
      animation.anpk = {
        nameSize: size,
        namePad: new Uint8Array((4 - (size & 3)) & 3),
        dganSize: 16 + bones.reduce((sum, b) => sum + 8 + b.anpk!.cpanSize, 0),
        infoSize: 8,
        infoWord: new Uint8Array(4),
        rest: empty,
      }
    }
    document.animations.push(animation)
  }
  return document
}

function anp3Bone(track: NewTrack): IfpBone {
  const n = track.times.length
  const width = track.translations ? 8 : 5
  const shorts = new Int16Array(width * n)
  for (let k = 0; k < n; k++) {
    for (let c = 0; c < 4; c++) shorts[width * k + c] = Math.round(track.rotations[4 * k + c] * 4096)
    shorts[width * k + 4] = Math.round(track.times[k] * 60)
    if (track.translations) for (let c = 0; c < 3; c++) shorts[width * k + 5 + c] = Math.round(track.translations[3 * k + c] * 1024)
  }
  return withColumns(
    {
      name: fixed(track.bone, 24),
      type: track.translations ? 4 : 3,
      numKeys: n,
      boneId: track.id,
      keys: new Uint8Array(shorts.buffer),
      shorts: null,
      floats: null,
    },
    true,
  )
}

function anpkBone(track: NewTrack): IfpBone {
  const n = track.times.length
  const width = track.translations ? 8 : 5
  const floats = new Float32Array(width * n)
  for (let k = 0; k < n; k++) {
    for (let c = 0; c < 4; c++) floats[width * k + c] = c < 3 ? -track.rotations[4 * k + c] : track.rotations[4 * k + c]
    if (track.translations) for (let c = 0; c < 3; c++) floats[width * k + 4 + c] = track.translations[3 * k + c]
    floats[width * k + width - 1] = track.times[k]
  }
  const empty = new Uint8Array(0)
  const keyBytes = 4 * floats.length
  return withColumns(
    {
      name: fixed(track.bone, 28),
      type: 0,
      numKeys: n,
      boneId: track.id,
      keys: new Uint8Array(floats.buffer),
      shorts: null,
      floats: null,
      anpk: {
        cpanSize: 52 + (n ? 8 + keyBytes : 0),
        animSize: 44,
        word1: 0,
        word2: (n - 1) >>> 0,
        links: Int32Array.of(track.id),
        animRest: empty,
        keyTag: n ? (track.translations ? 'KRT0' : 'KR00') : '',
        keySize: keyBytes,
        keyRest: empty,
        rest: empty,
      },
    },
    false,
  )
}
