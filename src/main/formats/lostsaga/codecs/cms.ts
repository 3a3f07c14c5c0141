/** CMS 5000: a collision mesh. Other versions: header shown, kept, not edited. Layout: docs/formats/lostsaga.md, "CMS". */
import { Diagnostics, type Document, type FileFormat, type SourceRange } from '../../format.ts'
import { i32, magic, record } from '../../../binary/layout.ts'
import { structural } from '../../../binary/field-use.ts'
import { Reader } from '../../../binary/reader.ts'
import { field, node } from '../../../binary/structure.ts'
import { hasToken } from './token.ts'
import { noteTrailing } from './trailing.ts'
import { say } from '../texts/index.ts'
import type { Writer } from '../../../binary/writer.ts'

export interface CmsDocument extends Document {
  readonly format: 'lostsaga.cms'
  version: number
  /** 3 per vertex */
  positions: Float32Array
  /** 3 per face, clockwise; the side they turn to blocks */
  faces: Uint16Array
  /** another version: everything after the version */
  body: Uint8Array | null
  trailing: Uint8Array
  range: SourceRange
}

const COUNTED = { use: { is: 'structure' } } as const
const HEADER = record({ token: magic('CMS\0', () => say('codecs.cms.notOne')), version: structural(i32) })

export const cms: FileFormat<CmsDocument> = {
  id: 'lostsaga.cms',
  get label() {
    return say('codecs.cms.label')
  },
  family: 'lostsaga',
  kind: 'collision',
  extensions: ['cms'],
  identify: (head) => (hasToken(head, 'CMS') ? 1 : 0),
  decode(bytes, ref) {
    const reader = new Reader(bytes, ref)
    const diagnostics = new Diagnostics(ref)
    const { version } = HEADER.read(reader)
    const range = { start: 0, end: bytes.length }
    if (version !== 5000) {
      diagnostics.add('warning', 'lostsaga.unknown-version', say('codecs.cms.unknownVersion', { version }), 'version', 4)
      return {
        format: 'lostsaga.cms',
        ref,
        diagnostics: diagnostics.list,
        version,
        positions: new Float32Array(0),
        faces: new Uint16Array(0),
        body: reader.rest(),
        trailing: new Uint8Array(0),
        range,
        readOnly: say('codecs.cms.notUnderstood', { version }),
      }
    }
    const positions = reader.f32s(reader.count(reader.i32('vertexCount'), 12, 'vertexCount') * 3, 'positions')
    const faces = reader.u16s(reader.count(reader.i32('faceCount'), 6, 'faceCount') * 3, 'faces')
    const trailing = reader.rest()
    noteTrailing('cms', trailing, bytes.length, diagnostics)
    return { format: 'lostsaga.cms', ref, diagnostics: diagnostics.list, version, positions, faces, body: null, trailing, range }
  },
  encode(document, out: Writer) {
    HEADER.write(out, document)
    if (document.body) {
      out.opaque(document.body)
      return
    }
    out.i32(document.positions.length / 3)
    out.raw(document.positions)
    out.i32(document.faces.length / 3)
    out.raw(document.faces)
    out.opaque(document.trailing)
  },
  describe(document) {
    const fields = HEADER.describe(document, 0)
    if (document.body) fields.push(field('body', `u8 x ${document.body.length}`, 8, document.body.length, document.body, { unknown: true }))
    else {
      const v = document.positions.length / 3,
        f = document.faces.length / 3
      fields.push(
        field('vertexCount', 'i32', 8, 4, v, COUNTED),
        field('positions', `f32[3] x ${v}`, 12, 12 * v, document.positions),
        field('faceCount', 'i32', 12 + 12 * v, 4, f, COUNTED),
        field('faces', `u16[3] x ${f}`, 16 + 12 * v, 6 * f, document.faces),
      )
      if (document.trailing.length)
        fields.push(
          field('trailing', 'u8', document.range.end - document.trailing.length, document.trailing.length, document.trailing, {
            unknown: true,
          }),
        )
    }
    return node('cms', say('codecs.cms.node'), document.range, fields, [], { opaque: document.body !== null })
  },
  summarize: (document) => ({
    meshes: document.body ? [] : [{ name: '', vertices: document.positions.length / 3, triangles: document.faces.length / 3 }],
    note: document.body
      ? say('codecs.cms.noteNotUnderstood', { version: document.version })
      : say('formats.faces', { count: document.faces.length / 3 }),
  }),
}
