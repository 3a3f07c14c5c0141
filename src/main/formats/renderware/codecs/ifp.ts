/**
 * Animation packages (.ifp): ANP3 of San Andreas, ANPK of III and Vice City (San Andreas reads it too).
 *
 * ANP3 times are i16 in 1/60 s, ANPK times f32 seconds, both absolute. Key values stay strided columns; names keep the junk
 * behind their NUL; what follows the size in the header (a stale tail of an earlier, larger file) is kept.
 */
import { FormatError } from '../../../binary/format-error.ts'
import { chars, i32, named, record, u32 } from '../../../binary/layout.ts'
import { Reader, nameOf } from '../../../binary/reader.ts'
import { extensionOf, stemOf } from '../../../../shared/ref.ts'
import { Diagnostics } from '../../format.ts'
import { leftover, node } from '../../../binary/structure.ts'
import { FieldList } from './field-list.ts'
import type { Writer } from '../../../binary/writer.ts'
import type { Document, FileFormat, FileSummary, StructureNode } from '../../format.ts'

/** Bytes per key: 1 f32 q[4] time; 2 f32 q[4] t[3] time as below; 3 i16 q[4] time; 4 i16 q[4] time t[3]. */
const ANP3_KEY_BYTES: Readonly<Record<number, number>> = { 1: 20, 2: 32, 3: 10, 4: 16 }

export interface IfpBone {
  /** char[24] in ANP3, char[28] in ANPK */
  name: Uint8Array
  /** ANP3: 1-4. ANPK: the key chunk's FourCC tells, and this is 0 */
  type: number
  numKeys: number
  /** -1: matched by name */
  boneId: number
  /** the keys' bytes, `stride` each; i16 columns for ANP3 types 3 and 4, else f32 */
  keys: Uint8Array
  /** the same bytes */
  shorts: Int16Array | null
  floats: Float32Array | null
  /** what only ANPK has, and where its chunks stand */
  anpk?: AnpkBone
}

export interface AnpkBone {
  /** size fields as stored */
  cpanSize: number
  animSize: number
  /** second and third word of ANIM: 0 and numKeys - 1 in known files */
  word1: number
  word2: number
  /** words after these: boneId (44 bytes), or sibling and child (48 bytes), or none */
  links: Int32Array
  /** what follows the known fields of ANIM, and its padding to four bytes */
  animRest: Uint8Array
  /** FourCC of the key chunk, '' where there is none */
  keyTag: string
  keySize: number
  /** chunk bytes behind the keys, and padding */
  keyRest: Uint8Array
  /** what follows the chunks in CPAN, and padding */
  rest: Uint8Array
}

export interface IfpAnimation {
  /** char[24] in ANP3, all of the NAME chunk in ANPK */
  name: Uint8Array
  /** ANP3: bytes of all keys as stored; wrong in 1 of 896 known animations */
  keyBytes: number
  /** ANP3 only: 1 compressed */
  flags: number
  /** number of bones as stored */
  numBones: number
  bones: IfpBone[]
  /** offset of the animation in the file */
  start: number
  end: number
  anpk?: { nameSize: number; namePad: Uint8Array; dganSize: number; infoSize: number; infoWord: Uint8Array; rest: Uint8Array }
}

export interface IfpDocument extends Document {
  readonly format: 'renderware.ifp'
  kind: 'ANP3' | 'ANP2' | 'ANPK'
  /** size field of the header */
  size: number
  /** the package's name: char[24] in ANP3, the rest of INFO in ANPK */
  name: Uint8Array
  numAnimations: number
  animations: IfpAnimation[]
  /** ANPK: size field of INFO and its padding */
  infoSize: number
  infoPad: Uint8Array
  /** what follows the last animation within the size of the header */
  slack: Uint8Array
  /** what follows that: stale tail, padding of an archive */
  trailing: Uint8Array
  /** bytes that the header's size did not count when it was read; kept through edits */
  sizeOff: number
}

const NOTHING: Uint8Array = new Uint8Array(0)

/** What follows the magic and the size. */
const ANP3_HEAD = record({ name: chars(24), numAnimations: named('numAnims', u32) })
const ANP2_ANIMATION = record({ name: chars(24), numBones: u32, keyBytes: u32 })
const ANP3_ANIMATION = record({ name: chars(24), numBones: u32, keyBytes: u32, flags: u32 }, { notes: { flags: '1 compressed' } })
/** A bone up to its keys. */
const ANP3_BONE = record(
  { name: chars(24), type: u32, numKeys: u32, boneId: i32 },
  { notes: { type: (type: number) => KEY_TYPES[type], boneId: (id: number) => (id < 0 ? 'matched by name' : undefined) } },
)

export const ifpFormat: FileFormat<IfpDocument> = {
  id: 'renderware.ifp',
  label: 'Animation package',
  family: 'renderware',
  kind: 'animation',
  extensions: ['ifp'],
  identify(head, name, size) {
    // the data of an IMG archive of version 1 begins with its first member; its directory beside it tells
    if (extensionOf(name) === 'img') return 0.3
    if (head.length < 12) return 0
    const tag = String.fromCharCode(head[0], head[1], head[2], head[3])
    if (tag === 'ANP3' || tag === 'ANP2') return size >= 36 ? 0.98 : 0.5
    if (tag === 'ANPK') return String.fromCharCode(head[8], head[9], head[10], head[11]) === 'INFO' ? 0.98 : 0.6
    return 0
  },
  decode(bytes, ref) {
    const r = new Reader(bytes, ref)
    const diagnostics = new Diagnostics(ref)
    const tag = r.fourcc('magic')
    if (tag === 'ANP3' || tag === 'ANP2') return readAnp3(r, tag, diagnostics)
    if (tag === 'ANPK') return readAnpk(r, diagnostics)
    throw new FormatError('bad-magic', `no animation package: it begins with ${JSON.stringify(tag)}`, {
      file: ref,
      offset: 0,
      path: 'magic',
      expected: 'ANP3, ANP2 or ANPK',
      actual: tag,
    })
  },
  encode: (document, out) => (document.kind === 'ANPK' ? writeAnpk(document, out) : writeAnp3(document, out)),
  describe,
  summarize(document): FileSummary {
    const ids = new Set<number>()
    const names = new Set<string>()
    const clips = document.animations.map((animation) => {
      let keys = 0
      let last = 0
      for (const bone of animation.bones) {
        keys += bone.numKeys
        if (bone.boneId >= 0) ids.add(bone.boneId)
        names.add(nameOf(bone.name).trim())
        if (bone.numKeys > 0) last = Math.max(last, keyTime(document, bone, bone.numKeys - 1))
      }
      return {
        name: nameOf(animation.name),
        frames: Number.isFinite(last) ? Math.round(last * 60) : 0,
        rate: 60,
        tracks: animation.bones.length,
        keys,
      }
    })
    const provides = [`renderware.ifp:${stemOf(document.ref)}`]
    if (ids.size) provides.push(`renderware.ifp-nodes:${[...ids].sort((a, b) => a - b).join(',')}`)
    return { bones: [...names], clips, provides, note: `${document.kind}, ${clips.length} clip${clips.length === 1 ? '' : 's'}` }
  },
}

/** Time of a key in seconds. */
export function keyTime(document: Pick<IfpDocument, 'kind'>, bone: IfpBone, key: number): number {
  const layout = keyLayout(document, bone)
  if (!layout) return 0
  return bone.shorts ? bone.shorts[layout.stride * key + layout.time] / 60 : bone.floats![layout.stride * key + layout.time]
}

export interface KeyColumns {
  /** elements of the column per key */
  stride: number
  /** element of the rotation x, y, z, w; of the time; of translation and scale, -1 for none */
  rotation: number
  time: number
  translation: number
  scale: number
}

const ROT: KeyColumns = { stride: 5, rotation: 0, time: 4, translation: -1, scale: -1 }
const ROT_TIME_TRANS: KeyColumns = { stride: 8, rotation: 0, time: 4, translation: 5, scale: -1 }
const ROT_TRANS: KeyColumns = { stride: 8, rotation: 0, time: 7, translation: 4, scale: -1 }
const ROT_TRANS_SCALE: KeyColumns = { stride: 11, rotation: 0, time: 10, translation: 4, scale: 7 }

/** Where the parts of a bone's keys stand; undefined for a bone without readable keys. */
export function keyLayout(document: Pick<IfpDocument, 'kind'>, bone: IfpBone): KeyColumns | undefined {
  if (document.kind === 'ANPK') {
    const tag = bone.anpk?.keyTag
    return tag === 'KR00' ? ROT : tag === 'KRT0' ? ROT_TRANS : tag === 'KRTS' ? ROT_TRANS_SCALE : undefined
  }
  return bone.type === 1 || bone.type === 3 ? ROT : bone.type === 2 || bone.type === 4 ? ROT_TIME_TRANS : undefined
}

// --- ANP3 --------------------------------------------------------------------------------------------------------

function readAnp3(r: Reader, kind: 'ANP3' | 'ANP2', diagnostics: Diagnostics): IfpDocument {
  const size = r.u32('size')
  const { name, numAnimations } = ANP3_HEAD.read(r)
  r.count(numAnimations, (kind === 'ANP3' ? ANP3_ANIMATION : ANP2_ANIMATION).size, 'numAnims')
  const animations: IfpAnimation[] = []
  for (let a = 0; a < numAnimations; a++) animations.push(r.within(`animations[${a}]`, () => readAnimation(r, kind, diagnostics)))
  const declared = 8 + size
  const end = r.position
  const slackEnd = declared > end && declared <= r.end ? declared : end
  const slack = slackEnd > end ? r.take(slackEnd - end) : NOTHING
  if (declared !== slackEnd)
    diagnostics.add('warning', 'renderware.ifp-size', `the header counts ${size} bytes, the animations end after ${end - 8}`, 'size', 4)
  const trailing = r.remaining ? r.rest() : NOTHING
  if (trailing.length)
    diagnostics.add(
      'info',
      'renderware.stale-tail',
      `${trailing.length} bytes follow the package; games do not read them, and they are kept`,
      'trailing',
      slackEnd,
    )
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
      r.fail('bad-value', `bone ${b} has keys of unknown type ${type}`, 'type', {
        offset: r.position - ANP3_BONE.size + ANP3_BONE.at.type,
        expected: '1 to 4',
        actual: String(type),
      })
    r.count(numKeys, stride, 'numKeys')
    const keys = r.take(stride * numKeys, 'keys')
    sum += keys.length
    return withColumns({ ...bone, keys, shorts: null, floats: null }, type >= 3)
  })
  if (sum !== keyBytes)
    diagnostics.add('info', 'renderware.key-bytes', `keyBytes is ${keyBytes}, the keys have ${sum} bytes`, r.path('keyBytes'), start + 28)
  return { ...head, bones, start, end: r.position }
}

/** Sets the numeric views of a bone's key bytes. */
export function withColumns(bone: IfpBone, compressed: boolean): IfpBone {
  const { keys } = bone
  const aligned = keys.byteOffset % 4 === 0 ? keys : keys.slice()
  bone.keys = aligned
  bone.shorts = compressed ? new Int16Array(aligned.buffer, aligned.byteOffset, aligned.length >> 1) : null
  bone.floats = compressed ? null : new Float32Array(aligned.buffer, aligned.byteOffset, aligned.length >> 2)
  return bone
}

function writeAnp3(document: IfpDocument, out: Writer): void {
  out.fourcc(document.kind)
  const sizeAt = out.position
  out.u32(0)
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
  out.setU32(sizeAt, (out.position - 8 + document.sizeOff) >>> 0)
  if (document.trailing.length) out.opaque(document.trailing)
}

// --- ANPK --------------------------------------------------------------------------------------------------------

/** Content of a chunk and the padding to four bytes behind it, as far as the parent has room for it. */
function openChunk(r: Reader, tag: string | null, name: string): { tag: string; size: number; start: number; end: number; next: number } {
  const at = r.position
  const found = r.fourcc(`${name}.tag`)
  if (tag !== null && found !== tag)
    r.fail('bad-magic', `${name} is a ${JSON.stringify(found)} chunk`, `${name}.tag`, { offset: at, expected: tag, actual: found })
  const size = r.u32(`${name}.size`)
  r.need(size, name)
  const start = r.position
  return { tag: found, size, start, end: start + size, next: Math.min(r.end, start + ((size + 3) & ~3)) }
}

function readAnpk(r: Reader, diagnostics: Diagnostics): IfpDocument {
  const size = r.u32('size')
  const info = openChunk(r, 'INFO', 'info')
  if (info.size < 4) r.fail('bad-count', 'INFO has no room for the number of animations', 'info.size')
  const numAnimations = r.u32('info.numAnims')
  const name = r.take(info.end - r.position, 'info.name')
  const infoPad = r.take(info.next - info.end)
  r.count(numAnimations, 16, 'info.numAnims')
  const animations: IfpAnimation[] = []
  for (let a = 0; a < numAnimations; a++) animations.push(r.within(`animations[${a}]`, () => readAnpkAnimation(r)))
  const end = r.position
  const declared = 8 + size
  const slackEnd = declared > end && declared <= r.end ? declared : end
  const slack = slackEnd > end ? r.take(slackEnd - end) : NOTHING
  // the size counts the padding of its chunks in known files, so it ends where they do
  if (declared !== slackEnd)
    diagnostics.add('warning', 'renderware.ifp-size', `the header counts ${size} bytes, the animations end after ${end - 8}`, 'size', 4)
  const trailing = r.remaining ? r.rest() : NOTHING
  return {
    format: 'renderware.ifp',
    ref: r.file,
    diagnostics: diagnostics.list,
    kind: 'ANPK',
    size,
    name,
    numAnimations,
    animations,
    infoSize: info.size,
    infoPad,
    slack,
    trailing,
    sizeOff: declared - slackEnd,
  }
}

function readAnpkAnimation(r: Reader): IfpAnimation {
  const start = r.position
  const nameChunk = openChunk(r, 'NAME', 'name')
  const name = r.take(nameChunk.size, 'name')
  const namePad = r.take(nameChunk.next - nameChunk.end)
  const dgan = openChunk(r, 'DGAN', 'dgan')
  // sizes of parents differ by their children's padding between writers: the counts lead, the size bounds what is left over
  const info = openChunk(r, 'INFO', 'dgan.info')
  if (info.size < 4) r.fail('bad-count', 'INFO has no room for the number of bones', 'dgan.info.size')
  const numBones = r.u32('dgan.info.numBones')
  const infoWord = r.take(info.next - r.position, 'dgan.info')
  r.count(numBones, 16, 'dgan.info.numBones')
  const bones: IfpBone[] = []
  for (let b = 0; b < numBones; b++) bones.push(r.within(`bones[${b}]`, () => readCpan(r)))
  const rest = dgan.next > r.position ? r.take(dgan.next - r.position) : NOTHING
  return {
    name,
    keyBytes: 0,
    flags: 0,
    numBones,
    bones,
    start,
    end: r.position,
    anpk: { nameSize: nameChunk.size, namePad, dganSize: dgan.size, infoSize: info.size, infoWord, rest },
  }
}

const ANPK_KEY_BYTES: Readonly<Record<string, number>> = { KR00: 20, KRT0: 32, KRTS: 44 }

function readCpan(r: Reader): IfpBone {
  const cpan = openChunk(r, 'CPAN', 'cpan')
  const anim = openChunk(r, 'ANIM', 'anim')
  if (anim.size < 28 + 12)
    r.fail('bad-count', `ANIM of ${anim.size} bytes has no room for its fields`, 'anim.size', {
      offset: anim.start - 4,
      expected: 'at least 40',
      actual: String(anim.size),
    })
  const name = r.take(28, 'anim.name')
  const numKeys = r.u32('anim.numKeys')
  const word1 = r.u32('anim.word1')
  const word2 = r.u32('anim.word2')
  const links = r.i32s(anim.size === 44 ? 1 : anim.size >= 48 ? 2 : 0, 'anim.boneId')
  const animRest = r.take(anim.next - r.position)
  let keyTag = ''
  let keySize = 0
  let keys = NOTHING
  let keyRest = NOTHING
  if (numKeys > 0) {
    const chunk = openChunk(r, null, 'keys')
    keyTag = chunk.tag
    keySize = chunk.size
    const stride = ANPK_KEY_BYTES[keyTag]
    if (!stride)
      r.fail('bad-magic', `keys in an unknown chunk ${JSON.stringify(keyTag)}`, 'keys.tag', {
        offset: chunk.start - 8,
        expected: 'KR00, KRT0 or KRTS',
        actual: keyTag,
      })
    if (stride * numKeys > chunk.size)
      r.fail('bad-count', `${numKeys} keys of ${stride} bytes do not fit ${chunk.size}`, 'anim.numKeys', { offset: anim.start + 28 })
    keys = r.take(stride * numKeys, 'keys')
    keyRest = r.take(chunk.next - r.position)
  }
  const rest = cpan.next > r.position ? r.take(cpan.next - r.position) : NOTHING
  return withColumns(
    {
      name,
      type: 0,
      numKeys,
      boneId: anim.size === 44 ? links[0] : -1,
      keys,
      shorts: null,
      floats: null,
      anpk: { cpanSize: cpan.size, animSize: anim.size, word1, word2, links, animRest, keyTag, keySize, keyRest, rest },
    },
    false,
  )
}

function writeAnpk(document: IfpDocument, out: Writer): void {
  out.fourcc('ANPK')
  const sizeAt = out.position
  out.u32(0)
  out.fourcc('INFO')
  out.u32(document.infoSize)
  out.u32(document.numAnimations)
  out.raw(document.name)
  out.opaque(document.infoPad)
  for (const animation of document.animations) {
    const own = animation.anpk!
    out.fourcc('NAME')
    out.u32(own.nameSize)
    out.raw(animation.name)
    out.opaque(own.namePad)
    out.fourcc('DGAN')
    out.u32(own.dganSize)
    out.fourcc('INFO')
    out.u32(own.infoSize)
    out.u32(animation.numBones)
    out.raw(own.infoWord)
    for (const bone of animation.bones) {
      const chunk = bone.anpk!
      out.fourcc('CPAN')
      out.u32(chunk.cpanSize)
      out.fourcc('ANIM')
      out.u32(chunk.animSize)
      out.raw(bone.name)
      out.u32(bone.numKeys)
      out.u32(chunk.word1)
      out.u32(chunk.word2)
      out.raw(chunk.links)
      out.opaque(chunk.animRest)
      if (chunk.keyTag) {
        out.fourcc(chunk.keyTag)
        out.u32(chunk.keySize)
        out.raw(bone.keys)
        out.opaque(chunk.keyRest)
      }
      out.opaque(chunk.rest)
    }
    out.opaque(own.rest)
  }
  if (document.slack.length) out.opaque(document.slack)
  out.setU32(sizeAt, (out.position - 8 + document.sizeOff) >>> 0)
  if (document.trailing.length) out.opaque(document.trailing)
}

/**
 * New keys for a bone; counts and the sizes of all chunks around it follow, by as much as the keys grew, so that sizes
 * that were off stay so.
 */
export function setKeys(document: IfpDocument, animation: IfpAnimation, bone: IfpBone, keys: Uint8Array, numKeys: number): void {
  const grown = keys.length - bone.keys.length
  bone.keys = keys
  bone.numKeys = numKeys
  withColumns(bone, document.kind !== 'ANPK' && bone.type >= 3)
  animation.keyBytes += grown
  if (!bone.anpk) return
  const chunk = bone.anpk
  let shift = grown
  if (numKeys === 0 && chunk.keyTag) {
    // games read no key chunk where there are no keys
    shift -= 8 + chunk.keyRest.length
    chunk.keyTag = ''
    chunk.keyRest = NOTHING
    chunk.keySize = 0
  } else chunk.keySize += grown
  if (chunk.word2 !== 0) chunk.word2 = (numKeys - 1) >>> 0
  chunk.cpanSize += shift
  animation.anpk!.dganSize += shift
}

// --- describing ---------------------------------------------------------------------------------------------------

const KEY_TYPES: Readonly<Record<number | string, string>> = {
  1: 'f32[4] rotation.xyzw, f32 time',
  2: 'f32[4] rotation.xyzw, f32 time, f32[3] translation.xyz',
  3: 'i16/4096[4] rotation.xyzw, i16 time',
  4: 'i16/4096[4] rotation.xyzw, i16 time, i16/1024[3] translation.xyz',
  KR00: 'f32[4] rotation.xyzw, f32 time',
  KRT0: 'f32[4] rotation.xyzw, f32[3] translation.xyz, f32 time',
  KRTS: 'f32[4] rotation.xyzw, f32[3] translation.xyz, f32[3] scale.xyz, f32 time',
}

function describe(document: IfpDocument): StructureNode {
  const children: StructureNode[] = []
  const head = new FieldList(0)
  head.add('magic', 'char[4]', 4, document.kind).add('size', 'u32', 4, document.size, { note: `file without tail: ${8 + document.size}` })
  if (document.kind === 'ANPK') {
    head
      .add('info.tag', 'char[4]', 4, 'INFO')
      .add('info.size', 'u32', 4, document.infoSize)
      .add('info.numAnims', 'u32', 4, document.numAnimations)
    if (document.name.length) head.add('info.name', `char[${document.name.length}]`, document.name.length, nameOf(document.name))
    if (document.infoPad.length) head.add('info.pad', `u8[${document.infoPad.length}]`, document.infoPad.length, document.infoPad)
  } else head.record(ANP3_HEAD, document)
  let end = head.at
  document.animations.forEach((animation, a) => {
    const list = new FieldList(animation.start)
    if (animation.anpk) {
      const own = animation.anpk
      list
        .add('name.tag', 'char[4]', 4, 'NAME')
        .add('name.size', 'u32', 4, own.nameSize)
        .add('name', `char[${animation.name.length}]`, animation.name.length, nameOf(animation.name))
      if (own.namePad.length) list.add('name.pad', `u8[${own.namePad.length}]`, own.namePad.length, own.namePad)
      list
        .add('dgan.tag', 'char[4]', 4, 'DGAN')
        .add('dgan.size', 'u32', 4, own.dganSize)
        .add('dgan.info.tag', 'char[4]', 4, 'INFO')
        .add('dgan.info.size', 'u32', 4, own.infoSize)
        .add('dgan.info.numBones', 'u32', 4, animation.numBones)
      list.leftover('dgan.info.word', own.infoWord)
    } else if (document.kind === 'ANP3') list.record(ANP3_ANIMATION, animation)
    else list.record(ANP2_ANIMATION, animation)
    animation.bones.forEach((bone, b) =>
      list.group(
        `bones[${b}]`,
        'Bone',
        (g) => {
          const chunk = bone.anpk
          if (!chunk) {
            g.record(ANP3_BONE, bone)
            if (bone.keys.length)
              g.add('keys', `{${KEY_TYPES[bone.type]}} x ${bone.numKeys}`, bone.keys.length, bone.shorts ?? bone.floats, {
                entries: { what: 'time', unit: bone.shorts ? '/ 60 s' : 's' },
              })
            return
          }
          g.add('cpan.tag', 'char[4]', 4, 'CPAN')
            .add('cpan.size', 'u32', 4, chunk.cpanSize)
            .add('anim.tag', 'char[4]', 4, 'ANIM')
            .add('anim.size', 'u32', 4, chunk.animSize)
          g.add('name', 'char[28]', 28, nameOf(bone.name))
            .add('numKeys', 'u32', 4, bone.numKeys)
            .add('word1', 'u32', 4, chunk.word1, { unknown: true })
            .add('word2', 'u32', 4, chunk.word2, { unknown: true, note: 'numKeys - 1 in known files' })
          if (chunk.links.length === 1) g.add('boneId', 'i32', 4, chunk.links[0])
          if (chunk.links.length === 2)
            g.add('sibling', 'i32', 4, chunk.links[0], { unknown: true }).add('child', 'i32', 4, chunk.links[1], { unknown: true })
          g.leftover('anim.rest', chunk.animRest)
          if (chunk.keyTag) {
            g.add('keys.tag', 'char[4]', 4, chunk.keyTag).add('keys.size', 'u32', 4, chunk.keySize)
            if (bone.keys.length)
              g.add('keys', `{${KEY_TYPES[chunk.keyTag]}} x ${bone.numKeys}`, bone.keys.length, bone.floats, {
                entries: { what: 'time', unit: 's' },
              })
            g.leftover('keys.rest', chunk.keyRest)
          }
          g.leftover('rest', chunk.rest)
        },
        `${nameOf(bone.name)}, ${bone.numKeys} keys`,
      ),
    )
    if (animation.anpk) list.leftover('dgan.rest', animation.anpk.rest)
    children.push(
      node(`animations[${a}]`, nameOf(animation.name) || 'Animation', { start: animation.start, end: list.at }, list.fields, list.children),
    )
    end = list.at
  })
  const fields = [...head.fields, ...leftover('slack', end, document.slack)]
  end += document.slack.length
  fields.push(...leftover('trailing', end, document.trailing, { note: 'not part of the package; kept' }))
  return node('file', 'Animation package', { start: 0, end: end + document.trailing.length }, fields, children)
}
