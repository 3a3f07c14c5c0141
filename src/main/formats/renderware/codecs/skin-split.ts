/** Split data of a Skin PLG: the palettes of a skin that is divided for a limit of bones. Evidence: docs/formats/renderware.md. */
import { FormatError } from '../../../binary/format-error.ts'
import { meshTriangles } from './bin-mesh.ts'
import { say } from '../texts/index.ts'
import type { BinMesh } from './bin-mesh.ts'
import type { Skin, SplitData } from './skin.ts'

const NOTHING: Uint8Array = new Uint8Array(0)

/** Bones of the palette of one mesh, in slot order; null where its runs are out of range. */
export function meshPalette(skin: Skin, mesh: number): Uint8Array | null {
  const split = skin.split
  if (!split || mesh >= split.numMeshes) return null
  const first = split.rleCount[2 * mesh]
  const runs = split.rleCount[2 * mesh + 1]
  if (first + runs > split.numRLE) return null
  const out: number[] = []
  for (let k = first; k < first + runs; k++) {
    const bone = split.rle[2 * k]
    const count = split.rle[2 * k + 1]
    // slots are bytes: a longer palette is none
    if (bone + count > skin.numBones || out.length + count > 256) return null
    for (let b = 0; b < count; b++) out.push(bone + b)
  }
  return Uint8Array.from(out)
}

/** Bones with weights on the vertices of each BinMesh mesh, ascending. */
function bonesPerMesh(skin: Skin, bins: BinMesh): number[][] {
  return bins.meshes.map((group) => {
    const seen = new Uint8Array(256)
    for (const v of meshTriangles(bins, group, skin.numVertices)) {
      for (let i = 4 * v; i < 4 * v + 4; i++) if (skin.weights[i] > 0) seen[skin.indices[i]] = 1
    }
    return Array.from(seen.keys()).filter((b) => seen[b])
  })
}

/** What is wrong with the split data of a skin for these meshes; empty when nothing is. */
export function splitProblems(skin: Skin, bins: BinMesh | undefined): string[] {
  const split = skin.split
  if (!split || split.numMeshes === 0) return []
  const problems: string[] = []
  if (bins && bins.meshes.length !== split.numMeshes)
    problems.push(say('codecs.split.meshCount', { count: split.numMeshes, bins: bins.meshes.length }))
  const needed = bins ? bonesPerMesh(skin, bins) : []
  for (let m = 0; m < split.numMeshes; m++) {
    const palette = meshPalette(skin, m)
    if (!palette) {
      problems.push(say('codecs.split.runsOutside', { mesh: m }))
      continue
    }
    if (split.boneLimit > 0 && palette.length > split.boneLimit)
      problems.push(say('codecs.split.paletteTooLong', { mesh: m, count: palette.length, limit: split.boneLimit }))
    const missing = (needed[m] ?? []).filter((bone) => palette[split.remap[bone]] !== bone)
    if (missing.length)
      problems.push(say('codecs.split.paletteLacks', { mesh: m, bones: missing.slice(0, 8).join(', ') + (missing.length > 8 ? ' …' : '') }))
  }
  return problems
}

/**
 * Split data for a palette limit. Every bone gets one slot that is its own in all meshes it stands in; a slot between two
 * bones of a mesh is filled with a bone the mesh does not use. Throws `invalid-edit` where a mesh needs more slots than the limit.
 */
export function makeSplit(skin: Skin, bins: BinMesh, boneLimit: number): SplitData {
  const perMesh = bonesPerMesh(skin, bins)
  if (bins.meshes.length > 255) throw new FormatError('invalid-edit', say('codecs.split.tooManyMeshes', { count: bins.meshes.length }))
  const remap = new Uint8Array(skin.numBones).fill(0xff)
  const meshesOf = new Map<number, number[]>()
  perMesh.forEach((bones, m) => {
    for (const bone of bones) {
      if (bone >= skin.numBones)
        throw new FormatError('invalid-edit', say('codecs.split.boneOutside', { mesh: m, bone, count: skin.numBones }))
      meshesOf.set(bone, [...(meshesOf.get(bone) ?? []), m])
    }
  })
  const taken = perMesh.map(() => new Set<number>())
  for (const bone of [...meshesOf.keys()].sort((a, b) => a - b)) {
    const meshes = meshesOf.get(bone)!
    let slot = 0
    while (meshes.some((m) => taken[m].has(slot))) slot++
    if (slot >= boneLimit) throw new FormatError('invalid-edit', say('codecs.split.limitTooLow', { limit: boneLimit }))
    for (const m of meshes) taken[m].add(slot)
    remap[bone] = slot
  }
  const rleCount: number[] = []
  const rle: number[] = []
  for (const bones of perMesh) {
    const first = rle.length / 2
    const size = bones.reduce((most, bone) => Math.max(most, remap[bone] + 1), 0)
    const palette = new Int16Array(size).fill(-1)
    for (const bone of bones) palette[remap[bone]] = bone
    for (let s = 0; s < size; s++) if (palette[s] < 0) palette[s] = s > 0 && palette[s - 1] + 1 < skin.numBones ? palette[s - 1] + 1 : 0
    for (let s = 0; s < size;) {
      let count = 1
      while (s + count < size && palette[s + count] === palette[s] + count && count < 255) count++
      rle.push(palette[s], count)
      s += count
    }
    const runs = rle.length / 2 - first
    if (first > 255 || runs > 255) throw new FormatError('invalid-edit', say('codecs.split.tooManyRuns'))
    rleCount.push(first, runs)
  }
  return {
    boneLimit,
    numMeshes: bins.meshes.length,
    numRLE: rle.length / 2,
    remap,
    rleCount: Uint8Array.from(rleCount),
    rle: Uint8Array.from(rle),
  }
}

/** No split data, as every skin of the PC games has it. */
export function noSplit(): SplitData {
  return { boneLimit: 0, numMeshes: 0, numRLE: 0, remap: NOTHING, rleCount: NOTHING, rle: NOTHING }
}
