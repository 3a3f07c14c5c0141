/**
 * CFG (info.cfg, or one per sub-model): the script that says which files a model has and which windows of its animation
 * are its motions. Text, CP932, in two dialects:
 * - Dark Cloud 1: no semicolons, no names: `KEY  1,  10,  0.17    //walk`; arguments apart by comma or blanks; the comment
 *   behind a KEY is the only name it has; no KEY_END.
 * - Dark Cloud 2: statements end in `;` and may span lines; `KEY "name", 4, 14, 0.35;`; KEY_START; ... KEY_END; ... MOTION_END;
 *
 * The document is the text cut into pieces, each with its own bytes: an edit exchanges pieces, everything else stays.
 * Text is cut as CP932, so a quote or backslash that is the second half of a character is not one.
 */
import { extensionOf } from '../../../../shared/ref.ts'
import { FormatError } from '../../../binary/format-error.ts'
import { Diagnostics } from '../../format.ts'
import { field, node } from '../../../binary/structure.ts'
import { decodeText, encodeText, isLead, isTrail } from './names.ts'
import type { Document, FileFormat, StructureNode } from '../../format.ts'

export type PieceKind = 'blank' | 'newline' | 'lineComment' | 'blockComment' | 'word' | 'string' | 'comma' | 'end' | 'other'

export interface CfgPiece {
  kind: PieceKind
  bytes: Uint8Array
}

export interface CfgStatement {
  /** upper case, '' for a statement that does not begin with a word */
  command: string
  /** pieces of the statement: from the command to its last argument or `;` */
  pieces: CfgPiece[]
  /** arguments without commas */
  args: CfgPiece[]
  /** does it end in `;`? */
  ended: boolean
  /** the comment behind it on its last line */
  comment?: CfgPiece
}

export type CfgDialect = 'dc1' | 'dc2'

export interface CfgDocument extends Document {
  readonly format: 'level5.cfg'
  dialect: CfgDialect
  pieces: CfgPiece[]
  /** in file order; made of `pieces` */
  statements: CfgStatement[]
  /** bytes of a compiled script; then there are no pieces */
  compiled?: Uint8Array
}

export interface CfgKey {
  statement: CfgStatement
  name: string
  start: number
  end: number
  speed: number
  /** arguments are missing or no numbers: the game reads on into the next statement */
  broken: boolean
}

/** A MOTION block with its windows. A file may have several (up to 8 in DC1). */
export interface CfgMotion {
  /** the number behind MOTION, -1 when KEYs stand outside any block */
  number: number
  statement?: CfgStatement
  mot: string
  bbp: string
  wgt: string
  keyStart?: CfgStatement
  keys: CfgKey[]
  keyEnd?: CfgStatement
  motionEnd?: CfgStatement
}

/** Commands of both engines. A bare word of this list begins a statement wherever it stands. */
const COMMANDS = new Set(
  (
    'VERTEX_ANIME SHADOW_VERTEX_ANIME MODEL SHADOW_MODEL MOTION SHADOW_MOTION KEY KEY_START KEY_END MOTION_END CLOTH BODY_SIZE ALLOC_MDT ALLOC_DBUFF ' +
    'ALLOC_SHADOW_MDT ALLOC_SHADOW_DBUFF IMG IMG_END FOOT EVENT MATERIAL_ANIME TEX_ANIME TEX_ANIME_DATA TEX_ANIME_END V2 NAME SCALE POLY_NUM OUTLINE ' +
    'OBJECT_NAME OBJECT_NAME2 SHAPE_ANIME SEQ_START SEQ SEQ_END POSITION ROTATION'
  ).split(' '),
)
const COMMAND_PREFIXES = ['CLOTH_', 'SE_', 'EFFECT_', 'LOD_MODEL_', 'SKIN_']

function isCommand(word: string): boolean {
  return COMMANDS.has(word) || COMMAND_PREFIXES.some((prefix) => word.startsWith(prefix))
}

/** What arguments are called. TEX_ANIME_DATA: a rectangle of one picture is laid over another at a place, for so many frames [V, read from the one script that has it]. */
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  MOTION: ['number', 'mot', 'bbp', 'wgt'],
  KEY_START: ['number'],
  TEX_ANIME: ['number'],
  TEX_ANIME_DATA: ['source', 'x', 'y', 'width', 'height', 'target', 'targetX', 'targetY', 'frames'],
}

/** Bytes of a name that the engine of DC2 keeps (its buffer is about 0x20 long). */
export const NAME_BYTES = 31
/** scripts have a few kilobytes; every comma of one becomes an object */
const MAX_TEXT = 2 << 20

function pieceText(piece: CfgPiece): string {
  return decodeText(piece.bytes)
}

/** Value of a string argument: without its quotes, `\"` and `\\` taken apart. Words count as they are. */
export function argText(piece: CfgPiece): string {
  if (piece.kind !== 'string') return pieceText(piece)
  const b = piece.bytes
  const closed = b.length > 1 && b[b.length - 1] === 0x22
  const out: number[] = []
  for (let i = 1; i < b.length - (closed ? 1 : 0); i++) {
    if (isLead(b[i]) && i + 1 < b.length && isTrail(b[i + 1])) {
      out.push(b[i], b[i + 1])
      i++
    } else if (b[i] === 0x5c && (b[i + 1] === 0x22 || b[i + 1] === 0x5c) && i + 1 < b.length - (closed ? 1 : 0)) {
      out.push(b[i + 1])
      i++
    } else out.push(b[i])
  }
  return decodeText(Uint8Array.from(out))
}

/** A string argument of this value, quoted. */
function quoted(text: string): Uint8Array {
  const plain = encodeText(text)
  const out: number[] = [0x22]
  for (let i = 0; i < plain.length; i++) {
    if (isLead(plain[i]) && i + 1 < plain.length) {
      out.push(plain[i], plain[i + 1])
      i++
      continue
    }
    if (plain[i] === 0x22 || plain[i] === 0x5c) out.push(0x5c)
    out.push(plain[i])
  }
  out.push(0x22)
  return Uint8Array.from(out)
}

/** A number argument as the engine reads it (the longest number in front); undefined for none. */
function argNumber(piece: CfgPiece | undefined): number | undefined {
  if (!piece || piece.kind !== 'word') return undefined
  const match = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?/.exec(pieceText(piece))
  return match ? Number(match[0]) : undefined
}

// --- cutting -----------------------------------------------------------------------------------------------------

/** Pieces are windows on `bytes`. */
function cut(bytes: Uint8Array): CfgPiece[] {
  const pieces: CfgPiece[] = []
  const n = bytes.length
  let at = 0
  const push = (kind: PieceKind, end: number): void => {
    pieces.push({ kind, bytes: bytes.subarray(at, end) })
    at = end
  }
  const step = (i: number): number => (isLead(bytes[i]) && i + 1 < n && isTrail(bytes[i + 1]) ? i + 2 : i + 1)
  while (at < n) {
    const b = bytes[at]
    if (b === 0x0d || b === 0x0a) push('newline', b === 0x0d && bytes[at + 1] === 0x0a ? at + 2 : at + 1)
    else if (b <= 0x20) {
      let end = at + 1
      while (end < n && bytes[end] <= 0x20 && bytes[end] !== 0x0d && bytes[end] !== 0x0a) end++
      push('blank', end)
    } else if (b === 0x2f && bytes[at + 1] === 0x2f) {
      let end = at + 2
      while (end < n && bytes[end] !== 0x0d && bytes[end] !== 0x0a) end++
      push('lineComment', end)
    } else if (b === 0x2f && bytes[at + 1] === 0x2a) {
      let end = at + 2
      while (end < n && !(bytes[end] === 0x2a && bytes[end + 1] === 0x2f)) end = step(end)
      push('blockComment', Math.min(n, end + 2))
    } else if (b === 0x22) push('string', stringEnd(bytes, at, step))
    else if (b === 0x2c) push('comma', at + 1)
    else if (b === 0x3b) push('end', at + 1)
    else {
      let end = at
      while (end < n) {
        const c = bytes[end]
        if (c <= 0x20 || c === 0x22 || c === 0x2c || c === 0x3b || (c === 0x2f && (bytes[end + 1] === 0x2f || bytes[end + 1] === 0x2a)))
          break
        end = step(end)
      }
      push(end > at ? 'word' : 'other', Math.min(n, Math.max(end, at + 1)))
    }
  }
  return pieces
}

/** End of the string that begins at `from`: behind its closing quote, or at the end of the line. */
function stringEnd(bytes: Uint8Array, from: number, step: (i: number) => number): number {
  let end = from + 1
  let escapedQuote = -1
  while (end < bytes.length && bytes[end] !== 0x0d && bytes[end] !== 0x0a) {
    if (bytes[end] === 0x22) return end + 1
    if (bytes[end] === 0x5c && (bytes[end + 1] === 0x22 || bytes[end + 1] === 0x5c)) {
      if (bytes[end + 1] === 0x22) escapedQuote = end + 1
      end += 2
    } else end = step(end)
  }
  // never closed: a backslash in front of the last quote was part of a path, not an escape
  return escapedQuote >= 0 ? escapedQuote + 1 : Math.min(end, bytes.length)
}

function parse(pieces: CfgPiece[]): { dialect: CfgDialect; statements: CfgStatement[] } {
  const dialect: CfgDialect = pieces.some((p) => p.kind === 'end') ? 'dc2' : 'dc1'
  const statements: CfgStatement[] = []
  let open: CfgStatement | undefined
  /** pieces between the last argument and here: part of the statement only if it goes on */
  let held: CfgPiece[] = []
  let afterComma = false
  let sameLine: CfgStatement | undefined
  const close = (): void => {
    open = undefined
    held = []
    afterComma = false
  }
  for (const piece of pieces) {
    switch (piece.kind) {
      case 'blank':
        if (open) held.push(piece)
        break
      case 'lineComment':
      case 'blockComment':
        if (sameLine && !sameLine.comment) sameLine.comment = piece
        if (open) held.push(piece)
        break
      case 'newline':
        sameLine = undefined
        // DC1 ends with its line (a comma says that it goes on), DC2 with its semicolon
        if (open && dialect === 'dc1' && !afterComma) close()
        else if (open) held.push(piece)
        break
      case 'end':
        if (open) {
          open.pieces.push(...held, piece)
          open.ended = true
          sameLine = open
          close()
        }
        break
      case 'comma':
        if (!open) break
        open.pieces.push(...held, piece)
        held = []
        afterComma = true
        break
      default: {
        const begins: boolean = piece.kind === 'word' && (!open || isCommand(pieceText(piece)))
        if (begins || !open) {
          open = {
            command: piece.kind === 'word' ? pieceText(piece) : '',
            pieces: [piece],
            args: piece.kind === 'word' ? [] : [piece],
            ended: false,
          }
          statements.push(open)
          held = []
        } else {
          open.pieces.push(...held, piece)
          open.args.push(piece)
          held = []
        }
        afterComma = false
        sameLine = open
      }
    }
  }
  return { dialect, statements }
}

// --- reading -----------------------------------------------------------------------------------------------------

/** Text of the comment behind a statement, without its marks and surrounding blanks. */
function commentText(piece: CfgPiece | undefined): string {
  if (!piece) return ''
  const text = pieceText(piece)
  return (piece.kind === 'blockComment' ? text.replace(/^\/\*/, '').replace(/\*\/$/, '') : text.slice(2)).trim()
}

function keyOf(statement: CfgStatement, dialect: CfgDialect): CfgKey {
  const named = statement.args[0]?.kind === 'string'
  const numbers = statement.args.slice(named ? 1 : 0).map(argNumber)
  return {
    statement,
    name: named ? argText(statement.args[0]) : dialect === 'dc1' ? commentText(statement.comment) : '',
    start: numbers[0] ?? 0,
    end: numbers[1] ?? 0,
    speed: numbers[2] ?? 0,
    broken: numbers.length < 3 || numbers.slice(0, 3).some((v) => v === undefined),
  }
}

function newMotionBlock(number: number, statement?: CfgStatement): CfgMotion {
  const strings = statement?.args.filter((a) => a.kind === 'string').map(argText) ?? []
  return { number, statement, mot: strings[0] ?? '', bbp: strings[1] ?? '', wgt: strings[2] ?? '', keys: [] }
}

/** The MOTION blocks in file order, each with its KEY list. KEYs of SHADOW_MOTION are none: it has no list of its own. */
export function cfgMotions(document: CfgDocument): CfgMotion[] {
  const out: CfgMotion[] = []
  let open: CfgMotion | undefined
  const current = (): CfgMotion => {
    if (!open) {
      open = newMotionBlock(-1)
      out.push(open)
    }
    return open
  }
  for (const statement of document.statements) {
    switch (statement.command) {
      case 'MOTION':
        open = newMotionBlock(argNumber(statement.args[0]) ?? 0, statement)
        out.push(open)
        break
      case 'KEY_START':
        current().keyStart ??= statement
        break
      case 'KEY':
        current().keys.push(keyOf(statement, document.dialect))
        break
      case 'KEY_END':
        if (open) open.keyEnd ??= statement
        break
      case 'MOTION_END':
        if (open) open.motionEnd = statement
        open = undefined
        break
    }
  }
  return out
}

/** Files that the script names. */
export function cfgFiles(document: CfgDocument): { model: string[]; shadowModel: string[]; images: string[]; motions: CfgMotion[] } {
  const strings = (command: string): string[] =>
    document.statements
      .filter((s) => s.command === command)
      .flatMap((s) =>
        s.args
          .filter((a) => a.kind === 'string')
          .map(argText)
          .filter(Boolean),
      )
  return { model: strings('MODEL'), shadowModel: strings('SHADOW_MODEL'), images: strings('IMG'), motions: cfgMotions(document) }
}

/** Path of a KEY in the document, as slices carry it. */
export function keyPath(motion: number, key: number): string {
  return `motions[${motion}].keys[${key}]`
}

export function keyAt(
  document: CfgDocument,
  path: string,
): { motion: CfgMotion; motionIndex: number; keyIndex: number; key: CfgKey } | undefined {
  const match = /^motions\[(\d+)\]\.keys\[(\d+)\]$/.exec(path)
  if (!match) return undefined
  const motion = cfgMotions(document)[Number(match[1])]
  const key = motion?.keys[Number(match[2])]
  return key ? { motion, motionIndex: Number(match[1]), keyIndex: Number(match[2]), key } : undefined
}

// --- editing -----------------------------------------------------------------------------------------------------

export interface CfgKeyValues {
  name: string
  start: number
  end: number
  speed: number
}

const ascii = (text: string): Uint8Array => Uint8Array.from(text, (c) => c.charCodeAt(0))

/** A number as it would stand in the file, with as many decimals as the old one had where they suffice. */
function numberText(value: number, old: string | undefined): string {
  if (!Number.isFinite(value)) throw new FormatError('invalid-edit', 'this is no number', { actual: String(value) })
  const decimals = old?.includes('.') ? Math.min(6, old.split('.')[1].replace(/\D.*$/, '').length) : 0
  let text = ''
  for (let d = decimals; d <= 6; d++) {
    text = value.toFixed(d)
    if (Math.abs(Number(text) - value) <= Math.abs(value) * 1e-6) break
  }
  return text
}

function checkName(name: string): void {
  for (const c of name)
    if (c < ' ' || c === '\x7f')
      throw new FormatError('invalid-edit', 'a name cannot hold line breaks or control characters', {
        path: 'name',
        actual: JSON.stringify(name),
      })
}

/** Changes one KEY in place: only the pieces whose value differs get other bytes. */
export function setKey(document: CfgDocument, key: CfgKey, values: Partial<CfgKeyValues>): void {
  assertEditable(document)
  if (key.broken)
    throw new FormatError('invalid-edit', 'this KEY has no complete list of numbers; it can be removed, not changed', {
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
    const block = comment.kind === 'blockComment'
    if (block && name.includes('*/'))
      throw new FormatError('invalid-edit', 'a name in a /* */ comment cannot hold */', { path: 'name', actual: name })
    const old = comment.bytes
    // blanks around the text stay; they are ASCII, so bytes and characters agree here
    let from = 2
    let to = old.length - (block && old.length >= 4 ? 2 : 0)
    while (from < to && old[from] <= 0x20) from++
    while (to > from && old[to - 1] <= 0x20) to--
    comment.bytes = concat([old.subarray(0, from), nameBytes, old.subarray(to)])
    return
  }
  if (!name) return
  const last = document.pieces.indexOf(statement.pieces.at(-1)!)
  let at = last + 1
  while (at < document.pieces.length && document.pieces[at].kind === 'blank') at++
  const blanks = at > last + 1
  document.pieces.splice(at, 0, ...(blanks ? [] : [{ kind: 'blank' as const, bytes: ascii(' ') }]), {
    kind: 'lineComment',
    bytes: concat([ascii('//'), nameBytes]),
  })
}

function insertPieces(document: CfgDocument, before: CfgPiece, pieces: CfgPiece[]): void {
  document.pieces.splice(document.pieces.indexOf(before), 0, ...pieces)
}

export function concat(parts: readonly Uint8Array[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((n, p) => n + p.length, 0))
  let at = 0
  for (const p of parts) {
    out.set(p, at)
    at += p.length
  }
  return out
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

export function cfgBytes(document: CfgDocument): Uint8Array {
  return document.compiled ?? concat(document.pieces.map((p) => p.bytes))
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
  const bytes = concat(document.pieces.slice(from, to).map((p) => p.bytes))
  return document.pieces[to - 1]?.kind === 'newline' ? bytes : concat([bytes, lineEnd(document)])
}

/**
 * Puts a KEY into a block at position `at` of its list. It is written like the KEY before it (blanks, decimals), or in
 * the plain form of the dialect.
 */
export function insertKey(document: CfgDocument, motionIndex: number, at: number, values: CfgKeyValues): void {
  assertEditable(document)
  const motion = cfgMotions(document)[motionIndex]
  if (!motion) throw new FormatError('invalid-edit', 'the script has no MOTION block to put a window into', { file: document.ref })
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
    return concat([indentOf(document, like), ascii('KEY '), quoted(values.name), ascii(`, ${numbers};`), end])
  return concat([
    indentOf(document, like),
    ascii(`KEY  ${numbers.replaceAll(', ', ',  ')}`),
    values.name ? concat([ascii('    //'), encodeText(values.name)]) : new Uint8Array(0),
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
  if (!key || to < 0 || to >= motion.keys.length)
    throw new FormatError('invalid-edit', 'a window moves within its own list only', { file: document.ref })
  const line = keyLine(document, key)
  removeKey(document, key)
  insertLine(document, cfgMotions(document)[motionIndex], to, line)
}

// --- making ------------------------------------------------------------------------------------------------------

export interface NewCfg {
  images?: readonly string[]
  model: string
  bodySize?: readonly [number, number, number]
  motions: readonly { number: number; mot: string; bbp?: string; wgt?: string; keys: readonly CfgKeyValues[] }[]
}

/** The bytes of a script for a model, in the form of either game. */
export function newCfg(dialect: CfgDialect, init: NewCfg): Uint8Array {
  const end = dialect === 'dc2' ? ';\r\n' : '\r\n'
  const lines: Uint8Array[] = []
  const line = (text: string): number => lines.push(encodeText(text), ascii(end))
  const list = (...names: (string | undefined)[]): string => names.map((n) => `"${n ?? ''}"`).join(', ')
  init.images?.forEach((image, i) => line(`IMG ${i}, "${image}"`))
  if (init.images?.length) line('IMG_END')
  line(`MODEL "${init.model}"`)
  if (init.bodySize) line(`BODY_SIZE ${init.bodySize.join(', ')}`)
  for (const motion of init.motions) {
    lines.push(ascii('\r\n'))
    line(`MOTION ${motion.number}, ${list(motion.mot, motion.bbp, motion.wgt)}`)
    line(dialect === 'dc2' ? 'KEY_START' : `KEY_START ${motion.number}`)
    for (const key of motion.keys) {
      checkName(key.name)
      const numbers = [numberText(key.start, undefined), numberText(key.end, undefined), numberText(key.speed, '0.00')]
      if (dialect === 'dc2') lines.push(ascii('KEY '), quoted(key.name), ascii(`, ${numbers.join(', ')};\r\n`))
      else
        lines.push(
          ascii(`KEY  ${numbers.join(',  ')}    `),
          key.name ? concat([ascii('//'), encodeText(key.name)]) : ascii(''),
          ascii('\r\n'),
        )
    }
    if (dialect === 'dc2') line('KEY_END')
    line('MOTION_END')
  }
  lines.push(ascii('\r\n'))
  return concat(lines)
}

// --- the format --------------------------------------------------------------------------------------------------

/** "BIN" in front and no text behind it. */
function isCompiled(bytes: Uint8Array): boolean {
  if (bytes.length < 3 || bytes[0] !== 0x42 || bytes[1] !== 0x49 || bytes[2] !== 0x4e) return false
  const next = bytes[3] ?? 0
  // BINARY or BIN_X would be words of a text
  return !((next >= 0x41 && next <= 0x5a) || (next >= 0x61 && next <= 0x7a) || next === 0x5f)
}

const KNOWN_LINE =
  /(^|[\s;])(KEY_START|MOTION_END|MODEL\s+"|MOTION\s+-?\d+\s*,|KEY\s+("[^"\n]*"\s*,?\s*)?-?\d+|IMG_END|BODY_SIZE\s+[-\d]|SHADOW_MODEL|MATERIAL_ANIME|OBJECT_NAME|VERTEX_ANIME)/

export const cfgFormat: FileFormat<CfgDocument> = {
  id: 'level5.cfg',
  label: 'Level-5 script',
  family: 'level5',
  kind: 'slices',
  extensions: ['cfg'],
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
        readOnly: 'a compiled script (BIN): its text is not in the file',
      }
    }
    if (bytes.length > MAX_TEXT)
      throw new FormatError('unsupported', `a script of ${bytes.length} bytes: more than ${MAX_TEXT} are not read`, {
        file: ref,
        offset: 0,
        expected: `at most ${MAX_TEXT} bytes`,
        actual: `${bytes.length} bytes`,
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
  summarize(document) {
    if (document.compiled) return { note: 'compiled script' }
    const motions = cfgMotions(document)
    const keys = motions.flatMap((m) => m.keys)
    const files = cfgFiles(document)
    return {
      slices: keys.map(({ name, start, end, speed }) => ({ name, start, end, speed })),
      needs: [...files.model, ...files.images, ...motions.flatMap((m) => [m.mot, m.bbp, m.wgt])]
        .filter(Boolean)
        .map((name) => `level5.file:${name}`),
      note: `${document.dialect === 'dc1' ? 'Dark Cloud 1' : 'Dark Cloud 2'}, ${motions.length} motions, ${keys.length} windows`,
    }
  },
}

/** Offset of each piece. */
export function pieceOffsets(document: CfgDocument): Map<CfgPiece, number> {
  const out = new Map<CfgPiece, number>()
  let at = 0
  for (const piece of document.pieces) {
    out.set(piece, at)
    at += piece.bytes.length
  }
  return out
}

function checkText(document: CfgDocument, diagnostics: Diagnostics): void {
  const offsets = pieceOffsets(document)
  for (const piece of document.pieces) {
    if (piece.kind === 'string' && (piece.bytes.length < 2 || piece.bytes.at(-1) !== 0x22))
      diagnostics.add('warning', 'level5.cfg-quote', `a string is not closed on its line: ${pieceText(piece)}`, 'text', offsets.get(piece))
    if (piece.kind === 'blockComment' && !(piece.bytes.length >= 4 && piece.bytes.at(-1) === 0x2f && piece.bytes.at(-2) === 0x2a))
      diagnostics.add('warning', 'level5.cfg-comment', 'a /* comment is not closed', 'text', offsets.get(piece))
  }
  cfgMotions(document).forEach((motion, m) =>
    motion.keys.forEach((key, k) => {
      if (key.broken)
        diagnostics.add(
          'warning',
          'level5.cfg-key',
          'a KEY without three numbers: the game reads on into what follows',
          keyPath(m, k),
          offsets.get(key.statement.pieces[0]),
        )
      else if (document.dialect === 'dc2' && !key.statement.ended)
        diagnostics.add(
          'warning',
          'level5.cfg-semicolon',
          'a KEY without its semicolon',
          keyPath(m, k),
          offsets.get(key.statement.pieces[0]),
        )
    }),
  )
}

function describe(document: CfgDocument): StructureNode {
  if (document.compiled) {
    const n = document.compiled.length
    return node(
      '',
      'level5.cfg',
      { start: 0, end: n },
      [
        field('magic', 'char[3]', 0, 3, 'BIN'),
        field('script', `u8[${n - 3}]`, 3, n - 3, document.compiled.subarray(3), { unknown: true, note: 'compiled, not read' }),
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
        ),
      )
      end = Math.max(end, at + statement.comment.bytes.length)
    }
    // blanks up to the next piece are its own: a name that is put in as a comment stands behind them
    end += blanksAt.get(end) ?? 0
    return node(paths.get(statement) ?? `statements[${i}]`, statement.command || 'text', { start, end }, fields, [], {
      summary: decodeText(concat(statement.pieces.map((p) => p.bytes))).replace(/\s+/g, ' '),
    })
  })
  return node('', 'level5.cfg', { start: 0, end: size }, [], children, {
    summary: `${document.dialect === 'dc1' ? 'Dark Cloud 1' : 'Dark Cloud 2'}, ${document.statements.length} statements`,
  })
}
