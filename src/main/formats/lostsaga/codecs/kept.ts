/** MTL, FNT, PGF, AFX, EDG: only token and version are public. Header and hex are shown, bytes kept, editing refused; no layout is invented. */
import { Diagnostics, type Document, type FileFormat, type SourceRange } from '../../format.ts'
import { i32, magic, record } from '../../../binary/layout.ts'
import { Reader } from '../../../binary/reader.ts'
import { field, node } from '../../../binary/structure.ts'
import { hasToken } from './token.ts'
import { say } from '../texts/index.ts'
import type { Writer } from '../../../binary/writer.ts'

export interface KeptDocument extends Document {
  version: number
  body: Uint8Array
  range: SourceRange
}

type Token = 'MTL' | 'FNT' | 'PGF' | 'AFX' | 'EDG'

function kept(token: Token, kind: FileFormat['kind'], version: number): FileFormat<KeptDocument> {
  const id = `lostsaga.${token.toLowerCase()}`
  const header = record({ token: magic(`${token}\0`, () => say(`codecs.kept.notOne.${token}`)), version: i32 })
  return {
    id,
    get label() {
      return say(`codecs.kept.labels.${token}`)
    },
    family: 'lostsaga',
    kind,
    extensions: [token.toLowerCase()],
    identify: (head) => (hasToken(head, token) ? 1 : 0),
    decode(bytes, ref) {
      const reader = new Reader(bytes, ref)
      const { version: found } = header.read(reader)
      const diagnostics = new Diagnostics(ref)
      if (version && found !== version)
        diagnostics.add('warning', 'lostsaga.unknown-version', say('codecs.kept.unknownVersion', { found, version }), 'version', 4)
      diagnostics.add('info', 'lostsaga.layout-unknown', say('codecs.kept.keptAsIs', { token }), '', header.size)
      return {
        format: id,
        ref,
        diagnostics: diagnostics.list,
        version: found,
        body: reader.rest(),
        range: { start: 0, end: bytes.length },
        readOnly: say('codecs.kept.notPublic', { token }),
      }
    },
    encode(document, out: Writer) {
      header.write(out, document)
      out.opaque(document.body)
    },
    describe: (document) =>
      node(
        token.toLowerCase(),
        say(`codecs.kept.labels.${token}`),
        document.range,
        [
          ...header.describe(document, 0),
          field('body', `u8 x ${document.body.length}`, header.size, document.body.length, document.body, {
            unknown: true,
            note: say('codecs.kept.noLayout'),
          }),
        ],
        [],
        { opaque: true },
      ),
    summarize: (document) => ({ note: say('codecs.kept.note', { version: document.version }) }),
  }
}

export const keptFormats: readonly FileFormat<KeptDocument>[] = [
  kept('MTL', 'material', 3000),
  kept('FNT', 'other', 5000),
  kept('PGF', 'other', 0),
  kept('AFX', 'other', 6000),
  kept('EDG', 'other', 7000),
]
