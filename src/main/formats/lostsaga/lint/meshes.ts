/** Mask, faces, submeshes, control points and box of a mesh; faces of a collision mesh. */
import { baseName, folderOf, stemOf } from '../../../../shared/ref.ts'
import { fix } from '../../lint.ts'
import { faceIndices, isMeshType, MASK, type MshDocument } from '../codecs/msh.ts'
import { bonesFor } from './lookup.ts'
import { say } from '../texts/index.ts'
import { length3 } from '../../../../shared/scene/length.ts'
import type { Rule } from '../rules.ts'
import type { CmsDocument } from '../codecs/cms.ts'
import type { MaterialDocument } from '../codecs/material.ts'

export const FIX = {
  indices: fix<MshDocument>(
    'lostsaga.set-indices',
    () => say('lint.setIndices'),
    (document) => {
      document.masks[0] |= MASK.indices
    },
  ),
  winding: fix<MshDocument>(
    'lostsaga.turn-faces',
    () => say('lint.turnFaces'),
    (document) => {
      const corners = faceIndices(document)
      for (let f = 0; f + 2 < corners.length; f += 3) {
        if (windingOf(document, corners, f) >= 0) continue
        const faces = document.wideFaces ?? document.faces
        const second = faces[f + 1]
        faces[f + 1] = faces[f + 2]
        faces[f + 2] = second
      }
    },
  ),
  box: fix<MshDocument>(
    'lostsaga.measure-box',
    () => say('lint.measureBox'),
    (document) => {
      const { positions, box, radius } = document
      const real = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity]
      for (let i = 0; i < positions.length; i++) {
        real[i % 3] = Math.min(real[i % 3], positions[i])
        real[3 + (i % 3)] = Math.max(real[3 + (i % 3)], positions[i])
      }
      real.forEach((x, c) => box[c] !== x && (box[c] = x))
      radius[0] = length3(box[3] - box[0], box[4] - box[1], box[5] - box[2]) / 2
    },
  ),
}

export const header: Rule<MshDocument> = (document, report) => {
  const mask = document.masks[0]
  if (mask & MASK.weights && !(mask & MASK.indices))
    report.say('weights-without-indices', say('lint.weightsWithoutIndices'), 'vertexMask', 12, FIX.indices)
  if (!isMeshType(document.meshType)) report.say('mesh-type', say('lint.meshType', { type: document.meshType }), 'meshType', 8)
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
        'unknown-bone',
        say('lint.pointBone', { bone, point: point.type.text, skeleton: stem }),
        `controlPoints[${i}].linkedBone`,
        point.range.start,
      )
    if (!point.position.every(Number.isFinite))
      report.say(
        'position-not-finite',
        say('lint.pointNotFinite', { point: point.type.text }),
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
        'index-range',
        say('lint.indexRange', { vertex: corners[f], vertices: v }),
        `faces[${Math.floor(f / 3)}]`,
        places.faces + f * (document.wideFaces ? 4 : 2),
      )
      break
    }
  }
  if (v > 65536) report.say('too-many-vertices', say('lint.tooManyVertices', { count: v }), 'vertexCount', places.vertexCount)
  for (let s = 0; s < document.submeshes.length / 4; s++) {
    const [firstVertex, vertexCount, firstIndex, faceCount] = document.submeshes.subarray(4 * s, 4 * s + 4)
    const at = places.submeshes + 16 * s
    if (firstIndex < 0 || faceCount < 0 || firstIndex + 3 * faceCount > corners.length)
      report.say(
        'submesh-faces',
        say('lint.submeshFaces', { from: firstIndex / 3, to: firstIndex / 3 + faceCount, faces: corners.length / 3 }),
        `submeshes[${s}].firstIndex`,
        at + 8,
      )
    else {
      if (firstIndex % 3) report.as('warning', 'submesh-faces', say('lint.firstIndex'), `submeshes[${s}].firstIndex`, at + 8)
      for (let i = firstIndex; i < firstIndex + 3 * faceCount; i++) {
        if (corners[i] < firstVertex || corners[i] >= firstVertex + vertexCount) {
          report.say(
            'submesh-vertices',
            say('lint.submeshVertices', { vertex: corners[i], first: firstVertex, last: firstVertex + vertexCount - 1 }),
            `submeshes[${s}].firstVertex`,
            at,
          )
          break
        }
      }
    }
  }
}

/** Positive where the front of a triangle is on the side of its normals: clockwise, in the left-handed frame of the files. */
function windingOf({ positions, normals }: MshDocument, corners: ArrayLike<number>, f: number): number {
  const [a, b, c] = [3 * corners[f], 3 * corners[f + 1], 3 * corners[f + 2]]
  let sum = 0
  for (let i = 0; i < 3; i++) {
    const j = (i + 1) % 3
    const k = (i + 2) % 3
    const side =
      (positions[b + j] - positions[a + j]) * (positions[c + k] - positions[a + k]) -
      (positions[b + k] - positions[a + k]) * (positions[c + j] - positions[a + j])
    sum += side * (normals[a + i] + normals[b + i] + normals[c + i])
  }
  return sum
}

/** Faces show their fronts: a few that turn the other way are hard edges, most of them a mirrored export. */
export const winding: Rule<MshDocument> = (document, report) => {
  const corners = faceIndices(document)
  const all = corners.length / 3
  if (all > MANY_FACES) report.say('many-faces', say('lint.manyFaces', { count: all }), 'faces', document.places.faces)
  const name = baseName(document.ref)
  if (name !== name.toLowerCase()) report.say('file-case', say('lint.fileCase'))
  if (document.normals.length !== document.positions.length || document.normals.length === 0) return
  let against = 0
  for (let f = 0; f < corners.length; f += 3)
    if (Math.max(corners[f], corners[f + 1], corners[f + 2]) < document.vertexCount && windingOf(document, corners, f) < 0) against++
  if (against > all / 2)
    report.say('face-winding', say('lint.faceWinding', { count: against, all }), 'faces', document.places.faces, FIX.winding)
}

const MANY_FACES = 20_000

/** The material script has a block for each submesh. */
export const materialCount: Rule<MshDocument> = (document, report, model) => {
  const script = model.around.byStem(stemOf(document.ref), folderOf(document.ref)).find((f) => f.format === 'lostsaga.material')
  const material = script ? (model.load(script.ref) as MaterialDocument | undefined) : undefined
  if (material && material.materials.length !== document.submeshes.length / 4) {
    report.say(
      'material-count',
      say('lint.materialCount', {
        submeshes: document.submeshes.length / 4,
        materials: material.materials.length,
        script: stemOf(material.ref),
      }),
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
        report.say('position-not-finite', say('lint.positionNotFinite', { vertex: i / 3 }), `positions[${i / 3}]`, places.positions + 4 * i)
        return
      }
      real[c] = Math.min(real[c], positions[i + c])
      real[c + 3] = Math.max(real[c + 3], positions[i + c])
    }
  }
  const diagonal = length3(real[3] - real[0], real[4] - real[1], real[5] - real[2])
  const tolerance = Math.max(1e-3, diagonal * 1e-4)
  if (real.some((x, c) => Math.abs(x - stored[c]) > tolerance))
    report.say('bounding-box', say('lint.boundingBox'), 'boundingBox', places.box, FIX.box)
  if (Math.abs(radius[0] - diagonal / 2) > tolerance)
    report.say(
      'bounding-radius',
      say('lint.boundingRadius', { radius: radius[0].toFixed(3), half: (diagonal / 2).toFixed(3) }),
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
        'index-range',
        say('lint.indexRange', { vertex: document.faces[f], vertices: v }),
        `faces[${Math.floor(f / 3)}]`,
        16 + 12 * v + 2 * f,
      )
      return
    }
  }
}
