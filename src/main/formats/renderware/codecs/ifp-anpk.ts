/** ANPK of III and Vice City: chunks with a FourCC and a size, padded to four bytes. Times are f32 seconds. */
import { NOTHING, withColumns } from './ifp-bones.ts'
import { say } from '../texts/index.ts'
import type { Reader } from '../../../binary/reader.ts'
import type { Diagnostics } from '../../format.ts'
import type { Writer } from '../../../binary/writer.ts'
import type { IfpDocument, IfpAnimation, IfpBone } from './ifp-bones.ts'

/** Content of a chunk and the padding to four bytes behind it, as far as the parent has room for it. */
function openChunk(r: Reader, tag: string | null, name: string): { tag: string; size: number; start: number; end: number; next: number } {
  const at = r.position
  const found = r.fourcc(`${name}.tag`)
  if (tag !== null && found !== tag)
    r.fail('bad-magic', say('codecs.isChunk', { name, found: JSON.stringify(found) }), `${name}.tag`, {
      offset: at,
      expected: tag,
      actual: found,
    })
  const size = r.u32(`${name}.size`)
  r.need(size, name)
  const start = r.position
  return { tag: found, size, start, end: start + size, next: Math.min(r.end, start + ((size + 3) & ~3)) }
}

export function readAnpk(r: Reader, diagnostics: Diagnostics): IfpDocument {
  const size = r.u32('size')
  const info = openChunk(r, 'INFO', 'info')
  if (info.size < 4) r.fail('bad-count', say('codecs.noRoomForAnimations'), 'info.size')
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
    diagnostics.add('warning', 'renderware.ifp-size', say('codecs.ifpSize', { count: size, end: end - 8 }), 'size', 4)
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
  if (info.size < 4) r.fail('bad-count', say('codecs.noRoomForBones'), 'dgan.info.size')
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
    r.fail('bad-count', say('codecs.animTooSmall', { count: anim.size }), 'anim.size', {
      offset: anim.start - 4,
      expected: say('codecs.atLeast40'),
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
      r.fail('bad-magic', say('codecs.unknownKeyChunk', { tag: JSON.stringify(keyTag) }), 'keys.tag', {
        offset: chunk.start - 8,
        expected: say('codecs.keyChunks'),
        actual: keyTag,
      })
    if (stride * numKeys > chunk.size)
      r.fail('bad-count', say('codecs.keysDoNotFit', { count: numKeys, stride, size: chunk.size }), 'anim.numKeys', {
        offset: anim.start + 28,
      })
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

export function writeAnpk(document: IfpDocument, out: Writer): void {
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
