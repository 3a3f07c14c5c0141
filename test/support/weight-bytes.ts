/**
 * What a file must be after an edit of its weights, worked out from its bytes alone, apart from the project's codecs: tests compare whole files
 * with it. Each layout is found by the weights that the file is known to hold.
 */
import type { NativeWeights } from '../../src/shared/api/types/weights.ts'

/** @returns the bytes of the file with the weights of `after`, given those of `before` */
export type Rewrite = (bytes: Uint8Array, before: NativeWeights, after: NativeWeights) => Uint8Array

type Row = { bone: number; weight: number }[]

export function rowOf(w: NativeWeights, vertex: number): Row {
  return Array.from({ length: w.offsets[vertex + 1] - w.offsets[vertex] }, (_, i) => ({
    bone: w.bone[w.offsets[vertex] + i],
    weight: w.weight[w.offsets[vertex] + i],
  }))
}

export function changedVertices(before: NativeWeights, after: NativeWeights): number[] {
  return Array.from({ length: before.vertexCount }, (_, v) => v).filter(
    (v) => JSON.stringify(rowOf(before, v)) !== JSON.stringify(rowOf(after, v)),
  )
}

const view = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** The one place where the weights of all vertices stand, four floats a vertex, `stride` bytes apart. */
function fourFloats(bytes: Uint8Array, w: NativeWeights, stride: number): number {
  const data = view(bytes)
  const found: number[] = []
  for (let base = 0; base + stride * w.vertexCount <= bytes.length; base++) {
    let v = 0
    for (; v < w.vertexCount; v++) {
      const kept: number[] = []
      for (let slot = 0; slot < 4; slot++) {
        const x = data.getFloat32(base + stride * v + 4 * slot, true)
        if (x !== 0) kept.push(x)
      }
      const row = rowOf(w, v)
      if (kept.length !== row.length || kept.some((x, i) => x !== row[i].weight)) break
    }
    if (v === w.vertexCount) found.push(base)
  }
  if (found.length !== 1) throw new Error(`the weights stand at ${found.length} places`)
  return found[0]
}

/** MSH: four weights, then four bones as floats; used ones in front, what stands behind them stays. */
export const lostSaga: Rewrite = (bytes, before, after) => {
  const out = bytes.slice()
  const base = fourFloats(bytes, before, 32)
  for (const v of changedVertices(before, after)) {
    const row = rowOf(after, v)
    for (let slot = 0; slot < 4; slot++) {
      view(out).setFloat32(base + 32 * v + 4 * slot, row[slot]?.weight ?? 0, true)
      if (row[slot]) view(out).setFloat32(base + 32 * v + 16 + 4 * slot, row[slot].bone, true)
    }
  }
  return out
}

/**
 * Skin PLG: bones, used bones, most weights and a pad byte, the list of the used; bone bytes of all vertices, then weights. A bone that stays keeps its
 * slot, one that goes leaves its number, a new one takes the first free slot; the new layout's maximum rises to the last slot in use. Bones that the
 * list lacks are not foreseen here.
 */
export const renderware: Rewrite = (bytes, before, after) => {
  const out = bytes.slice()
  const base = fourFloats(bytes, before, 16)
  const bones = base - 4 * before.vertexCount
  for (const v of changedVertices(before, after)) {
    const wanted = new Map(rowOf(after, v).map((i) => [i.bone, i.weight]))
    const free: number[] = []
    for (let slot = 0; slot < 4; slot++) {
      const at = base + 16 * v + 4 * slot
      const bone = bytes[bones + 4 * v + slot]
      const used = view(bytes).getFloat32(at, true) !== 0
      if (used && wanted.has(bone)) {
        view(out).setFloat32(at, wanted.get(bone)!, true)
        wanted.delete(bone)
      } else {
        view(out).setFloat32(at, 0, true)
        free.push(slot)
      }
    }
    for (const [bone, weight] of wanted) {
      const slot = free.shift()!
      out[bones + 4 * v + slot] = bone
      view(out).setFloat32(base + 16 * v + 4 * slot, weight, true)
      const used =
        before.bones.map((_, n) => n).find((n) => bytes[bones - n - 4] === before.bones.length && bytes[bones - n - 3] === n) ?? 0
      const most = bones - used - 2
      if (bytes[most] > 0) out[most] = Math.max(out[most], slot + 1)
    }
  }
  return out
}

/** WGT: a group per bone (node, bone, type, 32, keys, size to the next or 0, two words), then its keys of 32 bytes by vertex. */
export const wgt: Rewrite = (bytes, before, after) => {
  const data = view(bytes)
  const owner = Number(/#skin\[(\d+)\]$/.exec(before.id)![1])
  const changed = changedVertices(before, after)
  const out: Uint8Array[] = []
  for (let at = 0; at < bytes.length;) {
    const next = data.getInt32(at + 20, true)
    const count = data.getInt32(at + 16, true)
    const end = at + 32 + 32 * count
    const header = bytes.slice(at, at + 32)
    let keys = Array.from({ length: count }, (_, k) => bytes.slice(at + 32 + 32 * k, at + 64 + 32 * k))
    if (data.getInt32(at, true) === owner) {
      const bone = data.getInt32(at + 4, true)
      for (const v of changed) {
        const now = rowOf(after, v).find((i) => i.bone === bone)
        const old = keys.find((key) => view(key).getUint32(0, true) === v)
        if (old && !now) keys = keys.filter((key) => key !== old)
        else if (old && now) view(old).setFloat32(16, now.weight, true)
        else if (now) {
          const key = keys.length ? keys[0].slice() : new Uint8Array(32)
          view(key).setUint32(0, v, true)
          view(key).setFloat32(16, now.weight, true)
          keys.push(key)
        }
      }
      keys.sort((a, b) => view(a).getUint32(0, true) - view(b).getUint32(0, true))
      view(header).setInt32(16, keys.length, true)
      if (next !== 0) view(header).setInt32(20, 32 + 32 * keys.length, true)
    }
    out.push(header, ...keys)
    at = next === 0 ? bytes.length : at + next
    if (next === 0) out.push(bytes.slice(end))
  }
  return new Uint8Array(Buffer.concat(out))
}

/** A member of a pack: records of name (64), 0x50, size, size to the next record, a word, then the bytes filled up to 16. */
export const inPack =
  (member: string, rewrite: Rewrite): Rewrite =>
  (bytes, before, after) => {
    const data = view(bytes)
    for (let at = 0; at + 0x50 <= bytes.length; at += data.getUint32(at + 0x48, true)) {
      const name = Buffer.from(bytes.subarray(at, at + 64))
        .toString('latin1')
        .split('\0')[0]
      if (name !== member) continue
      const size = data.getUint32(at + 0x44, true)
      const old = bytes.subarray(at + 0x50, at + 0x50 + size)
      const now = rewrite(old, before, after)
      const header = bytes.slice(at, at + 0x50)
      view(header).setUint32(0x44, now.length, true)
      view(header).setUint32(0x48, data.getUint32(at + 0x48, true) + now.length - old.length, true)
      return new Uint8Array(Buffer.concat([bytes.subarray(0, at), header, now, bytes.subarray(at + 0x50 + size)]))
    }
    throw new Error(`the pack has no ${member}`)
  }

/** Chunks of the mesh by their ids, each as its place and size. */
function w3dMesh(bytes: Uint8Array, name: string): Map<number, number> {
  const data = view(bytes)
  const text = (at: number): string =>
    Buffer.from(bytes.subarray(at, at + 16))
      .toString('latin1')
      .split('\0')[0]
  for (let mesh = 0; mesh + 8 <= bytes.length;) {
    const end = mesh + 8 + (data.getUint32(mesh + 4, true) & 0x7fffffff)
    const chunks = new Map<number, number>()
    if (data.getUint32(mesh, true) === 0)
      for (let at = mesh + 8; at + 8 <= end; at += 8 + (data.getUint32(at + 4, true) & 0x7fffffff))
        chunks.set(data.getUint32(at, true), at + 8)
    const header = chunks.get(0x1f)
    if (header !== undefined && `${text(header + 24)}.${text(header + 8)}` === name) return chunks
    mesh = end
  }
  throw new Error(`there is no mesh ${name}`)
}

/**
 * W3D: bone numbers and percents of a vertex, and its place and normal in the space of each bone it has.
 * @param rest translation of each pivot at rest, where no pivot is turned; absent: places and normals of bones that change are taken as they are,
 *   for the caller to compare in the scene
 */
export const w3d =
  (rest?: readonly (readonly number[])[]): Rewrite =>
  (bytes, before, after) => {
    const out = bytes.slice()
    const chunks = w3dMesh(bytes, before.mesh)
    const influences = chunks.get(0x0e)!
    const second = chunks.get(0xc00)
    for (const v of changedVertices(before, after)) {
      const [was, now] = [rowOf(before, v), rowOf(after, v)]
      const at = influences + 8 * v
      view(out).setUint16(at, now[0].bone, true)
      if (second !== undefined)
        [now[1]?.bone ?? 0, now[0].weight, now[1]?.weight ?? 0].forEach((x, i) => view(out).setUint16(at + 2 + 2 * i, x, true))
      if (!rest) continue
      const place = (body: number, bone: number): number[] =>
        [0, 1, 2].map((c) => view(bytes).getFloat32(body + 12 * v + 4 * c, true) + rest[bone][c])
      const world = place(chunks.get(0x02)!, was[0].bone)
      for (const [body, bone] of [[chunks.get(0x02)!, now[0].bone], ...(second === undefined ? [] : [[second, (now[1] ?? now[0]).bone]])])
        world.forEach((x, c) => view(out).setFloat32(body + 12 * v + 4 * c, x - rest[bone][c], true))
    }
    return out
  }

/** Ranges of a mesh that only the space of a bone decides: places and normals of these vertices. */
export function w3dPlaces(bytes: Uint8Array, mesh: string, vertices: readonly number[]): [number, number][] {
  const chunks = w3dMesh(bytes, mesh)
  return [0x02, 0x03].flatMap((id) => vertices.map((v): [number, number] => [chunks.get(id)! + 12 * v, chunks.get(id)! + 12 * v + 12]))
}
