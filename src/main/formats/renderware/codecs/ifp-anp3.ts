/** ANP3 of San Andreas, and ANP2: records with their keys behind them. Times are i16 in 1/60 s where keys are packed. */
import { chars, fourcc, i32, named, record, u32 } from '../../../binary/layout.ts'
import { structural } from '../../../binary/field-use.ts'
import { KEY_TYPES, NOTHING, withColumns } from './ifp-bones.ts'
import { say } from '../texts/index.ts'
import type { Reader } from '../../../binary/reader.ts'
import type { Diagnostics } from '../../format.ts'
import type { Writer } from '../../../binary/writer.ts'
import type { IfpDocument, IfpAnimation, IfpBone } from './ifp-bones.ts'

/** Bytes per key: 1 f32 q[4] time; 2 f32 q[4] t[3] time as below; 3 i16 q[4] time; 4 i16 q[4] time t[3]. */
const ANP3_KEY_BYTES: Readonly<Record<number, number>> = { 1: 20, 2: 32, 3: 10, 4: 16 }

export const ANP3_HEAD = record(
  { kind: named('magic', fourcc), size: structural(u32), name: chars(24), numAnimations: named('numAnims', structural(u32)) },
  { notes: { size: (size: number) => say('codecs.sizeWithoutTail', { count: 8 + size }) } },
)
export const ANP2_ANIMATION = record({ name: chars(24), numBones: structural(u32), keyBytes: structural(u32) })
export const ANP3_ANIMATION = record(
  { name: chars(24), numBones: structural(u32), keyBytes: structural(u32), flags: u32 },
  { notes: { flags: () => say('codecs.compressed') } },
)

/** A bone up to its keys. */
export const ANP3_BONE = record(
  { name: chars(24), type: structural(u32), numKeys: structural(u32), boneId: i32 },
  { notes: { type: (type: number) => KEY_TYPES[type], boneId: (id: number) => (id < 0 ? say('codecs.matchedByName') : undefined) } },
)

/** @param r at the magic */
export function readAnp3(r: Reader, kind: 'ANP3' | 'ANP2', diagnostics: Diagnostics): IfpDocument {
  const { size, name, numAnimations } = ANP3_HEAD.read(r)
  r.count(numAnimations, (kind === 'ANP3' ? ANP3_ANIMATION : ANP2_ANIMATION).size, 'numAnims')
  const animations: IfpAnimation[] = []
  for (let a = 0; a < numAnimations; a++) animations.push(r.within(`animations[${a}]`, () => readAnimation(r, kind, diagnostics)))
  const declared = 8 + size
  const end = r.position
  const slackEnd = declared > end && declared <= r.end ? declared : end
  const slack = slackEnd > end ? r.take(slackEnd - end) : NOTHING
  if (declared !== slackEnd)
    diagnostics.add('warning', 'renderware.ifp-size', say('codecs.ifpSize', { count: size, end: end - 8 }), 'size', 4)
  const trailing = r.remaining ? r.rest() : NOTHING
  if (trailing.length)
    diagnostics.add('info', 'renderware.stale-tail', say('codecs.staleTail', { count: trailing.length }), 'trailing', slackEnd)
  return {
    format: 'renderware.ifp',
    ref: r.file,
    diagnostics: diagnostics.list,
    kind,
    size,
    name,
    numAnimations,
    animations,
    infoSize: 0,
    infoPad: NOTHING,
    slack,
    trailing,
    sizeOff: declared - slackEnd,
  }
}

function readAnimation(r: Reader, kind: 'ANP3' | 'ANP2', diagnostics: Diagnostics): IfpAnimation {
  const start = r.position
  const head = kind === 'ANP3' ? ANP3_ANIMATION.read(r) : { ...ANP2_ANIMATION.read(r), flags: 0 }
  const { numBones, keyBytes } = head
  r.count(numBones, ANP3_BONE.size, 'numBones')
  let sum = 0
  const bones = r.each('bones', numBones, (b): IfpBone => {
    const bone = ANP3_BONE.read(r)
    const { type, numKeys } = bone
    const stride = ANP3_KEY_BYTES[type]
    if (!stride)
      r.fail('bad-value', say('codecs.unknownKeyType', { bone: b, type }), 'type', {
        offset: r.position - ANP3_BONE.size + ANP3_BONE.at.type,
        expected: say('codecs.oneToFour'),
        actual: String(type),
      })
    r.count(numKeys, stride, 'numKeys')
    const keys = r.take(stride * numKeys, 'keys')
    sum += keys.length
    return withColumns({ ...bone, keys, shorts: null, floats: null }, type >= 3)
  })
  if (sum !== keyBytes)
    diagnostics.add('info', 'renderware.key-bytes', say('codecs.keyBytes', { count: keyBytes, sum }), r.path('keyBytes'), start + 28)
  return { ...head, bones, start, end: r.position }
}

export function writeAnp3(document: IfpDocument, out: Writer): void {
  const start = out.position
  ANP3_HEAD.write(out, document)
  for (const animation of document.animations) {
    if (document.kind === 'ANP3') ANP3_ANIMATION.write(out, animation)
    else ANP2_ANIMATION.write(out, animation)
    for (const bone of animation.bones) {
      ANP3_BONE.write(out, bone)
      out.raw(bone.keys)
    }
  }
  if (document.slack.length) out.opaque(document.slack)
  // a size that was wrong stays wrong by as much
  out.setU32(start + ANP3_HEAD.at.size, (out.position - 8 + document.sizeOff) >>> 0)
  if (document.trailing.length) out.opaque(document.trailing)
}
