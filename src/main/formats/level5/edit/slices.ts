/** Windows in the CFG: a KEY per slice. The position in its list is the game's motion number, so nothing is sorted or dropped. */
import { refuse } from '../../editing.ts'
import { clipAt, notFound, notHere, numberIn } from '../../address.ts'
import { encodeDocument } from '../../format.ts'
import { stemOf } from '../../../../shared/ref.ts'
import { rotationFromScene } from '../scene/basis.ts'
import { NAME_BYTES, insertKey, insertLine, keyLine, lineEnd, moveKey, removeKey, setKey } from '../codecs/cfg-keys.ts'
import { cfgMotions, keyAt } from '../codecs/cfg-motions.ts'
import { concat } from '../../../binary/concat.ts'
import { motFormat } from '../codecs/mot.ts'
import { encodeText } from '../codecs/names.ts'
import { TRACK_TYPE } from '../codecs/track-types.ts'
import { cutWindow, pasteWindow } from './window.ts'
import { say } from '../texts/index.ts'
import type { CfgDocument } from '../codecs/cfg-text.ts'
import type { MotDocument } from '../codecs/mot.ts'
import type { TrackNode } from '../codecs/tracks.ts'
import type { EditSession, OpenDocuments, SliceEditor, SliceValues } from '../../editing.ts'
import type { SliceFinding } from '../../../../shared/api/types/slices.ts'
import type { Slice } from '../../../../shared/scene/types.ts'

function scripts(model: OpenDocuments): CfgDocument[] {
  return model.binding.members.flatMap((m) => {
    const document = model.document(m.ref)
    return document?.format === 'level5.cfg' && !document.readOnly ? [document as CfgDocument] : []
  })
}

function sliceAt(model: OpenDocuments, index: number): Slice {
  return model.assembled.scene.slices[index] ?? notHere('window', index)
}

/** The KEY of a slice in a document for writing. */
function keyOf(session: EditSession, slice: Slice): { document: CfgDocument } & NonNullable<ReturnType<typeof keyAt>> {
  const document = session.edit<CfgDocument>(slice.source.ref)
  const found = keyAt(document, slice.source.path)
  return found ? { document, ...found } : notFound(say('edit.slices.noKey', { key: slice.source.path }), slice.source.ref)
}

function checkValues(model: OpenDocuments, values: SliceValues): SliceFinding[] {
  const out: SliceFinding[] = []
  const error = (field: SliceFinding['field'], message: string): number => out.push({ severity: 'error', field, message })
  const warning = (field: SliceFinding['field'], message: string): number => out.push({ severity: 'warning', field, message })
  for (const field of ['start', 'end'] as const) {
    if (!Number.isInteger(values[field])) error(field, say(`edit.slices.noWholeFrame.${field}`))
    else if (values[field] < 0) error(field, say(`edit.slices.beforeZero.${field}`))
  }
  if (!Number.isFinite(values.speed)) error('speed', say('edit.slices.noSpeed'))
  if (values.end < values.start) error('end', say('slicesFile.endBeforeStart'))
  const last = model.assembled.scene.clips.reduce((most, clip) => (clip.tracks.length ? Math.max(most, clip.end) : most), 0)
  if (last > 0 && values.end > last) warning('end', say('edit.slices.lastKey', { frame: last }))
  if (values.speed === 0 && values.end > values.start) warning('speed', say('edit.slices.standsStill'))
  if (values.speed < 0) warning('speed', say('edit.slices.negativeSpeed'))
  try {
    const length = encodeText(values.name).length
    if (scripts(model)[0]?.dialect === 'dc2' && length > NAME_BYTES)
      warning('name', say('edit.slices.longName', { count: length, most: NAME_BYTES }))
  } catch (e) {
    error('name', (e as Error).message)
  }
  if (/[\r\n]/.test(values.name)) error('name', say('edit.slices.nameOfOneLine'))
  return out
}

/** MOTION block of a clip in a script: by the name of its file. */
function motionOf(model: OpenDocuments, document: CfgDocument, clip: number): number {
  const target = model.assembled.scene.clips[clip]
  const motions = cfgMotions(document)
  if (!target) return -1
  if (target.source.ref === document.ref) return numberIn(target.source.path, 'motions') ?? -1
  const named = motions.findIndex((m) => m.mot && stemOf(m.mot) === stemOf(target.source.ref))
  return named >= 0 ? named : motions.length === 1 ? 0 : -1
}

export const slices: SliceEditor = {
  limits(model) {
    const [script] = scripts(model)
    // DC1 keeps the name in a comment: any length
    return {
      native: script !== undefined,
      named: true,
      nameBytes: script?.dialect === 'dc2' ? NAME_BYTES : 0,
      integerFrames: true,
      unit: 'frame',
      // frames per tick, about what windows of the games' own have
      newSpeed: 0.5,
    }
  },

  check: checkValues,

  add(session, at, clip, values) {
    clipAt(session, clip)
    refuseErrors(session, values)
    const script = scripts(session).find((document) => motionOf(session, document, clip) >= 0) ?? refuse(say('edit.slices.noMotion'))
    const motion = motionOf(session, script, clip)
    const place = session.assembled.scene.slices.filter(
      (slice, i) => i < at && slice.source.ref === script.ref && slice.source.path.startsWith(`motions[${motion}].`),
    ).length
    const document = session.edit<CfgDocument>(script.ref)
    const block = cfgMotions(document)[motion]
    if (!block.keyStart && block.statement) {
      // without KEY_START the engine does not look for windows
      const dc2 = document.dialect === 'dc2'
      const lines = dc2 ? ['KEY_START;', 'KEY_END;'] : [`KEY_START ${block.number}`]
      insertLine(
        document,
        block,
        0,
        concat(
          Uint8Array,
          lines.flatMap((line) => [encodeText(line), lineEnd(document)]),
        ),
      )
    }
    insertKey(document, motion, place, values)
  },

  set(session, index, values) {
    const { document, key } = keyOf(session, sliceAt(session, index))
    // a window that is odd already may still be renamed: only what changes is judged
    const touched = (['start', 'end', 'speed', 'name'] as const).filter((k) => values[k] !== undefined && values[k] !== key[k])
    if (!touched.length) return
    const next = { name: key.name, start: key.start, end: key.end, speed: key.speed, ...values }
    refuseErrors(session, touched.includes('start') || touched.includes('end') ? next : { ...next, start: 1, end: 1 })
    setKey(document, key, values)
  },

  remove(session, index) {
    const { document, key } = keyOf(session, sliceAt(session, index))
    removeKey(document, key)
  },

  move(session, from, to) {
    const target = sliceAt(session, to)
    const { document, motionIndex, keyIndex } = keyOf(session, sliceAt(session, from))
    const there = target.source.ref === document.ref ? keyAt(document, target.source.path) : undefined
    if (!there || there.motionIndex !== motionIndex) refuse(say('edit.slices.otherList'))
    moveKey(document, motionIndex, keyIndex, there.keyIndex)
  },

  duplicate(session, index) {
    const { document, motion, key, keyIndex } = keyOf(session, sliceAt(session, index))
    insertLine(document, motion, keyIndex + 1, keyLine(document, key))
  },

  extract(model, slice) {
    const clip = model.assembled.scene.clips[slice.clip]
    const document = clip && model.document(clip.source.ref)
    if (document?.format !== 'level5.mot') return refuse(say('edit.slices.noAnimation'))
    const window = cutWindow(document as MotDocument, Math.round(slice.start), Math.round(slice.end))
    const label = slice.name || `${slice.start}-${slice.end}`
    return { name: `${clip.name}_${label}.mot`, bytes: encodeDocument(motFormat, window).bytes.slice() }
  },

  replaceWindow(session, slice, bytes) {
    const clip = session.assembled.scene.clips[slice.clip]
    if (!clip || session.document(clip.source.ref)?.format !== 'level5.mot') refuse(say('edit.slices.noAnimation'))
    const window = motFormat.decode(bytes, 'window.mot')
    const master = session.edit<MotDocument>(clip.source.ref)
    pasteWindow(master, Math.round(slice.start), Math.round(slice.end), window, restOf(session))
  },
}

/** What a node has where no track says otherwise, in the values of a track; undefined where that is not known. */
export function restOf({ assembled }: OpenDocuments): (track: TrackNode) => number[] | undefined {
  const { skeleton } = assembled.scene
  const jointOf = new Map(Array.from(skeleton.nativeIndex, (native, joint) => [native, joint]))
  return ({ node, type }) => {
    const j = jointOf.get(node)
    if (j === undefined) return undefined
    if (type === TRACK_TYPE.translation) return [...skeleton.restTranslation.subarray(3 * j, 3 * j + 3)]
    if (type === TRACK_TYPE.scale) return [...skeleton.restScale.subarray(3 * j, 3 * j + 3)]
    if (type === TRACK_TYPE.rotation) {
      const q = [0, 0, 0, 1]
      rotationFromScene(q, 0, skeleton.restRotation, 4 * j)
      return q
    }
    return type === TRACK_TYPE.visibility || type === TRACK_TYPE.visibilityTree ? [1] : undefined
  }
}

function refuseErrors(model: OpenDocuments, values: SliceValues): void {
  const wrong = checkValues(model, values).find((c) => c.severity === 'error')
  if (wrong) refuse(wrong.message)
}
