/** Windows in the text of a script: each is written so that all other pieces keep their bytes. */
import { concat } from '../../../binary/concat.ts'
import { FormatError } from '../../../binary/format-error.ts'
import { encodeText } from './names.ts'
import { quoted, ascii, pieceText, cut, cfgBytes, parse } from './cfg-text.ts'
import { cfgMotions } from './cfg-motions.ts'
import { say } from '../texts/index.ts'
import type { CfgDocument, CfgStatement, CfgPiece } from './cfg-text.ts'
import type { CfgKey, CfgMotion } from './cfg-motions.ts'

/** Bytes of a name that the engine of DC2 keeps (its buffer is about 0x20 long). */
export const NAME_BYTES = 31

export interface CfgKeyValues {
  name: string
  start: number
  end: number
  speed: number
}

/** A number as it would stand in the file, with as many decimals as the old one had where they suffice. */
export function numberText(value: number, old: string | undefined): string {
  if (!Number.isFinite(value)) throw new FormatError('invalid-edit', say('codecs.cfg.noNumber'), { actual: String(value) })
  const decimals = old?.includes('.') ? Math.min(6, old.split('.')[1].replace(/\D.*$/, '').length) : 0
  let text = ''
  for (let d = decimals; d <= 6; d++) {
    text = value.toFixed(d)
    if (Math.abs(Number(text) - value) <= Math.abs(value) * 1e-6) break
  }
  return text
}

export function checkName(name: string): void {
  for (const c of name)
    if (c < ' ' || c === '\x7f')
      throw new FormatError('invalid-edit', say('codecs.cfg.nameOfOneLine'), {
        path: 'name',
        actual: JSON.stringify(name),
      })
}

/** Changes one KEY in place: only the pieces whose value differs get other bytes. */
export function setKey(document: CfgDocument, key: CfgKey, values: Partial<CfgKeyValues>): void {
  assertEditable(document)
  if (key.broken)
    throw new FormatError('invalid-edit', say('codecs.cfg.keyWithoutList'), {
      file: document.ref,
      path: 'KEY',
    })
  const { statement } = key
  const named = statement.args[0]?.kind === 'string'
  const first = named ? 1 : 0
  const parts = [values.start, values.end, values.speed]
  const was = [key.start, key.end, key.speed]
  // encode first: a refused name must leave nothing changed
  const name = values.name !== undefined && values.name !== key.name ? values.name : undefined
  if (name !== undefined) checkName(name)
  const nameBytes = name === undefined ? undefined : named || document.dialect === 'dc2' ? quoted(name) : encodeText(name)
  const numbers = parts.map((value, i) =>
    value === undefined || value === was[i] ? undefined : ascii(numberText(value, pieceText(statement.args[first + i]))),
  )
  numbers.forEach((bytes, i) => {
    if (bytes) statement.args[first + i].bytes = bytes
  })
  if (name !== undefined && nameBytes) {
    if (named) statement.args[0].bytes = nameBytes
    else if (document.dialect === 'dc2')
      insertPieces(document, statement.args[0], [
        { kind: 'string', bytes: nameBytes },
        { kind: 'comma', bytes: ascii(',') },
        { kind: 'blank', bytes: ascii(' ') },
      ])
    else setComment(document, statement, name, nameBytes)
  }
  reparse(document)
}

/** The name of a DC1 KEY is the comment behind it. */
function setComment(document: CfgDocument, statement: CfgStatement, name: string, nameBytes: Uint8Array): void {
  const comment = statement.comment
  if (comment) {
    comment.bytes = withComment(comment.bytes, name, nameBytes)
    return
  }
  if (!name) return
  const last = document.pieces.indexOf(statement.pieces.at(-1)!)
  let at = last + 1
  while (at < document.pieces.length && document.pieces[at].kind === 'blank') at++
  const blanks = at > last + 1
  document.pieces.splice(at, 0, ...(blanks ? [] : [{ kind: 'blank' as const, bytes: ascii(' ') }]), {
    kind: 'lineComment',
    bytes: concat(Uint8Array, [ascii('//'), nameBytes]),
  })
}

/** A comment with another text in it: blanks around it stay. They are ASCII, so bytes and characters agree here. */
function withComment(old: Uint8Array, text: string, textBytes: Uint8Array): Uint8Array {
  const block = old[1] === 0x2a
  if (block && text.includes('*/')) throw new FormatError('invalid-edit', say('codecs.cfg.nameInComment'), { path: 'name', actual: text })
  let from = 2
  let to = old.length - (block && old.length >= 4 ? 2 : 0)
  while (from < to && old[from] <= 0x20) from++
  while (to > from && old[to - 1] <= 0x20) to--
  return concat(Uint8Array, [old.subarray(0, from), textBytes, old.subarray(to)])
}

/** An argument or a comment with another value in it, as it is described: a string keeps its quotes, a number stays one. */
export function withToken({ type, value: old }: { type: string; value: string }, bytes: Uint8Array, value: string): Uint8Array {
  checkName(value)
  if (type === 'string') return quoted(value)
  if (type === 'comment') return withComment(bytes, value, encodeText(value))
  const number = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/
  if (number.test(old) ? !number.test(value) : !/^[\w.+-]+$/.test(value))
    throw new FormatError('invalid-edit', say('codecs.cfg.noNumber'), { actual: value })
  return encodeText(value)
}

function insertPieces(document: CfgDocument, before: CfgPiece, pieces: CfgPiece[]): void {
  document.pieces.splice(document.pieces.indexOf(before), 0, ...pieces)
}

function assertEditable(document: CfgDocument): void {
  if (document.readOnly) throw new FormatError('read-only', document.readOnly, { file: document.ref })
}

/** Pieces were exchanged: cut the text again, so that what stands in the document is what the file will say. */
function reparse(document: CfgDocument): void {
  document.pieces = cut(cfgBytes(document))
  const { dialect, statements } = parse(document.pieces)
  document.dialect = dialect
  document.statements = statements
}

/** Index range of the lines of a statement: from behind the line break before it to behind the one after it. */
function lineRange(document: CfgDocument, statement: CfgStatement): { from: number; to: number; alone: boolean } {
  const first = document.pieces.indexOf(statement.pieces[0])
  const last = document.pieces.indexOf(statement.pieces.at(-1)!)
  let from = first
  while (from > 0 && document.pieces[from - 1].kind === 'blank') from--
  let to = last + 1
  while (to < document.pieces.length && (document.pieces[to].kind === 'blank' || document.pieces[to].kind.endsWith('Comment'))) to++
  const newlineAfter = document.pieces[to]?.kind === 'newline'
  const alone = (from === 0 || document.pieces[from - 1].kind === 'newline') && (newlineAfter || to === document.pieces.length)
  return alone ? { from, to: newlineAfter ? to + 1 : to, alone } : { from: first, to: last + 1, alone }
}

/** The line break of the file. */
export function lineEnd(document: CfgDocument): Uint8Array {
  return document.pieces.find((p) => p.kind === 'newline')?.bytes ?? ascii('\r\n')
}

/** Takes a KEY out, with its line where it stands alone on it. */
export function removeKey(document: CfgDocument, key: CfgKey): void {
  assertEditable(document)
  const { from, to } = lineRange(document, key.statement)
  document.pieces.splice(from, to - from)
  reparse(document)
}

/** Bytes of the lines of a KEY, its line break included. */
export function keyLine(document: CfgDocument, key: CfgKey): Uint8Array {
  const { from, to } = lineRange(document, key.statement)
  const bytes = concat(
    Uint8Array,
    document.pieces.slice(from, to).map((p) => p.bytes),
  )
  return document.pieces[to - 1]?.kind === 'newline' ? bytes : concat(Uint8Array, [bytes, lineEnd(document)])
}

/**
 * Puts a KEY into a block at position `at` of its list. It is written like the KEY before it (blanks, decimals), or in
 * the plain form of the dialect.
 */
export function insertKey(document: CfgDocument, motionIndex: number, at: number, values: CfgKeyValues): void {
  assertEditable(document)
  const motion = cfgMotions(document)[motionIndex]
  if (!motion) throw new FormatError('invalid-edit', say('codecs.cfg.noMotion'), { file: document.ref })
  insertLine(document, motion, at, plainKey(document, values, motion.keys[Math.min(at, motion.keys.length - 1)]))
}

/** Puts the bytes of a whole line into the list of a block. */
export function insertLine(document: CfgDocument, motion: CfgMotion, at: number, line: Uint8Array): void {
  assertEditable(document)
  const place = placeOf(document, motion, at)
  const needsBreak = place > 0 && document.pieces[place - 1].kind !== 'newline'
  document.pieces.splice(place, 0, ...(needsBreak ? [{ kind: 'newline' as const, bytes: lineEnd(document) }] : []), {
    kind: 'other',
    bytes: line,
  })
  reparse(document)
}

/** Where in `pieces` the KEY number `at` of a block begins or would begin. */
function placeOf(document: CfgDocument, motion: CfgMotion, at: number): number {
  const next = motion.keys[at]
  if (next) return lineRange(document, next.statement).from
  const previous = motion.keys.at(-1)?.statement ?? motion.keyStart ?? motion.statement
  if (!previous) return document.pieces.length
  return lineRange(document, previous).alone ? lineRange(document, previous).to : document.pieces.indexOf(previous.pieces.at(-1)!) + 1
}

function plainKey(document: CfgDocument, values: CfgKeyValues, like: CfgKey | undefined): Uint8Array {
  checkName(values.name)
  const end = lineEnd(document)
  const numbers = `${numberText(values.start, undefined)}, ${numberText(values.end, undefined)}, ${numberText(values.speed, '0.00')}`
  if (document.dialect === 'dc2' || like?.statement.args[0]?.kind === 'string')
    return concat(Uint8Array, [indentOf(document, like), ascii('KEY '), quoted(values.name), ascii(`, ${numbers};`), end])
  return concat(Uint8Array, [
    indentOf(document, like),
    ascii(`KEY  ${numbers.replaceAll(', ', ',  ')}`),
    values.name ? concat(Uint8Array, [ascii('    //'), encodeText(values.name)]) : new Uint8Array(0),
    end,
  ])
}

/** Blanks in front of a KEY, so that a new one stands in line. */
function indentOf(document: CfgDocument, like: CfgKey | undefined): Uint8Array {
  if (!like) return new Uint8Array(0)
  const first = document.pieces.indexOf(like.statement.pieces[0])
  const before = document.pieces[first - 1]
  const starts = first < 2 || document.pieces[first - 2].kind === 'newline'
  return before?.kind === 'blank' && starts ? before.bytes : new Uint8Array(0)
}

/** Moves a KEY within its list: its line goes, byte for byte. */
export function moveKey(document: CfgDocument, motionIndex: number, from: number, to: number): void {
  assertEditable(document)
  const motion = cfgMotions(document)[motionIndex]
  const key = motion?.keys[from]
  if (!key || to < 0 || to >= motion.keys.length) throw new FormatError('invalid-edit', say('codecs.cfg.otherList'), { file: document.ref })
  const line = keyLine(document, key)
  removeKey(document, key)
  insertLine(document, cfgMotions(document)[motionIndex], to, line)
}
