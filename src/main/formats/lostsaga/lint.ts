/** What the game or its tools will choke on. Evidence: docs/formats/lostsaga.md. */
import { lastStep, numberIn } from '../address.ts'
import { stemOf } from '../../../shared/ref.ts'
import { Diagnostics, type Document, type Family, type LintModel } from '../format.ts'
import { bindOffset } from './scene/assemble.ts'
import { keyCount, keyRotation, keyTime, strideOf, type AniDocument } from './codecs/ani.ts'
import { faceIndices, MASK, MESH_TYPES, type MshDocument } from './codecs/msh.ts'
import { LINKED_SKELETON, LOCAL_ROTATION, NO_PARENT, type SklDocument } from './codecs/skl.ts'
import { encodeText } from './codecs/strings.ts'
import { withValue } from './codecs/text.ts'
import type { Diagnostic } from '../../../shared/api/errors.ts'
import type { CmsDocument } from './codecs/cms.ts'
import type { MaterialDocument } from './codecs/material.ts'

export function lint(document: Document, model: LintModel): Diagnostic[] {
  const say = new Diagnostics(document.ref)
  switch (document.format) {
    case 'lostsaga.msh':
      lintMesh(document as MshDocument, model, say)
      break
    case 'lostsaga.skl':
      lintSkeleton(document as SklDocument, say)
      break
    case 'lostsaga.ani':
      lintAnimation(document as AniDocument, say)
      break
    case 'lostsaga.material':
      lintMaterial(document as MaterialDocument, model, say)
      break
    case 'lostsaga.cms':
      lintCollision(document as CmsDocument, say)
      break
  }
  return say.list
}

const FIX = {
  indices: { id: 'lostsaga.set-indices', label: 'Set INDICES in the mask' },
  front: { id: 'lostsaga.pack-weights', label: 'Put the weights in front, largest first' },
  sum: { id: 'lostsaga.normalise-weights', label: 'Scale all weights that do not sum to 1' },
  box: { id: 'lostsaga.measure-box', label: 'Measure box and radius again' },
  children: { id: 'lostsaga.children-from-parents', label: 'Write the child lists from the parents' },
  rest: { id: 'lostsaga.unit-rest', label: 'Make the rest rotation unit length' },
  order: { id: 'lostsaga.sort-keys', label: 'Sort the keys by time' },
  unit: { id: 'lostsaga.unit-keys', label: 'Make its rotations unit length' },
  end: { id: 'lostsaga.end-at-last-key', label: 'End the clip at the last key' },
  event: { id: 'lostsaga.event-into-clip', label: 'Move the event into the clip' },
  colour: { id: 'lostsaga.fourth-number', label: 'Add the fourth number' },
} as const

function lintMesh(document: MshDocument, model: LintModel, say: Diagnostics): void {
  const mask = document.masks[0]
  const { places } = document
  if (mask & MASK.weights && !(mask & MASK.indices))
    say.add(
      'warning',
      'lostsaga.weights-without-indices',
      'the mask has WEIGHTS without INDICES; the game’s own files have both',
      'vertexMask',
      12,
      FIX.indices,
    )
  if (!MESH_TYPES[document.meshType]) say.add('warning', 'lostsaga.mesh-type', `mesh type ${document.meshType} is not known`, 'meshType', 8)
  const names = document.boneNames
  names?.forEach((name, i) => {
    if (!name.text)
      say.add(
        'error',
        'lostsaga.empty-bone-name',
        'an empty bone name: tools that drop it shift every later index',
        `bones[${i}]`,
        places.bones,
      )
  })
  if (names) {
    const { stem, has } = bonesFor(
      names.map((n) => n.text),
      document.ref,
      model,
    )
    names.forEach((name, i) => {
      if (name.text && has && !has.has(name.text.toLowerCase()))
        say.add('error', 'lostsaga.unknown-bone', `${name.text} is no bone of ${stem}`, `bones[${i}]`, places.bones)
    })
    lintInfluences(document, names.length, say)
  }
  if (document.controlPoints) lintPoints(document, model, say)
  const v = document.vertexCount
  const faces = faceIndices(document)
  for (let f = 0; f < faces.length; f++) {
    if (faces[f] >= v) {
      say.add(
        'error',
        'lostsaga.index-range',
        `vertex ${faces[f]} of ${v} is used by a face`,
        `faces[${Math.floor(f / 3)}]`,
        places.faces + f * (document.wideFaces ? 4 : 2),
      )
      break
    }
  }
  if (v > 65536)
    say.add('error', 'lostsaga.too-many-vertices', `${v} vertices: faces hold 16-bit numbers`, 'vertexCount', places.vertexCount)
  for (let s = 0; s < document.submeshes.length / 4; s++) {
    const [firstVertex, vertexCount, firstIndex, faceCount] = document.submeshes.subarray(4 * s, 4 * s + 4)
    const at = places.submeshes + 16 * s
    if (firstIndex < 0 || faceCount < 0 || firstIndex + 3 * faceCount > faces.length)
      say.add(
        'error',
        'lostsaga.submesh-faces',
        `faces ${firstIndex / 3} to ${firstIndex / 3 + faceCount} of ${faces.length / 3}`,
        `submeshes[${s}].firstIndex`,
        at + 8,
      )
    else {
      if (firstIndex % 3)
        say.add('warning', 'lostsaga.submesh-faces', 'the first index is not the first of a face', `submeshes[${s}].firstIndex`, at + 8)
      for (let i = firstIndex; i < firstIndex + 3 * faceCount; i++) {
        if (faces[i] < firstVertex || faces[i] >= firstVertex + vertexCount) {
          say.add(
            'error',
            'lostsaga.submesh-vertices',
            `vertex ${faces[i]} is outside the submesh’s ${firstVertex} to ${firstVertex + vertexCount - 1}`,
            `submeshes[${s}].firstVertex`,
            at,
          )
          break
        }
      }
    }
  }
  const script = model.around.byStem(stemOf(document.ref), folderOf(document.ref)).find((f) => f.format === 'lostsaga.material')
  const material = script ? (model.load(script.ref) as MaterialDocument | undefined) : undefined
  if (material && material.materials.length !== document.submeshes.length / 4) {
    say.add(
      'error',
      'lostsaga.material-count',
      `${document.submeshes.length / 4} submeshes, but ${material.materials.length} materials in ${stemOf(material.ref)}.txt`,
      'submeshCount',
      places.box + 28,
    )
  }
  lintBox(document, say)
}

function lintPoints(document: MshDocument, model: LintModel, say: Diagnostics): void {
  const linked = document.controlPoints!.map((p) => p.linkedBone.text)
  const { stem, has } = bonesFor(linked, document.ref, model)
  document.controlPoints!.forEach((point, i) => {
    const bone = point.linkedBone.text
    if (bone && has && !has.has(bone.toLowerCase()))
      say.add(
        'error',
        'lostsaga.unknown-bone',
        `${bone}, which control point ${point.type.text} hangs on, is no bone of ${stem}`,
        `controlPoints[${i}].linkedBone`,
        point.range.start,
      )
    if (!point.position.every(Number.isFinite))
      say.add(
        'error',
        'lostsaga.position-not-finite',
        `control point ${point.type.text} has no finite position`,
        `controlPoints[${i}].position`,
        point.range.end - 12,
      )
  })
}

/** Bones that a mesh can name, lower case, and the skeleton's name for saying; without `has` where no skeleton is known. A linked skeleton's count. */
function bonesFor(names: string[], ref: string, model: LintModel): { stem: string; has?: Set<string> } {
  const members = model.binding?.members ?? []
  const own = members.find((m) => m.role === 'skeleton')?.ref ?? skeletonFor(names, ref, model)
  const documents = [own, ...members.filter((m) => m.role === LINKED_SKELETON).map((m) => m.ref)].flatMap((r) => {
    const document = r ? model.load(r) : undefined
    return document?.format === 'lostsaga.skl' ? [document as SklDocument] : []
  })
  return documents.length
    ? { stem: stemOf(documents[0].ref), has: new Set(documents.flatMap((d) => d.bones.map((b) => b.name.text.toLowerCase()))) }
    : { stem: '' }
}

/** The skeleton that has the first bones of a mesh, when only files are at hand. */
function skeletonFor(names: string[], ref: string, model: LintModel): string | undefined {
  const first = names.find(Boolean)
  return first ? model.around.providing(`lostsaga.bone:${first}`, folderOf(ref)).find((f) => f.format === 'lostsaga.skl')?.ref : undefined
}

function folderOf(ref: string): string {
  return ref.slice(0, Math.max(0, Math.max(ref.lastIndexOf('/'), ref.lastIndexOf('\\'), ref.lastIndexOf('!'))))
}

function lintInfluences(document: MshDocument, bones: number, say: Diagnostics): void {
  let range = -1,
    order = -1,
    sum = -1,
    none = -1
  for (let v = 0; v < document.influences.length / 8; v++) {
    let total = 0
    let ended = false
    for (let s = 0; s < 4; s++) {
      const w = document.influences[8 * v + s],
        b = document.influences[8 * v + 4 + s]
      if (!(w > 0)) ended = true
      else {
        if (ended && order < 0) order = v
        if (!ended) total += w
        if ((!Number.isInteger(b) || b < 0 || b >= bones) && range < 0) range = v
      }
    }
    if (total === 0) {
      if (none < 0) none = v
    } else if (Math.abs(total - 1) > 1e-3 && sum < 0) sum = v
  }
  const at = (v: number): number => document.places.influences + 32 * v
  if (range >= 0)
    say.add(
      'error',
      'lostsaga.influence-range',
      `vertex ${range} names a bone outside the list of ${bones}`,
      `influences[${range}]`,
      at(range),
    )
  if (order >= 0)
    say.add(
      'warning',
      'lostsaga.influence-order',
      `vertex ${order} has a weight behind a zero: the game stops at the zero`,
      `influences[${order}]`,
      at(order),
      FIX.front,
    )
  if (sum >= 0)
    say.add('warning', 'lostsaga.weight-sum', `the weights of vertex ${sum} do not sum to 1`, `influences[${sum}]`, at(sum), FIX.sum)
  if (none >= 0) say.add('warning', 'lostsaga.no-weight', `vertex ${none} has no weight`, `influences[${none}]`, at(none))
}

function lintBox(document: MshDocument, say: Diagnostics): void {
  const { positions, box, radius, places } = document
  if (positions.length === 0) return
  const real = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity]
  for (let i = 0; i < positions.length; i += 3) {
    for (let c = 0; c < 3; c++) {
      if (!Number.isFinite(positions[i + c])) {
        say.add(
          'error',
          'lostsaga.position-not-finite',
          `vertex ${i / 3} has no finite position`,
          `positions[${i / 3}]`,
          places.positions + 4 * i,
        )
        return
      }
      real[c] = Math.min(real[c], positions[i + c])
      real[c + 3] = Math.max(real[c + 3], positions[i + c])
    }
  }
  const diagonal = Math.hypot(real[3] - real[0], real[4] - real[1], real[5] - real[2])
  const tolerance = Math.max(1e-3, diagonal * 1e-4)
  if (real.some((x, c) => Math.abs(x - box[c]) > tolerance))
    say.add('warning', 'lostsaga.bounding-box', 'the bounding box is not that of the positions', 'boundingBox', places.box, FIX.box)
  if (Math.abs(radius[0] - diagonal / 2) > tolerance)
    say.add(
      'warning',
      'lostsaga.bounding-radius',
      `the radius is ${radius[0].toFixed(3)}; half the diagonal of the box is ${(diagonal / 2).toFixed(3)}`,
      'boundingRadius',
      places.box + 24,
      FIX.box,
    )
}

function lintSkeleton(document: SklDocument, say: Diagnostics): void {
  const index = new Map<string, number>()
  document.bones.forEach((bone, i) => {
    const name = bone.name.text.toLowerCase()
    if (!name) say.add('error', 'lostsaga.empty-bone-name', 'a bone has no name', `bones[${i}].name`, bone.range.start)
    else if (index.has(name))
      say.add('error', 'lostsaga.duplicate-bone', `two bones are named ${bone.name.text}`, `bones[${i}].name`, bone.range.start)
    else index.set(name, i)
  })
  document.bones.forEach((bone, i) => {
    const parent = bone.parent.text
    const p = index.get(parent.toLowerCase())
    if (parent !== NO_PARENT && p === undefined)
      say.add('error', 'lostsaga.unknown-parent', `parent ${parent} is no bone`, `bones[${i}].parent`, bone.range.start)
    if (p !== undefined) {
      if (!document.bones[p].children.some((c) => c.text.toLowerCase() === bone.name.text.toLowerCase()))
        say.add(
          'warning',
          'lostsaga.child-list',
          `${bone.name.text} is not in the child list of ${parent}`,
          `bones[${p}].children`,
          document.bones[p].range.start,
          FIX.children,
        )
      if (p >= i)
        say.add(
          'warning',
          'lostsaga.parent-order',
          `parent ${parent} stands after ${bone.name.text}`,
          `bones[${i}].parent`,
          bone.range.start,
        )
    }
    bone.children.forEach((child, c) => {
      const k = index.get(child.text.toLowerCase())
      if (k === undefined)
        say.add(
          'warning',
          'lostsaga.child-list',
          `child ${child.text} is no bone`,
          `bones[${i}].children[${c}]`,
          bone.range.start,
          FIX.children,
        )
      else if (document.bones[k].parent.text.toLowerCase() !== bone.name.text.toLowerCase())
        say.add(
          'warning',
          'lostsaga.child-list',
          `child ${child.text} names another parent`,
          `bones[${i}].children[${c}]`,
          bone.range.start,
          FIX.children,
        )
    })
    const q = bone.transform.subarray(3, 7)
    if (!(Math.abs(Math.hypot(q[0], q[1], q[2], q[3]) - 1) < 1e-2))
      say.add(
        'warning',
        'lostsaga.non-unit-rotation',
        `the rest rotation of ${bone.name.text} has length ${Math.hypot(q[0], q[1], q[2], q[3]).toFixed(3)}`,
        `bones[${i}].localRotation`,
        bone.range.start,
        FIX.rest,
      )
  })
  const offset = bindOffset(document)
  if (offset > 0.5)
    say.add(
      'warning',
      'lostsaga.bind-is-not-rest',
      `the inverse bind matrices and the rest pose differ by up to ${offset.toFixed(2)} units; skinning uses the inverse binds`,
      'bones',
      12,
    )
}

function lintAnimation(document: AniDocument, say: Diagnostics): void {
  const q = [0, 0, 0, 0]
  const seen = new Set<string>()
  document.tracks.forEach((track, i) => {
    const name = track.bone.text.toLowerCase()
    if (!name) say.add('error', 'lostsaga.empty-bone-name', 'a track has no bone', `tracks[${i}].bone`, track.range.start)
    if (seen.has(name))
      say.add('warning', 'lostsaga.duplicate-track', `two tracks move ${track.bone.text}`, `tracks[${i}].bone`, track.range.start)
    seen.add(name)
    let last = -1,
      order = -1,
      backwards = false,
      bad = 0,
      least = Infinity,
      most = 0
    for (let k = 0; k < keyCount(document, track); k++) {
      const time = keyTime(document.coding, track, k)
      if (time <= last && order < 0) order = k
      if (k > 0 && time < last) backwards = true
      last = time
      keyRotation(document.coding, track, k, q)
      const length = Math.hypot(q[0], q[1], q[2], q[3])
      if (!(Math.abs(length - 1) <= 1e-2)) {
        bad++
        least = Math.min(least, length)
        most = Math.max(most, length)
      }
    }
    if (order >= 0)
      say.add(
        'warning',
        'lostsaga.key-order',
        `key ${order} is not later than the one before it`,
        `tracks[${i}].keys[${order}]`,
        track.range.start,
        ...(backwards ? [FIX.order] : []),
      )
    if (bad)
      say.add(
        'info',
        'lostsaga.non-unit-rotation',
        `${bad} rotations of ${track.bone.text} have lengths from ${least.toFixed(3)} to ${most.toFixed(3)}`,
        `tracks[${i}].keys`,
        track.range.start,
        ...(document.coding === 4000 ? [FIX.unit] : []),
      )
    if (last > document.totalTime)
      say.add(
        'warning',
        'lostsaga.key-after-end',
        `the last key of ${track.bone.text} is at ${last} ms, after the end at ${document.totalTime} ms`,
        `tracks[${i}].keys`,
        track.range.start,
        FIX.end,
      )
  })
  document.events.forEach((event, i) => {
    if (!(event.time[0] >= 0) || event.time[0] > document.totalTime)
      say.add(
        'warning',
        'lostsaga.event-time',
        `event ${event.type.text} is at ${event.time[0]} ms, outside 0 to ${document.totalTime}`,
        `events[${i}].time`,
        event.range.end - 4,
        FIX.event,
      )
  })
}

function lintMaterial(document: MaterialDocument, model: LintModel, say: Diagnostics): void {
  document.materials.forEach((block, i) => {
    for (const name of ['ambient', 'diffuse', 'specular', 'emissive'] as const) {
      if (block[name] && block[name].length === 3)
        say.add(
          'warning',
          'lostsaga.colour-of-three',
          `${name} has three numbers; the game’s files have four`,
          `materials[${i}].${name}`,
          document.lines[block.firstLine].start,
          FIX.colour,
        )
    }
    for (const texture of block.textures) {
      if (!model.around.byStem(stemOf(texture.file), folderOf(document.ref)).some((f) => f.kind === 'texture'))
        say.add(
          'warning',
          'lostsaga.texture-missing',
          `texture ${texture.file} was not found`,
          `materials[${i}].texture`,
          document.lines[texture.line].start,
        )
    }
  })
}

function lintCollision(document: CmsDocument, say: Diagnostics): void {
  const v = document.positions.length / 3
  for (let f = 0; f < document.faces.length; f++) {
    if (document.faces[f] >= v) {
      say.add(
        'error',
        'lostsaga.index-range',
        `vertex ${document.faces[f]} of ${v} is used by a face`,
        `faces[${Math.floor(f / 3)}]`,
        16 + 12 * v + 2 * f,
      )
      return
    }
  }
}

// --- fixes -------------------------------------------------------------------------------------------------------

const UNIT = 1e-2

/** Weights of each vertex that the game would see differently, largest first, with their bones. */
function rewriteWeights(
  mesh: MshDocument,
  wanted: (row: { weight: number; bone: number }[]) => boolean,
  change: (row: { weight: number; bone: number }[]) => void,
): void {
  const w = mesh.influences
  for (let v = 0; v < w.length / 8; v++) {
    const row = [0, 1, 2, 3].map((s) => ({ weight: w[8 * v + s], bone: w[8 * v + 4 + s] }))
    if (!wanted(row)) continue
    change(row)
    row.forEach(({ weight, bone }, s) => {
      w[8 * v + s] = weight
      w[8 * v + 4 + s] = bone
    })
  }
}

const read = (row: { weight: number }[]): number => {
  let n = 0
  while (n < row.length && row[n].weight > 0) n++
  return n
}

function unitLength(q: Float32Array): void {
  const length = Math.hypot(...q)
  if (length > 0 && Number.isFinite(length)) for (let c = 0; c < 4; c++) q[c] /= length
  else q.set([0, 0, 0, 1])
}

/** What was not wrong keeps its bytes. */
export const fixes: NonNullable<Family['fixes']> = {
  [FIX.indices.id]: (document) => {
    ;(document as MshDocument).masks[0] |= MASK.indices
  },
  [FIX.front.id]: (document) =>
    rewriteWeights(
      document as MshDocument,
      (row) => row.slice(read(row)).some((x) => x.weight > 0),
      // the sort is stable: equal weights and unused slots keep their order
      (row) => row.sort((a, b) => Math.max(0, b.weight || 0) - Math.max(0, a.weight || 0)),
    ),
  [FIX.sum.id]: (document) => {
    const sumOf = (row: { weight: number }[]): number => row.slice(0, read(row)).reduce((n, x) => n + x.weight, 0)
    rewriteWeights(
      document as MshDocument,
      (row) => sumOf(row) > 0 && Number.isFinite(sumOf(row)) && Math.abs(sumOf(row) - 1) > 1e-3,
      (row) => {
        const sum = sumOf(row)
        for (const x of row.slice(0, read(row))) x.weight /= sum
      },
    )
  },
  [FIX.box.id]: (document) => {
    const { positions, box, radius } = document as MshDocument
    const real = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity]
    for (let i = 0; i < positions.length; i++) {
      real[i % 3] = Math.min(real[i % 3], positions[i])
      real[3 + (i % 3)] = Math.max(real[3 + (i % 3)], positions[i])
    }
    real.forEach((x, c) => box[c] !== x && (box[c] = x))
    radius[0] = Math.hypot(box[3] - box[0], box[4] - box[1], box[5] - box[2]) / 2
  },
  [FIX.children.id]: (document) => {
    const { bones } = document as SklDocument
    const lower = (s: { text: string }): string => s.text.toLowerCase()
    for (const bone of bones) {
      const own = bones.filter((b) => b !== bone && lower(b.parent) === lower(bone.name))
      // what is right keeps its place in the list
      const kept = bone.children.filter(
        (c, i) => own.some((b) => lower(b.name) === lower(c)) && bone.children.findIndex((d) => lower(d) === lower(c)) === i,
      )
      bone.children = [...kept, ...own.filter((b) => !kept.some((c) => lower(c) === lower(b.name))).map((b) => b.name)]
    }
  },
  [FIX.rest.id]: (document, diagnostic) => {
    const bone = (document as SklDocument).bones[numberIn(diagnostic.path, 'bones') ?? -1]
    if (bone) unitLength(bone.transform.subarray(LOCAL_ROTATION, LOCAL_ROTATION + 4))
  },
  [FIX.order.id]: (document, diagnostic) => {
    const { tracks, coding } = document as AniDocument
    const track = tracks[numberIn(diagnostic.path, 'tracks') ?? -1]
    if (!track) return
    const stride = strideOf(coding),
      before = track.words.slice()
    const order = Array.from({ length: keyCount(document as AniDocument, track) }, (_, k) => k).sort(
      (a, b) => keyTime(coding, track, a) - keyTime(coding, track, b) || a - b,
    )
    order.forEach((from, to) => track.words.set(before.subarray(from * stride, (from + 1) * stride), to * stride))
  },
  [FIX.unit.id]: (document, diagnostic) => {
    const { tracks, coding } = document as AniDocument
    const track = tracks[numberIn(diagnostic.path, 'tracks') ?? -1]
    if (!track || coding !== 4000) return
    const stride = strideOf(coding)
    for (let k = 0; k < track.words.length; k += stride) {
      const q = track.floats.subarray(k, k + 4)
      if (!(Math.abs(Math.hypot(...q) - 1) <= UNIT)) unitLength(q)
    }
  },
  [FIX.end.id]: (document) => {
    const clip = document as AniDocument
    for (const track of clip.tracks) {
      const n = keyCount(clip, track)
      for (let k = 0; k < n; k++) clip.totalTime = Math.max(clip.totalTime, keyTime(clip.coding, track, k))
    }
  },
  [FIX.event.id]: (document, diagnostic) => {
    const { events, totalTime } = document as AniDocument
    const event = events[numberIn(diagnostic.path, 'events') ?? -1]
    if (event) event.time[0] = event.time[0] > totalTime ? Math.max(0, totalTime) : 0
  },
  [FIX.colour.id]: (document, diagnostic) => {
    const script = document as MaterialDocument
    const { name } = lastStep(diagnostic.path)
    const block = script.materials[numberIn(diagnostic.path, 'materials') ?? -1]
    if (!block) return
    for (let i = block.firstLine; i <= block.lastLine; i++) {
      const line = script.lines[i]
      if (line.words[0] !== name || line.words.length !== 4) continue
      // colours of 0 to 255 are told by a number above 1, as the scene takes them
      const opaque = line.words.slice(1).some((w) => Number(w) > 1) ? '255' : '1'
      script.lines[i] = withValue(line, encodeText(`${line.words.slice(1).join(' ')} ${opaque}`).raw, '//')
    }
  },
}
