/** SKL: a skeleton. Layout and evidence: docs/formats/lostsaga.md, "SKL". */
import { Diagnostics, type Document, type FileFormat, type SourceRange } from '../../format.ts'
import { Reader } from '../../../binary/reader.ts'
import { field, node } from '../../../binary/structure.ts'
import { readString, stringSize, writeString, type LString } from './strings.ts'
import { hasToken } from './token.ts'
import type { Writer } from '../../../binary/writer.ts'

/** Name of the parent of a root. */
export const NO_PARENT = 'NoParent'

/** Role of a skeleton that another names as linked. */
export const LINKED_SKELETON = 'linked-skeleton'

/** Places of the fixed floats of a bone. */
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

/** Smallest bone: two empty strings, 120 bytes, no children. */
const LEAST_BONE = 4 + 120 + 4 + 4

export const skl: FileFormat<SklDocument> = {
  id: 'lostsaga.skl',
  label: 'Lost Saga skeleton',
  family: 'lostsaga',
  kind: 'skeleton',
  extensions: ['skl'],
  identify: (head) => (hasToken(head, 'SKL') ? 1 : 0),
  decode(bytes, ref) {
    const reader = new Reader(bytes, ref)
    const diagnostics = new Diagnostics(ref)
    if (reader.fourcc('token') !== 'SKL\0') reader.fail('bad-magic', 'not a Lost Saga skeleton', 'token', { offset: 0, expected: 'SKL\\0' })
    const version = reader.i32('version')
    if (version !== 1000)
      diagnostics.add('warning', 'lostsaga.unknown-version', `version ${version} of a skeleton is not known (1000 is)`, 'version', 4)
    const count = reader.count(reader.i32('boneCount'), LEAST_BONE, 'boneCount')
    const bones: SklBone[] = []
    for (let i = 0; i < count; i++) {
      bones.push(
        reader.within(`bones[${i}]`, () => {
          const start = reader.position
          const name = readString(reader, 'name')
          const transform = reader.f32s(30, 'transform')
          const parent = readString(reader, 'parent')
          const childCount = reader.count(reader.i32('childCount'), 4, 'childCount')
          const children: LString[] = []
          for (let c = 0; c < childCount; c++) children.push(readString(reader, `children[${c}]`))
          return { name, transform, parent, children, range: { start, end: reader.position } }
        }),
      )
    }
    const linkedSkeleton = reader.remaining > 0 ? readString(reader, 'linkedSkeleton') : null
    const trailing = reader.rest()
    if (!linkedSkeleton)
      diagnostics.add(
        'warning',
        'lostsaga.no-linked-skeleton',
        'the file ends before the linked skeleton, which is always written',
        'linkedSkeleton',
        bytes.length,
      )
    if (trailing.length)
      diagnostics.add(
        'warning',
        'lostsaga.trailing-bytes',
        `${trailing.length} bytes follow the skeleton`,
        'trailing',
        bytes.length - trailing.length,
      )
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
    out.fourcc('SKL\0')
    out.i32(document.version)
    out.i32(document.bones.length)
    for (const bone of document.bones) {
      writeString(out, bone.name)
      out.raw(bone.transform)
      writeString(out, bone.parent)
      out.i32(bone.children.length)
      for (const child of bone.children) writeString(out, child)
    }
    if (document.linkedSkeleton) writeString(out, document.linkedSkeleton)
    out.opaque(document.trailing)
  },
  describe(document) {
    let end = 12
    const bones = document.bones.map((bone, i) => {
      let at = bone.range.start
      const string = (name: string, value: LString): ReturnType<typeof field> => {
        const out = field(name, 'string', at, stringSize(value), value.text)
        at += stringSize(value)
        return out
      }
      const floats = (name: string, from: number, count: number, extra = {}): ReturnType<typeof field> => {
        const out = field(name, `f32[${count}]`, at, 4 * count, bone.transform.subarray(from, from + count), extra)
        at += 4 * count
        return out
      }
      const fields = [
        string('name', bone.name),
        floats('localPosition', LOCAL_POSITION, 3),
        floats('localRotation', LOCAL_ROTATION, 4),
        floats('inverseObjectPosition', INVERSE_POSITION, 3),
        floats('inverseObjectRotation', INVERSE_ROTATION, 4),
        floats('objectTM', OBJECT_TM, 16, { unknown: true, note: 'relation to the local transform not settled; not computed with' }),
        string('parent', bone.parent),
        field('childCount', 'i32', at, 4, bone.children.length),
      ]
      at += 4
      bone.children.forEach((child, c) => fields.push(string(`children[${c}]`, child)))
      end = bone.range.end
      return node(`bones[${i}]`, 'bone', bone.range, fields, [], { summary: bone.name.text })
    })
    const fields = [
      field('token', 'char[4]', 0, 4, 'SKL'),
      field('version', 'i32', 4, 4, document.version),
      field('boneCount', 'i32', 8, 4, document.bones.length),
    ]
    if (document.linkedSkeleton)
      fields.push(field('linkedSkeleton', 'string', end, stringSize(document.linkedSkeleton), document.linkedSkeleton.text))
    if (document.trailing.length)
      fields.push(
        field('trailing', 'u8', document.range.end - document.trailing.length, document.trailing.length, document.trailing, {
          unknown: true,
        }),
      )
    return node('skl', 'skeleton', document.range, fields, bones, { summary: `${document.bones.length} bones` })
  },
  summarize: (document) => ({
    bones: document.bones.map((b) => b.name.text),
    provides: document.bones.map((b) => `lostsaga.bone:${b.name.text}`),
    needs: document.linkedSkeleton?.text ? [`lostsaga.skeleton:${document.linkedSkeleton.text}`] : [],
    note: `${document.bones.length} bones`,
  }),
}
