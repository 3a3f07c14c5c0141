/** Weights of skins. An edited weight changes its own bytes: slots keep their bones, slots that become free keep theirs too. */
import { refuse } from '../../editing.ts'
import { addressOf, notHere, readAddress } from '../../address.ts'
import { chunkPaths } from '../codecs/chunk.ts'
import { readModel } from '../codecs/model.ts'
import { neededWeights, recomputeMaximum, recomputeUsed, weightedBones } from '../codecs/skin.ts'
import { makeSplit, splitProblems } from '../codecs/skin-split.ts'
import type { DffDocument } from '../codecs/dff.ts'
import type { GeometryView } from '../codecs/model.ts'
import type { Skin } from '../codecs/skin.ts'
import type { OpenDocuments, WeightEditor } from '../../editing.ts'
import { OPTION } from '../scene/options.ts'
import { say } from '../texts/index.ts'
import type { ModelOption } from '../../binding.ts'

/** What a write does besides, in words. */
function rulesOf(skin: Skin, lists: ModelOption['value'] | undefined): string[] {
  const rules = [say('edit.rules.slots'), say('edit.rules.sum')]
  if (skin.layout === 'new') {
    rules.push(
      lists === 'leave'
        ? say('edit.rules.listsLeave')
        : lists === 'recompute'
          ? say('edit.rules.listsRecompute')
          : say('edit.rules.listsExtend'),
    )
  } else rules.push(say('edit.rules.noLists'))
  if (skin.split && skin.split.numMeshes > 0) rules.push(say('edit.rules.divided', { limit: skin.split.boneLimit }))
  return rules
}

interface Found {
  skin: Skin
  geometry?: GeometryView
}

function skinAt(document: DffDocument | undefined, path: string): Found | undefined {
  if (document?.format !== 'renderware.dff') return undefined
  const paths = chunkPaths(document.roots)
  for (const clump of readModel(document).clumps) {
    for (const geometry of clump.geometries)
      if (geometry.skin && geometry.skinChunk && paths.get(geometry.skinChunk) === path) return { skin: geometry.skin, geometry }
    for (const atomic of clump.atomics)
      if (atomic.legacySkin && atomic.skinChunk && paths.get(atomic.skinChunk) === path) return { skin: atomic.legacySkin }
  }
  return undefined
}

/** `ref#path`, cut at the last `#`: a file's name may hold one, a path does not. */
function locate(model: OpenDocuments, id: string): Found {
  const { ref, path } = readAddress(id, 'skin')
  const found = skinAt(model.document(ref) as DffDocument | undefined, path)
  if (!found) notHere('skin', id)
  return found
}

export const weights: WeightEditor = {
  list(model) {
    const { meshes, skins } = model.assembled.scene
    return meshes.flatMap((mesh, sceneMesh) =>
      mesh.skin < 0
        ? []
        : [
            {
              id: addressOf(skins[mesh.skin].source.ref, skins[mesh.skin].source.path),
              mesh: mesh.name,
              sceneMesh,
              vertexCount: mesh.nativeVertexCount,
            },
          ],
    )
  },
  read(model, id) {
    const { skin } = locate(model, id)
    const { scene } = model.assembled
    const { ref, path } = readAddress(id, 'skin')
    const sceneSkin = scene.skins.findIndex((s) => s.source.ref === ref && s.source.path === path)
    const sceneMesh = scene.meshes.findIndex((m) => m.skin === sceneSkin)
    const joints = scene.skins[sceneSkin]?.joints
    const offsets = new Uint32Array(skin.numVertices + 1)
    let n = 0
    for (let i = 0; i < skin.weights.length; i++) {
      if (skin.weights[i] !== 0) n++
      if ((i & 3) === 3) offsets[(i >> 2) + 1] = n
    }
    const bone = new Uint16Array(n)
    const weight = new Float32Array(n)
    n = 0
    for (let i = 0; i < skin.weights.length; i++) {
      if (skin.weights[i] === 0) continue
      bone[n] = skin.indices[i]
      weight[n++] = skin.weights[i]
    }
    return {
      id,
      mesh: scene.meshes[sceneMesh]?.name ?? '',
      sceneMesh,
      vertexCount: skin.numVertices,
      bones: Array.from({ length: skin.numBones }, (_, b) => ({
        name: joints ? scene.skeleton.names[joints[b]].trim() : String(b),
        joint: joints ? joints[b] : -1,
      })),
      offsets,
      bone,
      weight,
      limits: {
        fullWeight: 1,
        maxInfluences: 4,
        step: 0,
        packedFront: false,
        rules: rulesOf(skin, model.assembled.options.find((o) => o.key === OPTION.weightLists)?.value),
        readOnly: '',
      },
    }
  },
  write(session, edit) {
    const { ref, path } = readAddress(edit.id, 'skin')
    const found = skinAt(session.edit<DffDocument>(ref), path)
    if (!found) notHere('skin', edit.id)
    const { skin, geometry } = found
    if (edit.offsets.length !== edit.vertices.length + 1) refuse(say('edit.rowsMisfit'))
    edit.vertices.forEach((v, row) =>
      writeVertex(
        skin,
        v,
        edit.bone.subarray(edit.offsets[row], edit.offsets[row + 1]),
        edit.weight.subarray(edit.offsets[row], edit.offsets[row + 1]),
      ),
    )
    const choice = session.assembled.options.find((o) => o.key === OPTION.weightLists)?.value ?? 'extend'
    if (choice === 'leave' || skin.layout !== 'new') return
    if (choice === 'recompute') {
      recomputeUsed(skin)
      recomputeMaximum(skin)
    } else extendLists(skin)
    if (geometry?.binMesh && skin.split && skin.split.numMeshes > 0 && splitProblems(skin, geometry.binMesh).length)
      skin.split = makeSplit(skin, geometry.binMesh, skin.split.boneLimit || 64)
  },
}

/** Adds weighted bones that the list lacks, and raises the maximum where a vertex needs it; takes nothing away. */
function extendLists(skin: Skin): void {
  const lacking = [...weightedBones(skin)].filter((b) => !skin.used.includes(b))
  if (lacking.length) {
    skin.used = Uint8Array.from([...skin.used, ...lacking].sort((a, b) => a - b))
    skin.numUsed = skin.used.length
  }
  const needed = neededWeights(skin)
  if (skin.maxWeights > 0 && needed > skin.maxWeights) skin.maxWeights = needed
}

/**
 * New influences of one vertex. A bone that the vertex has keeps its slot; a bone that it loses leaves a weight of 0 with its number
 * still there, as the files have it; a new bone takes the first free slot.
 */
function writeVertex(skin: Skin, vertex: number, bones: Uint16Array, weights: Float32Array): void {
  if (!(vertex < skin.numVertices)) refuse(say('formats.noVertex', { vertex }))
  const wanted = new Map<number, number>()
  bones.forEach((bone, i) => {
    if (!(bone < skin.numBones)) refuse(say('edit.noBone', { bone }))
    if (!Number.isFinite(weights[i]) || weights[i] < 0) refuse(say('edit.weightNotStored', { weight: weights[i] }))
    wanted.set(bone, (wanted.get(bone) ?? 0) + weights[i])
  })
  for (const [bone, weight] of wanted) if (weight === 0) wanted.delete(bone)
  if (wanted.size > 4) refuse(say('edit.tooManyBones', { count: wanted.size }))
  const at = 4 * vertex
  const free: number[] = []
  for (let i = at; i < at + 4; i++) {
    const old = skin.weights[i]
    const next = wanted.get(skin.indices[i])
    if (old !== 0 && next !== undefined) {
      if (Math.fround(next) !== old) skin.weights[i] = next
      wanted.delete(skin.indices[i])
    } else {
      if (old !== 0) skin.weights[i] = 0
      free.push(i)
    }
  }
  for (const [bone, weight] of wanted) {
    const slot = free.shift()!
    skin.indices[slot] = bone
    skin.weights[slot] = weight
  }
}
