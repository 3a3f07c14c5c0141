/**
 * Animation packages (.ifp): ANP3 of San Andreas, ANPK of III and Vice City (San Andreas reads it too).
 *
 * ANP3 times are i16 in 1/60 s, ANPK times f32 seconds, both absolute. Key values stay strided columns; names keep the junk
 * behind their NUL; what follows the size in the header (a stale tail of an earlier, larger file) is kept.
 */
import { FormatError } from '../../../binary/format-error.ts'
import { Reader, nameOf } from '../../../binary/reader.ts'
import { extensionOf, stemOf } from '../../../../shared/ref.ts'
import { Diagnostics } from '../../format.ts'
import { leftover, node } from '../../../binary/structure.ts'
import { FieldList } from './field-list.ts'
import { readAnp3, writeAnp3, ANP3_HEAD, ANP3_ANIMATION, ANP2_ANIMATION, ANP3_BONE } from './ifp-anp3.ts'
import { readAnpk, writeAnpk } from './ifp-anpk.ts'
import { keyTime, KEY_TYPES } from './ifp-bones.ts'
import { say } from '../texts/index.ts'
import type { FileFormat, FileSummary, StructureNode } from '../../format.ts'
import type { IfpDocument } from './ifp-bones.ts'

export const ifpFormat: FileFormat<IfpDocument> = {
  id: 'renderware.ifp',
  get label() {
    return say('codecs.ifp')
  },
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
  decode(bytes, ref, memory) {
    const r = Reader.owning(bytes, ref, memory)
    const diagnostics = new Diagnostics(ref)
    const tag = r.fourcc('magic')
    if (tag === 'ANP3' || tag === 'ANP2') {
      r.seek(0)
      return readAnp3(r, tag, diagnostics)
    }
    if (tag === 'ANPK') return readAnpk(r, diagnostics)
    throw new FormatError('bad-magic', say('codecs.noAnimationPackage', { tag: JSON.stringify(tag) }), {
      file: ref,
      offset: 0,
      path: 'magic',
      expected: say('codecs.packageTags'),
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
    return { bones: [...names], clips, provides, counted: say('codecs.clips', { count: clips.length }), note: document.kind }
  },
}

function describe(document: IfpDocument): StructureNode {
  const children: StructureNode[] = []
  const head = new FieldList(0)
  if (document.kind === 'ANPK') {
    head
      .add('magic', 'char[4]', 4, document.kind)
      .add('size', 'u32', 4, document.size, { note: say('codecs.sizeWithoutTail', { count: 8 + document.size }) })
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
        say('codecs.nodes.bone'),
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
            .add('word2', 'u32', 4, chunk.word2, { unknown: true, note: say('codecs.numKeysLessOne') })
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
        say('codecs.bonesKeys', { name: nameOf(bone.name), count: bone.numKeys }),
      ),
    )
    if (animation.anpk) list.leftover('dgan.rest', animation.anpk.rest)
    children.push(
      node(
        `animations[${a}]`,
        nameOf(animation.name) || say('codecs.nodes.animation'),
        { start: animation.start, end: list.at },
        list.fields,
        list.children,
      ),
    )
    end = list.at
  })
  const fields = [...head.fields, ...leftover('slack', end, document.slack)]
  end += document.slack.length
  fields.push(...leftover('trailing', end, document.trailing, { note: say('codecs.notOfPackage') }))
  return node('file', say('codecs.ifp'), { start: 0, end: end + document.trailing.length }, fields, children)
}
