/** Mask, faces, submeshes, control points and box of a mesh; faces of a collision mesh. */
import { stemOf } from '../../../../shared/ref.ts'
import { fix, type Rule } from '../../lint.ts'
import { faceIndices, MASK, MESH_TYPES, type MshDocument } from '../codecs/msh.ts'
import { bonesFor, folderOf } from './lookup.ts'
import type { CmsDocument } from '../codecs/cms.ts'
import type { MaterialDocument } from '../codecs/material.ts'

export const FIX = {
  indices: fix<MshDocument>('lostsaga.set-indices', 'Set INDICES in the mask', (document) => {
    document.masks[0] |= MASK.indices
  }),
  box: fix<MshDocument>('lostsaga.measure-box', 'Measure box and radius again', (document) => {
    const { positions, box, radius } = document
    const real = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity]
    for (let i = 0; i < positions.length; i++) {
      real[i % 3] = Math.min(real[i % 3], positions[i])
      real[3 + (i % 3)] = Math.max(real[3 + (i % 3)], positions[i])
    }
    real.forEach((x, c) => box[c] !== x && (box[c] = x))
    radius[0] = Math.hypot(box[3] - box[0], box[4] - box[1], box[5] - box[2]) / 2
  }),
}

export const header: Rule<MshDocument> = (document, report) => {
  const mask = document.masks[0]
  if (mask & MASK.weights && !(mask & MASK.indices))
    report.say(
      'warning',
      'weights-without-indices',
      'the mask has WEIGHTS without INDICES; the game’s own files have both',
      'vertexMask',
      12,
      FIX.indices,
    )
  if (!MESH_TYPES[document.meshType]) report.say('warning', 'mesh-type', `mesh type ${document.meshType} is not known`, 'meshType', 8)
}

/** Control points hang on bones and have a place. */
export const points: Rule<MshDocument> = (document, report, model) => {
  if (!document.controlPoints) return
  const linked = document.controlPoints.map((p) => p.linkedBone.text)
  const { stem, has } = bonesFor(linked, document.ref, model)
  document.controlPoints.forEach((point, i) => {
    const bone = point.linkedBone.text
    if (bone && has && !has.has(bone.toLowerCase()))
      report.say(
        'error',
        'unknown-bone',
        `${bone}, which control point ${point.type.text} hangs on, is no bone of ${stem}`,
        `controlPoints[${i}].linkedBone`,
        point.range.start,
      )
    if (!point.position.every(Number.isFinite))
      report.say(
        'error',
        'position-not-finite',
        `control point ${point.type.text} has no finite position`,
        `controlPoints[${i}].position`,
        point.range.end - 12,
      )
  })
}

/** Faces and submeshes stay within the mesh. */
export const faces: Rule<MshDocument> = (document, report) => {
  const { places } = document
  const v = document.vertexCount
  const corners = faceIndices(document)
  for (let f = 0; f < corners.length; f++) {
    if (corners[f] >= v) {
      report.say(
        'error',
        'index-range',
        `vertex ${corners[f]} of ${v} is used by a face`,
        `faces[${Math.floor(f / 3)}]`,
        places.faces + f * (document.wideFaces ? 4 : 2),
      )
      break
    }
  }
  if (v > 65536) report.say('error', 'too-many-vertices', `${v} vertices: faces hold 16-bit numbers`, 'vertexCount', places.vertexCount)
  for (let s = 0; s < document.submeshes.length / 4; s++) {
    const [firstVertex, vertexCount, firstIndex, faceCount] = document.submeshes.subarray(4 * s, 4 * s + 4)
    const at = places.submeshes + 16 * s
    if (firstIndex < 0 || faceCount < 0 || firstIndex + 3 * faceCount > corners.length)
      report.say(
        'error',
        'submesh-faces',
        `faces ${firstIndex / 3} to ${firstIndex / 3 + faceCount} of ${corners.length / 3}`,
        `submeshes[${s}].firstIndex`,
        at + 8,
      )
    else {
      if (firstIndex % 3)
        report.say('warning', 'submesh-faces', 'the first index is not the first of a face', `submeshes[${s}].firstIndex`, at + 8)
      for (let i = firstIndex; i < firstIndex + 3 * faceCount; i++) {
        if (corners[i] < firstVertex || corners[i] >= firstVertex + vertexCount) {
          report.say(
            'error',
            'submesh-vertices',
            `vertex ${corners[i]} is outside the submesh’s ${firstVertex} to ${firstVertex + vertexCount - 1}`,
            `submeshes[${s}].firstVertex`,
            at,
          )
          break
        }
      }
    }
  }
}

/** The material script has a block for each submesh. */
export const materialCount: Rule<MshDocument> = (document, report, model) => {
  const script = model.around.byStem(stemOf(document.ref), folderOf(document.ref)).find((f) => f.format === 'lostsaga.material')
  const material = script ? (model.load(script.ref) as MaterialDocument | undefined) : undefined
  if (material && material.materials.length !== document.submeshes.length / 4) {
    report.say(
      'error',
      'material-count',
      `${document.submeshes.length / 4} submeshes, but ${material.materials.length} materials in ${stemOf(material.ref)}.txt`,
      'submeshCount',
      document.places.box + 28,
    )
  }
}

/** Box and radius are those of the positions. */
export const box: Rule<MshDocument> = (document, report) => {
  const { positions, box: stored, radius, places } = document
  if (positions.length === 0) return
  const real = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity]
  for (let i = 0; i < positions.length; i += 3) {
    for (let c = 0; c < 3; c++) {
      if (!Number.isFinite(positions[i + c])) {
        report.say(
          'error',
          'position-not-finite',
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
  if (real.some((x, c) => Math.abs(x - stored[c]) > tolerance))
    report.say('warning', 'bounding-box', 'the bounding box is not that of the positions', 'boundingBox', places.box, FIX.box)
  if (Math.abs(radius[0] - diagonal / 2) > tolerance)
    report.say(
      'warning',
      'bounding-radius',
      `the radius is ${radius[0].toFixed(3)}; half the diagonal of the box is ${(diagonal / 2).toFixed(3)}`,
      'boundingRadius',
      places.box + 24,
      FIX.box,
    )
}

export const collision: Rule<CmsDocument> = (document, report) => {
  const v = document.positions.length / 3
  for (let f = 0; f < document.faces.length; f++) {
    if (document.faces[f] >= v) {
      report.say(
        'error',
        'index-range',
        `vertex ${document.faces[f]} of ${v} is used by a face`,
        `faces[${Math.floor(f / 3)}]`,
        16 + 12 * v + 2 * f,
      )
      return
    }
  }
}
