/** SKL: a skeleton. Layout and evidence: docs/formats/lostsaga.md, "SKL". */
import { Diagnostics, type Document, type FileFormat, type SourceRange } from '../../format.ts'
import { floatRuns, i32, magic, record } from '../../../binary/layout.ts'
import { structural } from '../../../binary/field-use.ts'
import { Reader } from '../../../binary/reader.ts'
import { field, node } from '../../../binary/structure.ts'
import { encodeText, lstring, readString, stringSize, writeString, type LString } from './strings.ts'
import { hasToken } from './token.ts'
import { noteTrailing } from './trailing.ts'
import { say } from '../texts/index.ts'
import type { Writer } from '../../../binary/writer.ts'

/** Name of the parent of a root. */
export const NO_PARENT = 'NoParent'

/** Role of a skeleton that another names as linked. */
export const LINKED_SKELETON = 'linked-skeleton'

/** Places of the fixed floats of a bone, as BONE's runs have them. */
export const LOCAL_POSITION = 0
export const LOCAL_ROTATION = 3
export const INVERSE_POSITION = 7
export const INVERSE_ROTATION = 10
export const OBJECT_TM = 14

export interface SklBone {
  name: LString
  /**
   * 30 floats: LocalTM position 3 and rotation x,y,z,w 4 (relative to the parent, the rest pose); inverse-object position 3 and rotation 4
   * (inverse bind); ObjectTM 16, whose relation to LocalTM nobody settled: kept, shown, not computed with.
   */
  transform: Float32Array
  parent: LString
  children: LString[]
  range: SourceRange
}

export interface SklDocument extends Document {
  readonly format: 'lostsaga.skl'
  version: number
  bones: SklBone[]
  /** null where the file ends before it; "always written" otherwise, mostly empty */
  linkedSkeleton: LString | null
  trailing: Uint8Array
  range: SourceRange
}

const HEADER = record({ token: magic('SKL\0', () => say('codecs.skl.notOne')), version: structural(i32), boneCount: structural(i32) })

/** A bone up to the names of its children. */
const BONE = record({
  name: lstring,
  transform: floatRuns({
    localPosition: { count: 3 },
    localRotation: { count: 4 },
    inverseObjectPosition: { count: 3 },
    inverseObjectRotation: { count: 4 },
    objectTM: { count: 16, unknown: true, note: () => say('codecs.skl.objectTM') },
  }),
  parent: lstring,
  childCount: structural(i32),
})

const headOf = ({ version, bones }: SklDocument): Parameters<typeof HEADER.write>[1] => ({ version, boneCount: bones.length })
const boneHead = (bone: SklBone): Parameters<typeof BONE.write>[1] => ({ ...bone, childCount: bone.children.length })

export const skl: FileFormat<SklDocument> = {
  id: 'lostsaga.skl',
  get label() {
    return say('codecs.skl.label')
  },
  family: 'lostsaga',
  kind: 'skeleton',
  extensions: ['skl'],
  identify: (head) => (hasToken(head, 'SKL') ? 1 : 0),
  decode(bytes, ref, memory) {
    const reader = Reader.owning(bytes, ref, memory)
    const diagnostics = new Diagnostics(ref)
    const { version, boneCount } = HEADER.read(reader)
    if (version !== 1000)
      diagnostics.add('warning', 'lostsaga.unknown-version', say('codecs.skl.unknownVersion', { version }), 'version', 4)
    const count = reader.count(boneCount, BONE.size, 'boneCount')
    const bones: SklBone[] = []
    for (let i = 0; i < count; i++) {
      bones.push(
        reader.within(`bones[${i}]`, () => {
          const start = reader.position
          const { name, transform, parent, childCount } = BONE.read(reader)
          reader.count(childCount, 4, 'childCount')
          const children: LString[] = []
          for (let c = 0; c < childCount; c++) children.push(readString(reader, `children[${c}]`))
          return { name, transform, parent, children, range: { start, end: reader.position } }
        }),
      )
    }
    const linkedSkeleton = reader.remaining > 0 ? readString(reader, 'linkedSkeleton') : null
    const trailing = reader.rest()
    if (!linkedSkeleton)
      diagnostics.add('warning', 'lostsaga.no-linked-skeleton', say('codecs.skl.noLinked'), 'linkedSkeleton', bytes.length)
    noteTrailing('skl', trailing, bytes.length, diagnostics)
    return {
      format: 'lostsaga.skl',
      ref,
      diagnostics: diagnostics.list,
      version,
      bones,
      linkedSkeleton,
      trailing,
      range: { start: 0, end: bytes.length },
    }
  },
  encode(document, out: Writer) {
    HEADER.write(out, headOf(document))
    for (const bone of document.bones) {
      BONE.write(out, boneHead(bone))
      for (const child of bone.children) writeString(out, child)
    }
    if (document.linkedSkeleton) writeString(out, document.linkedSkeleton)
    out.opaque(document.trailing)
  },
  describe(document) {
    let end = HEADER.size
    const bones = document.bones.map((bone, i) => {
      const head = boneHead(bone)
      const fields = BONE.describe(head, bone.range.start)
      let at = bone.range.start + BONE.sizeOf(head)
      bone.children.forEach((child, c) => {
        fields.push(field(`children[${c}]`, lstring.type, at, stringSize(child), child.text, { use: lstring.use }))
        at += stringSize(child)
      })
      end = bone.range.end
      return node(`bones[${i}]`, say('formats.nodes.bone'), bone.range, fields, [], { summary: bone.name.text })
    })
    const fields = HEADER.describe(headOf(document), 0)
    if (document.linkedSkeleton)
      fields.push(
        field('linkedSkeleton', 'string', end, stringSize(document.linkedSkeleton), document.linkedSkeleton.text, { use: lstring.use }),
      )
    if (document.trailing.length)
      fields.push(
        field('trailing', 'u8', document.range.end - document.trailing.length, document.trailing.length, document.trailing, {
          unknown: true,
        }),
      )
    return node('skl', say('formats.nodes.skeleton'), document.range, fields, bones, {
      summary: say('formats.bones', { count: document.bones.length }),
    })
  },
  encodeText: (text) => encodeText(text).raw,
  summarize: (document) => ({
    bones: document.bones.map((b) => b.name.text),
    provides: document.bones.map((b) => `lostsaga.bone:${b.name.text}`),
    needs: document.linkedSkeleton?.text ? [`lostsaga.skeleton:${document.linkedSkeleton.text}`] : [],
    counted: say('formats.bones', { count: document.bones.length }),
  }),
}
