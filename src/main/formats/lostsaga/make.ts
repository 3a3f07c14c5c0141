/** New files of the family from plain data. */
import { aniTrack, setKeyRotation, strideOf } from './codecs/ani.ts'
import { MASK } from './codecs/msh.ts'
import { NO_PARENT } from './codecs/skl.ts'
import { encodeText } from './codecs/strings.ts'
import type { AniCoding, AniDocument } from './codecs/ani.ts'
import type { CmsDocument } from './codecs/cms.ts'
import type { MshDocument } from './codecs/msh.ts'
import type { SklDocument } from './codecs/skl.ts'
import type { PackMode } from './codecs/rotation.ts'

type Vector = readonly number[]

const NOTHING = { start: 0, end: 0 }
const fresh = () => ({ ref: '', diagnostics: [], trailing: new Uint8Array(0), range: NOTHING })

export interface NewBone {
  name: string
  /** index of the parent, -1 for a root */
  parent: number
  /** 30 floats in the order of the file: local, inverse-object and object transform */
  transform: ArrayLike<number>
}

export function newSkl(bones: readonly NewBone[]): SklDocument {
  return {
    ...fresh(),
    format: 'lostsaga.skl',
    version: 1000,
    bones: bones.map(({ name, parent, transform }, i) => ({
      name: encodeText(name),
      transform: Float32Array.from(transform),
      parent: encodeText(parent < 0 ? NO_PARENT : bones[parent].name),
      children: bones.flatMap((child) => (child.parent === i ? [encodeText(child.name)] : [])),
      range: NOTHING,
    })),
    linkedSkeleton: encodeText(''),
  }
}

export interface NewMesh {
  type: number
  /** which components there are, as MASK has them */
  mask: number
  /** min x y z, max x y z */
  box: Vector
  /** four numbers each: firstVertex, vertexCount, firstIndex, faceCount */
  submeshes: Vector
  /** 3 per vertex */
  positions: Float32Array
  normals: ArrayLike<number>
  /** 2 per vertex */
  uvs: ArrayLike<number>
  /** 8 per vertex, four weights and four numbers of bones; empty without a skin */
  influences: ArrayLike<number>
  bones: readonly string[]
  /** 3 per face */
  faces: ArrayLike<number>
  points: readonly { type: string; bone: string; position: Vector }[]
}

export function newMsh(mesh: NewMesh): MshDocument {
  const { box, points } = mesh
  return {
    ...fresh(),
    format: 'lostsaga.msh',
    version: points.length ? 2002 : 2000,
    meshType: mesh.type,
    masks: Uint32Array.of(mesh.mask),
    box: Float32Array.from(box),
    radius: Float32Array.of(Math.hypot(box[3] - box[0], box[4] - box[1], box[5] - box[2]) / 2),
    submeshes: Int32Array.from(mesh.submeshes),
    vertexCount: mesh.positions.length / 3,
    positions: mesh.positions,
    normals: Float32Array.from(mesh.normals),
    tangents: new Float32Array(0),
    binormals: new Float32Array(0),
    colors: new Uint32Array(0),
    uv0: Float32Array.from(mesh.uvs),
    uv1: new Float32Array(0),
    boneNames: mesh.mask & MASK.weights ? mesh.bones.map(encodeText) : null,
    influences: Float32Array.from(mesh.influences),
    positions2: new Float32Array(0),
    faces: Uint16Array.from(mesh.faces),
    wideFaces: null,
    controlPoints: points.length
      ? points.map(({ type, bone, position }) => ({
          type: encodeText(type),
          linkedBone: encodeText(bone),
          extra: encodeText(''),
          position: Float32Array.from(position),
          range: NOTHING,
        }))
      : null,
    places: {},
  }
}

export interface NewTrack {
  bone: string
  /** times in ms; rotations as x, y, z, w and positions, both in the parent's space of the file */
  keys: readonly { time: number; rotation: Vector; position: ArrayLike<number> }[]
}

/** @param totalTime and the times of events in ms */
export function newAni(
  coding: AniCoding,
  totalTime: number,
  tracks: readonly NewTrack[],
  events: readonly { time: number; type: string; info: string }[] = [],
  packing: PackMode = 'game',
): AniDocument {
  const stride = strideOf(coding)
  return {
    ...fresh(),
    format: 'lostsaga.ani',
    version: coding,
    coding,
    events: events.map(({ time, type, info }) => ({
      type: encodeText(type),
      info: encodeText(info),
      time: Float32Array.of(time),
      range: NOTHING,
    })),
    totalTime,
    tracks: tracks.map(({ bone, keys }) => {
      const track = aniTrack(encodeText(bone), Float32Array.of(1), new Uint32Array(keys.length * stride))
      keys.forEach(({ time, rotation, position }, k) => {
        setKeyRotation(coding, track, k, rotation, packing)
        track.floats.set(position, (k + 1) * stride - 4)
        track.words[(k + 1) * stride - 1] = time
      })
      return track
    }),
  }
}

/** @param positions 3 per vertex; faces 3 per face, clockwise */
export function newCms(positions: ArrayLike<number>, faces: ArrayLike<number>): CmsDocument {
  return {
    ...fresh(),
    format: 'lostsaga.cms',
    version: 5000,
    positions: Float32Array.from(positions),
    faces: Uint16Array.from(faces),
    body: null,
  }
}
