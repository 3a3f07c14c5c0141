/**
 * HIERARCHY: the skeleton. Layouts [V] on 30 hierarchies. The engine ignores the fixups and pivot 0's own transform, and
 * takes rotations from the quaternion; the euler angles are the exporter's note.
 */
import { nameOf } from '../../../binary/reader.ts'
import { compose, multiply } from '../../../../shared/scene/matrix.ts'
import { field } from '../../../binary/structure.ts'
import { ID } from './chunk-ids.ts'
import { containersOf, dataOf, leafOf, newContainer, newLeaf } from './chunk.ts'
import { chars, emptyRecords, f32s, u32 } from '../../../binary/layout.ts'
import { reference, structural } from '../../../binary/field-use.ts'
import { records, struct, version } from './leaves.ts'
import { say } from '../texts/index.ts'
import type { Chunk, ContainerChunk, LeafCodec, TypedChunk } from './chunk.ts'
import type { Records, Struct } from '../../../binary/layout.ts'

const NO_PARENT = 0xffffffff
const NAME_LENGTH = 16

const headerFields = { version, name: chars(NAME_LENGTH), numPivots: structural(u32), center: f32s(3) }
export const HIERARCHY_HEADER = struct(ID.HIERARCHY_HEADER, headerFields)

/** 60 bytes each: trans and quat are relative to the parent; quat is x, y, z, w. */
export const PIVOTS = records(
  ID.PIVOTS,
  { name: chars(NAME_LENGTH), parent: reference(u32, 'pivot', NO_PARENT), trans: f32s(3), euler: f32s(3), quat: f32s(4) },
  'pivot',
  { notes: { euler: () => say('codecs.eulerNote'), parent: (v: number) => (v === NO_PARENT ? say('codecs.root') : undefined) } },
)
const WORDS = PIVOTS.stride / 4
const PARENT = PIVOTS.at.parent / 4
const TRANS = PIVOTS.at.trans / 4
const EULER = PIVOTS.at.euler / 4
const QUAT = PIVOTS.at.quat / 4

/**
 * Exporter's leftovers, not applied by the engine. `matrix`: 4 rows of 3 (three basis rows, then the translation) as in every known
 * file; `vector`: 3 floats per pivot, which the public spec and one exporter have.
 */
export interface Fixups {
  form: 'matrix' | 'vector'
  values: Float32Array
}

const PIVOT_FIXUPS: LeafCodec<Fixups> = {
  id: ID.PIVOT_FIXUPS,
  exact: true,
  read(r, siblings) {
    const pivots = dataOf({ children: siblings }, PIVOTS)?.count ?? dataOf({ children: siblings }, HIERARCHY_HEADER)?.numPivots ?? -1
    const vector = r.remaining === 12 * pivots || (r.remaining !== 48 * pivots && r.remaining % 48 !== 0)
    const width = vector ? 3 : 12
    return { form: vector ? 'vector' : 'matrix', values: r.f32s(Math.floor(r.remaining / (4 * width)) * width) }
  },
  write: (data, out) => out.raw(data.values),
  describe(data, at) {
    const width = data.form === 'vector' ? 3 : 12
    const fields = []
    for (let i = 0; i < Math.min(2048, data.values.length / width); i++) {
      fields.push(
        field(
          `fixup[${i}]`,
          data.form === 'vector' ? 'f32[3]' : 'f32[4][3]',
          at + 4 * width * i,
          4 * width,
          data.values.subarray(width * i, width * i + width),
          {
            unknown: true,
            note: say('codecs.fixupNote'),
          },
        ),
      )
    }
    return { fields, children: [] }
  },
}

export const hierarchyCodecs: readonly LeafCodec[] = [HIERARCHY_HEADER, PIVOTS, PIVOT_FIXUPS]

/** A skeleton as its chunks have it. Spaces are the file's own: Z up. */
export interface Hierarchy {
  chunk: ContainerChunk
  name: string
  header: Struct<typeof headerFields> | undefined
  pivots: TypedChunk<Records> | undefined
  count: number
  fixups: Fixups | undefined
  /** files before version 3.0 have no root pivot: the engine puts one in front, and pivot numbers count from 1 */
  preRoot: boolean
}

export function hierarchyOf(chunk: ContainerChunk): Hierarchy {
  const header = dataOf(chunk, HIERARCHY_HEADER)
  const pivots = leafOf(chunk, PIVOTS)
  return {
    chunk,
    header,
    name: header ? nameOf(header.name) : '',
    pivots,
    count: pivots?.data.count ?? 0,
    fixups: dataOf(chunk, PIVOT_FIXUPS),
    preRoot: header !== undefined && header.version >>> 16 < 3,
  }
}

export function hierarchiesOf(document: { chunks: readonly Chunk[] }): Hierarchy[] {
  return containersOf({ children: document.chunks }, ID.HIERARCHY).map(hierarchyOf)
}

export function pivotName(pivots: Records, i: number): string {
  return nameOf(pivots.bytes.subarray(i * PIVOTS.stride, i * PIVOTS.stride + NAME_LENGTH))
}
/** -1 for a root */
export function pivotParent(pivots: Records, i: number): number {
  const parent = pivots.u32[i * WORDS + PARENT]
  return parent === NO_PARENT ? -1 : parent
}
/** views of 3, 3 and 4 floats */
export function pivotTranslation(pivots: Records, i: number): Float32Array {
  return pivots.f32.subarray(i * WORDS + TRANS, i * WORDS + TRANS + 3)
}
export function pivotEuler(pivots: Records, i: number): Float32Array {
  return pivots.f32.subarray(i * WORDS + EULER, i * WORDS + EULER + 3)
}
export function pivotQuaternion(pivots: Records, i: number): Float32Array {
  return pivots.f32.subarray(i * WORDS + QUAT, i * WORDS + QUAT + 4)
}
export function setPivotParent(pivots: Records, i: number, parent: number): void {
  pivots.u32[i * WORDS + PARENT] = parent < 0 ? NO_PARENT : parent
}

const ONE = new Float32Array([1, 1, 1])
const finite = (v: ArrayLike<number>): boolean => Array.prototype.every.call(v, Number.isFinite)

/**
 * Rest matrix of a pivot against its parent, T(trans) * R(quat), column-major, in file space. The quaternion is normalised; numbers that
 * are not finite count as identity.
 */
export function pivotLocal(pivots: Records, i: number, out: Float32Array | Float64Array, o: number): void {
  const t = pivotTranslation(pivots, i)
  const q = pivotQuaternion(pivots, i)
  const length = Math.hypot(q[0], q[1], q[2], q[3])
  const rotation = Number.isFinite(length) && length > 1e-6 ? [q[0] / length, q[1] / length, q[2] / length, q[3] / length] : [0, 0, 0, 1]
  compose(out, o, finite(t) ? [t[0], t[1], t[2]] : [0, 0, 0], 0, rotation, 0, ONE, 0)
}

/**
 * World matrices at rest in file space, 16 per pivot, as the engine has them: pivot 0 stands at the object's origin whatever its own
 * transform says. A parent that does not stand before its child counts as the root.
 */
export function restWorld(hierarchy: Hierarchy): Float64Array {
  const n = hierarchy.count
  const world = new Float64Array(16 * Math.max(1, n))
  const pivots = hierarchy.pivots?.data
  for (let i = 0; i < n; i++) {
    if (i === 0 && !hierarchy.preRoot) {
      for (let c = 0; c < 4; c++) world[5 * c] = 1
      continue
    }
    pivotLocal(pivots!, i, world, 16 * i)
    const parent = pivotParent(pivots!, i)
    if (parent >= 0 && parent < i) multiply(world, 16 * i, world, 16 * parent, world, 16 * i)
  }
  if (n === 0) for (let c = 0; c < 4; c++) world[5 * c] = 1
  return world
}

/** A new HIERARCHY. `quat` x, y, z, w; parent -1 for the root. */
export function makeHierarchy(
  name: string,
  list: readonly { name: string; parent: number; trans: readonly number[]; quat: readonly number[] }[],
): ContainerChunk {
  const table = emptyRecords(PIVOTS.stride, list.length)
  list.forEach((pivot, i) => {
    table.bytes.set(nameField(pivot.name, NAME_LENGTH), i * PIVOTS.stride)
    setPivotParent(table, i, pivot.parent)
    pivotTranslation(table, i).set(pivot.trans)
    pivotQuaternion(table, i).set(pivot.quat)
    pivotEuler(table, i).set(eulerOf(pivot.quat))
  })
  return newContainer(ID.HIERARCHY, [
    newLeaf(HIERARCHY_HEADER, {
      version: 0x00040001,
      name: nameField(name, NAME_LENGTH),
      numPivots: list.length,
      center: new Float32Array(3),
    }),
    newLeaf(PIVOTS, table),
  ])
}

/** A name as a NUL-padded field; longer names are cut before the NUL. */
export function nameField(name: string, size: number): Uint8Array {
  const out = new Uint8Array(size)
  for (let i = 0; i < Math.min(name.length, size - 1); i++) out[i] = name.charCodeAt(i) & 0xff
  return out
}

/** Angles about x, y, z (radians) of a rotation: R = Rx * Ry * Rz, as all 108 stored triples of the known files have it [V]. */
export function eulerOf(q: ArrayLike<number>): [number, number, number] {
  const [x, y, z, w] = [q[0], q[1], q[2], q[3]]
  const sin = Math.max(-1, Math.min(1, 2 * (x * z + w * y)))
  // straight up or down, x and z turn about the same axis: x takes it all
  if (Math.abs(sin) > 0.9999999) return [2 * Math.atan2(x, w), Math.asin(sin), 0]
  return [
    Math.atan2(2 * (w * x - y * z), 1 - 2 * (x * x + y * y)),
    Math.asin(sin),
    Math.atan2(2 * (w * z - x * y), 1 - 2 * (y * y + z * z)),
  ]
}

/** The rotation of such angles. */
export function quaternionOf(euler: ArrayLike<number>): [number, number, number, number] {
  const [cx, cy, cz] = [Math.cos(euler[0] / 2), Math.cos(euler[1] / 2), Math.cos(euler[2] / 2)]
  const [sx, sy, sz] = [Math.sin(euler[0] / 2), Math.sin(euler[1] / 2), Math.sin(euler[2] / 2)]
  return [sx * cy * cz + cx * sy * sz, cx * sy * cz - sx * cy * sz, cx * cy * sz + sx * sy * cz, cx * cy * cz - sx * sy * sz]
}
