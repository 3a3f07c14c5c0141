/**
 * CFG (info.cfg, or one per sub-model): the script that says which files a model has and which windows of its animation
 * are its motions. The document is the text cut into pieces (cfg-text.ts); cfg-motions.ts has what the pieces say, cfg-keys.ts changes them.
 */
import { concat } from '../../../binary/concat.ts'
import { extensionOf } from '../../../../shared/ref.ts'
import { FormatError } from '../../../binary/format-error.ts'
import { Diagnostics } from '../../format.ts'
import { field, node } from '../../../binary/structure.ts'
import { decodeText, encodeText } from './names.ts'
import { cut, parse, pieceOffsets, pieceText, argText, commentText } from './cfg-text.ts'
import { withToken } from './cfg-keys.ts'
import { cfgMotions, cfgFiles, keyPath } from './cfg-motions.ts'
import { say } from '../texts/index.ts'
import type { FileFormat, StructureNode } from '../../format.ts'
import type { CfgDocument, CfgStatement } from './cfg-text.ts'

/** What arguments are called. TEX_ANIME_DATA: a rectangle of one picture is laid over another at a place, for so many frames [V, read from the one script that has it]. */
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  MOTION: ['number', 'mot', 'bbp', 'wgt'],
  KEY_START: ['number'],
  TEX_ANIME: ['number'],
  TEX_ANIME_DATA: ['source', 'x', 'y', 'width', 'height', 'target', 'targetX', 'targetY', 'frames'],
}

/** scripts have a few kilobytes; every comma of one becomes an object */
const MAX_TEXT = 2 << 20

/** "BIN" in front and no text behind it. */
function isCompiled(bytes: Uint8Array): boolean {
  if (bytes.length < 3 || bytes[0] !== 0x42 || bytes[1] !== 0x49 || bytes[2] !== 0x4e) return false
  const next = bytes[3] ?? 0
  // a text may begin with a longer word, such as BINARY or BIN_X
  return !((next >= 0x41 && next <= 0x5a) || (next >= 0x61 && next <= 0x7a) || next === 0x5f)
}

const KNOWN_LINE =
  /(^|[\s;])(KEY_START|MOTION_END|MODEL\s+"|MOTION\s+-?\d+\s*,|KEY\s+("[^"\n]*"\s*,?\s*)?-?\d+|IMG_END|BODY_SIZE\s+[-\d]|SHADOW_MODEL|MATERIAL_ANIME|OBJECT_NAME|VERTEX_ANIME)/

export const cfgFormat: FileFormat<CfgDocument> = {
  id: 'level5.cfg',
  get label() {
    return say('codecs.cfg.label')
  },
  family: 'level5',
  kind: 'slices',
  extensions: ['cfg'],
  script: true,
  identify(head, name) {
    const extension = extensionOf(name)
    if (isCompiled(head)) return extension === 'cfg' ? 0.8 : 0
    // a script may be padded with zeros, or end in one as a string does
    let end = head.length
    while (end > 0 && head[end - 1] === 0) end--
    const script = head.subarray(0, end)
    if (script.includes(0)) return 0
    let text = ''
    for (let i = 0; i < script.length; i++) text += String.fromCharCode(script[i])
    if (!KNOWN_LINE.test(text)) return 0
    return extension === 'cfg'
      ? 0.9
      : /(^|[\s;])(KEY_START|MOTION_END|IMG_END)/.test(text) && /(^|[\s;])(MODEL|MOTION|KEY|IMG)\s/.test(text)
        ? 0.6
        : 0.2
  },
  decode(bytes, ref) {
    const diagnostics = new Diagnostics(ref)
    if (isCompiled(bytes)) {
      return {
        format: 'level5.cfg',
        ref,
        diagnostics: diagnostics.list,
        dialect: 'dc2',
        pieces: [],
        statements: [],
        compiled: bytes.slice(),
        readOnly: say('codecs.cfg.compiledOnly'),
      }
    }
    if (bytes.length > MAX_TEXT)
      throw new FormatError('unsupported', say('codecs.cfg.tooLong', { size: bytes.length, most: MAX_TEXT }), {
        file: ref,
        offset: 0,
        expected: say('files.atMostBytes', { count: MAX_TEXT }),
        actual: say('files.byteCount', { count: bytes.length }),
      })
    const pieces = cut(bytes.slice())
    const { dialect, statements } = parse(pieces)
    const document: CfgDocument = { format: 'level5.cfg', ref, diagnostics: diagnostics.list, dialect, pieces, statements }
    checkText(document, diagnostics)
    return document
  },
  encode(document, out) {
    if (document.compiled) out.opaque(document.compiled)
    for (const piece of document.pieces) out.raw(piece.bytes)
  },
  describe,
  encodeText: (text) => encodeText(text),
  withText: withToken,
  summarize(document) {
    if (document.compiled) return { note: say('codecs.cfg.compiledNote') }
    const motions = cfgMotions(document)
    const keys = motions.flatMap((m) => m.keys)
    const files = cfgFiles(document)
    return {
      slices: keys.map(({ name, start, end, speed }) => ({ name, start, end, speed })),
      needs: [...files.model, ...files.images, ...motions.flatMap((m) => [m.mot, m.bbp, m.wgt])]
        .filter(Boolean)
        .map((name) => `level5.file:${name}`),
      counted: say('codecs.cfg.windows', { count: keys.length }),
      note: [say(`codecs.cfg.game.${document.dialect}`), say('codecs.cfg.motions', { count: motions.length })].join(', '),
    }
  },
}

function checkText(document: CfgDocument, diagnostics: Diagnostics): void {
  const offsets = pieceOffsets(document)
  for (const piece of document.pieces) {
    if (piece.kind === 'string' && (piece.bytes.length < 2 || piece.bytes.at(-1) !== 0x22))
      diagnostics.add(
        'warning',
        'level5.cfg-quote',
        say('codecs.cfg.stringNotClosed', { string: pieceText(piece) }),
        'text',
        offsets.get(piece),
      )
    if (piece.kind === 'blockComment' && !(piece.bytes.length >= 4 && piece.bytes.at(-1) === 0x2f && piece.bytes.at(-2) === 0x2a))
      diagnostics.add('warning', 'level5.cfg-comment', say('codecs.cfg.commentNotClosed'), 'text', offsets.get(piece))
  }
  cfgMotions(document).forEach((motion, m) =>
    motion.keys.forEach((key, k) => {
      if (key.broken)
        diagnostics.add(
          'warning',
          'level5.cfg-key',
          say('codecs.cfg.keyWithoutNumbers'),
          keyPath(m, k),
          offsets.get(key.statement.pieces[0]),
        )
      else if (document.dialect === 'dc2' && !key.statement.ended)
        diagnostics.add(
          'warning',
          'level5.cfg-semicolon',
          say('codecs.cfg.keyWithoutSemicolon'),
          keyPath(m, k),
          offsets.get(key.statement.pieces[0]),
        )
    }),
  )
}

const TOKEN = { use: { is: 'text', form: 'token' } } as const

function describe(document: CfgDocument): StructureNode {
  if (document.compiled) {
    const n = document.compiled.length
    return node(
      '',
      'level5.cfg',
      { start: 0, end: n },
      [
        field('magic', 'char[3]', 0, 3, 'BIN'),
        field('script', `u8[${n - 3}]`, 3, n - 3, document.compiled.subarray(3), {
          unknown: true,
          note: say('codecs.cfg.compiledNotRead'),
        }),
      ],
      [],
      { opaque: true },
    )
  }
  const offsets = pieceOffsets(document)
  const last = document.pieces.at(-1)
  const size = last ? offsets.get(last)! + last.bytes.length : 0
  const paths = new Map<CfgStatement, string>()
  cfgMotions(document).forEach((motion, m) => {
    if (motion.statement) paths.set(motion.statement, `motions[${m}]`)
    motion.keys.forEach((key, k) => paths.set(key.statement, keyPath(m, k)))
  })
  const blanksAt = new Map(
    document.pieces.flatMap((piece) => (piece.kind === 'blank' ? [[offsets.get(piece)!, piece.bytes.length] as const] : [])),
  )
  const children = document.statements.map((statement, i) => {
    const start = offsets.get(statement.pieces[0])!
    const lastPiece = statement.pieces.at(-1)!
    let end = offsets.get(lastPiece)! + lastPiece.bytes.length
    const isKey = statement.command === 'KEY'
    const named = statement.args[0]?.kind === 'string'
    const labels = isKey ? (named ? ['name', 'start', 'end', 'speed'] : ['start', 'end', 'speed']) : (ARGUMENTS[statement.command] ?? [])
    const fields = statement.args.map((arg, a) =>
      field(
        labels[a] ?? `arg${a}`,
        arg.kind === 'string' ? 'string' : 'number',
        offsets.get(arg)!,
        arg.bytes.length,
        arg.kind === 'string' ? argText(arg) : pieceText(arg),
        TOKEN,
      ),
    )
    if (statement.comment) {
      const at = offsets.get(statement.comment)!
      fields.push(
        field(
          isKey && document.dialect === 'dc1' ? 'name' : 'comment',
          'comment',
          at,
          statement.comment.bytes.length,
          commentText(statement.comment),
          TOKEN,
        ),
      )
      end = Math.max(end, at + statement.comment.bytes.length)
    }
    // blanks up to the next piece are its own: a name that is put in as a comment stands behind them
    end += blanksAt.get(end) ?? 0
    return node(paths.get(statement) ?? `statements[${i}]`, statement.command || say('formats.nodes.text'), { start, end }, fields, [], {
      summary: decodeText(
        concat(
          Uint8Array,
          statement.pieces.map((p) => p.bytes),
        ),
      ).replace(/\s+/g, ' '),
    })
  })
  return node('', 'level5.cfg', { start: 0, end: size }, [], children, {
    summary: [say(`codecs.cfg.game.${document.dialect}`), say('codecs.cfg.statements', { count: document.statements.length })].join(', '),
  })
}
