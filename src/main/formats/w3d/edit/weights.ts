/**
 * Editing of influences. A vertex that gets another bone is written anew in that bone's space, so that it stays where it is at rest; a bone
 * that it keeps keeps its place and normal bit by bit. Files before BFME have one bone per vertex, BFME's have two with weights in percent.
 */
import { refuse } from '../../editing.ts'
import { addressOf, lastStep, notHere, ofFormat, parentPath, readAddress } from '../../address.ts'
import { w3dFile } from '../codecs/file.ts'
import { invertAffine, transformPoint } from '../../../../shared/scene/matrix.ts'
import { chunkAt } from '../codecs/chunk.ts'
import { hierarchyOf, restWorld } from '../codecs/hierarchy.ts'
import { meshOf, vertexInfluence } from '../codecs/mesh.ts'
import { say } from '../texts/index.ts'
import type { NativeWeights, WeightLimits } from '../../../../shared/api/types/weights.ts'
import type { OpenDocuments, WeightEditor } from '../../editing.ts'
import type { W3dDocument } from '../codecs/file.ts'
import type { Influences, MeshView } from '../codecs/mesh.ts'

function meshAt(document: W3dDocument | undefined, path: string, id: string): MeshView & { influences: Influences } {
  const found = document && chunkAt(document.chunks, path)?.chunk
  const mesh = found?.kind === 'container' ? meshOf(found) : undefined
  if (!mesh?.isSkin || !mesh.influences) notHere('skin', id)
  return mesh as MeshView & { influences: Influences }
}

/** Two bones only where the mesh has the second stream that they need. */
function hasTwo(influences: Influences, vertices: number): boolean {
  return influences.twoBone && influences.vertices2.length >= 3 * vertices
}

function limitsOf(mesh: MeshView & { influences: Influences }): WeightLimits {
  const two = hasTwo(mesh.influences, mesh.vertices.length / 3)
  const short = mesh.influences.table.count < mesh.vertices.length / 3
  return {
    fullWeight: mesh.influences.twoBone ? 100 : 1,
    maxInfluences: two ? 2 : 1,
    step: 1,
    packedFront: true,
    rules: [say(two ? 'edit.rules.two' : 'edit.rules.one'), say('edit.rules.keptInPlace')],
    readOnly: short ? say('edit.fewerInfluences') : '',
  }
}

/** Pivots of the model's own skeleton, by their number, with their joints. */
function bonesOf(model: OpenDocuments): { name: string; joint: number }[] {
  const { skeleton } = model.assembled.scene
  const out: { name: string; joint: number }[] = []
  for (let joint = 0; joint < skeleton.count; joint++) {
    const pivot = skeleton.nativeIndex[joint]
    if (pivot === out.length) out.push({ name: skeleton.names[joint], joint })
    else if (pivot === 0 && out.length) break
  }
  return out
}

export const weights: WeightEditor = {
  list(model) {
    const out: ReturnType<WeightEditor['list']> = []
    const seen = new Set<string>()
    model.assembled.scene.meshes.forEach((mesh, sceneMesh) => {
      const id = addressOf(mesh.source.ref, mesh.source.path)
      if (mesh.skin < 0 || seen.has(id)) return
      seen.add(id)
      out.push({ id, mesh: mesh.name, sceneMesh, vertexCount: mesh.nativeVertexCount })
    })
    return out
  },

  read(model, id): NativeWeights {
    const { ref, path } = readAddress(id, 'skin')
    const mesh = meshAt(ofFormat(model.document(ref), w3dFile.id, 'skin', id), path, id)
    const { influences } = mesh
    const entry = weights.list(model).find((e) => e.id === id)
    const vertexCount = mesh.vertices.length / 3
    const full = influences.twoBone ? 100 : 1
    const offsets = new Uint32Array(vertexCount + 1)
    const bone: number[] = []
    const weight: number[] = []
    const one = [0, 0, 0, 0]
    for (let v = 0; v < vertexCount; v++) {
      if (v < influences.table.count) {
        vertexInfluence(influences, v, one)
        for (let i = 0; i < 4; i += 2) {
          if (!(one[i + 1] > 0)) continue
          bone.push(one[i])
          weight.push(Math.round(one[i + 1] * full * 1000) / 1000)
        }
      }
      offsets[v + 1] = bone.length
    }
    return {
      id,
      mesh: mesh.fullName,
      sceneMesh: entry?.sceneMesh ?? -1,
      vertexCount,
      bones: bonesOf(model),
      offsets,
      bone: Uint16Array.from(bone),
      weight: Float32Array.from(weight),
      limits: limitsOf(mesh),
    }
  },

  write(session, edit) {
    const { ref, path } = readAddress(edit.id, 'skin')
    const mesh = meshAt(ofFormat(session.edit(ref), w3dFile.id, 'skin', edit.id), path, edit.id)
    const { influences } = mesh
    const limits = limitsOf(mesh)
    if (limits.readOnly) refuse(limits.readOnly)
    const world = worldOf(session)
    const bones = world.length / 16
    const words = influences.table.u16
    const count = mesh.vertices.length / 3
    const old = [0, 0, 0, 0]
    const place = [0, 0, 0]
    const inverse = new Float64Array(16)
    edit.vertices.forEach((v, i) => {
      if (v >= count) refuse(say('formats.noVertex', { vertex: v }))
      const from = edit.offsets[i]
      const to = edit.offsets[i + 1]
      const wanted = new Map<number, number>()
      for (let k = from; k < to; k++) {
        if (!(edit.weight[k] >= 0) || edit.weight[k] === Infinity) refuse(say('edit.weightNumber'))
        if (edit.weight[k] > 0) wanted.set(edit.bone[k], (wanted.get(edit.bone[k]) ?? 0) + edit.weight[k])
      }
      if (wanted.size === 0) refuse(say('edit.needsBone', { vertex: v }))
      if (wanted.size > limits.maxInfluences) refuse(limits.maxInfluences === 1 ? say('edit.oneBone') : say('edit.twoBones'))
      for (const bone of wanted.keys()) if (bone >= bones) refuse(say('edit.noPivot', { pivot: bone }))

      vertexInfluence(influences, v, old)
      const total = [...wanted.values()].reduce((a, b) => a + b, 0)
      let list = [...wanted].map(([bone, weight]) => ({ bone, weight: Math.round((100 * weight) / total) })).filter((e) => e.weight > 0)
      // a bone that the vertex keeps stays in its stream
      if (list.length === 2 && (list[1].bone === old[0] || (old[3] > 0 && list[0].bone === old[2]))) list = [list[1], list[0]]
      if (list.length === 2) list[1].weight = 100 - list[0].weight
      const same =
        list[0].bone === old[0] &&
        (list.length === 1 ? old[3] === 0 : old[3] > 0 && list[1].bone === old[2] && Math.round(100 * old[3]) === list[1].weight)
      if (same) return

      const results = list.map(({ bone }) =>
        bone === old[0] ? taken(0, v) : old[3] > 0 && bone === old[2] ? taken(1, v) : expressed(bone, old[0], v),
      )
      put(mesh.vertices, mesh.normals, v, results[0])
      words[4 * v] = list[0].bone
      if (!influences.twoBone) return
      words[4 * v + 1] = list[1]?.bone ?? 0
      words[4 * v + 2] = list[1] ? list[0].weight : 100
      words[4 * v + 3] = list[1]?.weight ?? 0
      // a vertex with one bone has the same place in both streams [V]
      if (limits.maxInfluences === 2) put(influences.vertices2, influences.normals2, v, results[1] ?? results[0])
    })

    function taken(stream: 0 | 1, v: number): Float32Array[] {
      const places = stream === 0 ? mesh.vertices : influences.vertices2
      const normals = stream === 0 ? mesh.normals : influences.normals2
      return [places.slice(3 * v, 3 * v + 3), normals.slice(3 * v, 3 * v + 3)]
    }

    /** the vertex at rest, seen from another bone */
    function expressed(bone: number, before: number, v: number): Float32Array[] {
      const [p, n] = taken(0, v)
      if (before >= bones) return [p, n]
      const w = 16 * before
      transformPoint(place, 0, world, w, p[0], p[1], p[2])
      invertAffine(inverse, 0, world, 16 * bone)
      const out = new Float32Array(3)
      transformPoint(out, 0, inverse, 0, place[0], place[1], place[2])
      if (n.length < 3) return [out, n]
      const a = world[w] * n[0] + world[w + 4] * n[1] + world[w + 8] * n[2]
      const b = world[w + 1] * n[0] + world[w + 5] * n[1] + world[w + 9] * n[2]
      const c = world[w + 2] * n[0] + world[w + 6] * n[1] + world[w + 10] * n[2]
      return [
        out,
        Float32Array.of(
          inverse[0] * a + inverse[4] * b + inverse[8] * c,
          inverse[1] * a + inverse[5] * b + inverse[9] * c,
          inverse[2] * a + inverse[6] * b + inverse[10] * c,
        ),
      ]
    }
  },
}

function put(places: Float32Array, normals: Float32Array, v: number, [p, n]: Float32Array[]): void {
  // bit by bit: a place that stays must not lose the bits of a NaN
  new Uint32Array(places.buffer, places.byteOffset, places.length).set(new Uint32Array(p.buffer, p.byteOffset, 3), 3 * v)
  if (normals.length >= 3 * v + 3 && n.length === 3)
    new Uint32Array(normals.buffer, normals.byteOffset, normals.length).set(new Uint32Array(n.buffer, n.byteOffset, 3), 3 * v)
}

/** World matrices at rest, file space, of the skeleton that the model stands on. */
function worldOf(model: OpenDocuments): Float64Array {
  const source = model.assembled.scene.skeleton.sources[model.assembled.scene.skeleton.nativeIndex.indexOf(0)]
  const hierarchy = source && lastStep(source.path).name === 'pivot' ? parentPath(parentPath(source.path)) : undefined
  const document = source && (model.document(source.ref) as W3dDocument | undefined)
  const chunk = hierarchy !== undefined && document ? chunkAt(document.chunks, hierarchy)?.chunk : undefined
  if (chunk?.kind !== 'container') refuse(say('edit.skeletonNotHere'))
  return restWorld(hierarchyOf(chunk))
}
