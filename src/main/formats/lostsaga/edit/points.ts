/** Control points of MSH behind the interface that all families share. Their place is relative to the linked bone (docs/formats/lostsaga.md, "MSH"). */
import { addressOf, jointAt, notHere, numberIn, readAddress } from '../../address.ts'
import { FormatError } from '../../../binary/format-error.ts'
import { invertAffine, multiply } from '../../../../shared/scene/matrix.ts'
import { updateWorld } from '../../../../shared/scene/pose.ts'
import { boneNameOf } from './skeleton.ts'
import { encodeText } from '../codecs/strings.ts'
import { say } from '../texts/index.ts'
import type { ControlPoint, MshDocument } from '../codecs/msh.ts'
import type { EditSession, OpenDocuments, PointEditor } from '../../editing.ts'

/** Version of a mesh that has control points; 2000 and 2001 have the same layout without them. */
const WITH_POINTS = 2002

/** Fields that hold words. */
const WORDS = ['type', 'linkedBone', 'extra'] as const
type WordKey = (typeof WORDS)[number]
const isWord = (key: string): key is WordKey => (WORDS as readonly string[]).includes(key)

/** `ref#controlPoints[3]` taken apart. */
function pointId(id: string): { ref: string; index: number } {
  const { ref, path } = readAddress(id, 'controlPoint')
  return { ref, index: numberIn(path, 'controlPoints') ?? notHere('controlPoint', id) }
}

const idOf = (ref: string, index: number): string => addressOf(ref, `controlPoints[${index}]`)

function meshOf(model: OpenDocuments, ref: string): MshDocument {
  const document = model.document(ref)
  if (document?.format !== 'lostsaga.msh') notHere('mesh', ref, ref)
  return document as MshDocument
}

/** Points of a mesh for writing. */
function pointsOf(session: EditSession, id: string): { points: ControlPoint[]; point: ControlPoint; index: number; ref: string } {
  const { ref, index } = pointId(id)
  meshOf(session, ref)
  const points = session.edit<MshDocument>(ref).controlPoints ?? []
  const point = points[index]
  if (!point) notHere('controlPoint', index)
  return { points, point, index, ref }
}

/** Why a mesh cannot hold points, empty when it can. */
function refusal(document: MshDocument): string {
  if (document.readOnly) return document.readOnly
  if (document.version < 2000 || document.version > WITH_POINTS) return say('edit.points.unknownVersion', { version: document.version })
  if (!document.controlPoints && document.trailing.length) return say('edit.points.unknownBytes')
  return ''
}

/** @param slack differences up to it are none: those numbers keep their bits */
function setPosition(point: ControlPoint, values: ArrayLike<number>, slack = 0): void {
  for (let c = 0; c < 3; c++) {
    const value = Math.fround(values[c])
    if (!Number.isFinite(value)) throw new FormatError('invalid-edit', say('edit.points.finitePlace'))
    if (point.position[c] !== value && !(Math.abs(point.position[c] - value) <= slack)) point.position[c] = value
  }
}

/** What a place loses on its way through the matrices of a pose, in centimetres: a drag along one axis leaves the other numbers alone. */
const POSE_ROUNDING = 1e-4

/** The numbers for another bone that show the point where it is at rest. A name that is no bone has no place: the numbers stay then. */
function stayInPlace(session: EditSession, point: ControlPoint, bone: string): void {
  const { skeleton } = session.assembled.scene
  const jointOf = (name: string): number => skeleton.names.findIndex((n) => n.toLowerCase() === name.toLowerCase())
  const from = jointOf(point.linkedBone.text)
  const to = jointOf(bone)
  if (from < 0 || to < 0 || from === to || !point.position.every(Number.isFinite)) return
  const world = new Float32Array(16 * skeleton.count)
  updateWorld(skeleton, skeleton.restLocal, world)
  const way = new Float64Array(16)
  if (!invertAffine(way, 0, world, 16 * to)) return
  multiply(way, 0, way, 0, world, 16 * from)
  const [x, y, z] = native(point.position)
  setPosition(point, native([0, 1, 2].map((c) => way[c] * x + way[4 + c] * y + way[8 + c] * z + way[12 + c])), POSE_ROUNDING)
}

/** Z of the scene is turned round, see basis.ts. */
const AXES = [1, 1, -1] as const
const native = (center: ArrayLike<number>): number[] => AXES.map((sign, c) => 0 + sign * center[c])

export const points: PointEditor = {
  list(model) {
    const meshes = model.binding.members
      .filter((m) => m.role === 'mesh')
      .flatMap((m) => {
        const document = model.document(m.ref)
        return document?.format === 'lostsaga.msh' ? [document as MshDocument] : []
      })
    const { helpers } = model.assembled.scene
    return {
      points: meshes.flatMap((document) =>
        (document.controlPoints ?? []).map((point, i) => ({
          id: idOf(document.ref, i),
          ref: document.ref,
          helper: helpers.findIndex((h) => h.source.ref === document.ref && h.source.path === `controlPoints[${i}]`),
          fields: [
            ...WORDS.map((key) => ({
              key,
              label: say(`edit.points.${key}`),
              value: point[key].text,
              joint: key === 'linkedBone',
              note: key === 'extra' ? say('edit.points.extraNote') : undefined,
            })),
            {
              key: 'position',
              label: say('edit.points.position'),
              value: Array.from(point.position),
              place: AXES,
              note: say('edit.points.positionNote'),
            },
          ],
        })),
      ),
      places: meshes.map((document) => ({
        ref: document.ref,
        refused: refusal(document),
        note: document.controlPoints ? '' : say('edit.points.becomes', { version: WITH_POINTS }),
      })),
    }
  },

  add(session, ref, joint, center) {
    const refused = refusal(meshOf(session, ref))
    if (refused) throw new FormatError('invalid-edit', refused)
    if (joint >= 0) jointAt(session, joint)
    const document = session.edit<MshDocument>(ref)
    const point: ControlPoint = {
      type: encodeText('point'),
      linkedBone: boneNameOf(session, joint),
      extra: encodeText(''),
      position: new Float32Array(3),
      range: { start: 0, end: 0 },
    }
    setPosition(point, native(center))
    document.version = WITH_POINTS
    document.controlPoints = [...(document.controlPoints ?? []), point]
    return idOf(ref, document.controlPoints.length - 1)
  },

  set(session, id, key, value, { keepPlace }) {
    const { point } = pointsOf(session, id)
    if (key === 'linkedBone' && keepPlace && typeof value === 'string') stayInPlace(session, point, value)
    if (key === 'position' && Array.isArray(value) && value.length === 3) setPosition(point, value)
    else if (isWord(key) && typeof value === 'string') {
      if (point[key].text !== value) point[key] = encodeText(value)
    } else throw new FormatError('invalid-edit', say('edit.points.noField', { key }))
  },

  place(session, id, center) {
    setPosition(pointsOf(session, id).point, native(center), POSE_ROUNDING)
  },

  remove(session, id) {
    const { points: list, index } = pointsOf(session, id)
    list.splice(index, 1)
  },

  duplicate(session, id) {
    const { points: list, point, index, ref } = pointsOf(session, id)
    list.splice(index + 1, 0, { ...point, position: point.position.slice() })
    return idOf(ref, index + 1)
  },
}
