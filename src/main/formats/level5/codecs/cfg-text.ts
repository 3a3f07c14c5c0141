/**
 * The text of a script: CP932, in two dialects.
 * - Dark Cloud 1: no semicolons, no names: `KEY  1,  10,  0.17    //walk`; arguments apart by comma or blanks; the comment
 *   behind a KEY is the only name it has; no KEY_END.
 * - Dark Cloud 2: statements end in `;` and may span lines; `KEY "name", 4, 14, 0.35;`; KEY_START; ... KEY_END; ... MOTION_END;
 *
 * It is cut into pieces, each with its own bytes: an edit exchanges pieces, everything else stays.
 * Text is cut as CP932, so a quote or backslash that is the second half of a character is not one.
 */
import { concat } from '../../../binary/concat.ts'
import { decodeText, encodeText, isLead, isTrail } from './names.ts'
import type { Document } from '../../format.ts'

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

export function pieceText(piece: CfgPiece): string {
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
export function quoted(text: string): Uint8Array {
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
export function argNumber(piece: CfgPiece | undefined): number | undefined {
  if (!piece || piece.kind !== 'word') return undefined
  const match = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?/.exec(pieceText(piece))
  return match ? Number(match[0]) : undefined
}

/** Pieces are windows on `bytes`. */
export function cut(bytes: Uint8Array): CfgPiece[] {
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

export function parse(pieces: CfgPiece[]): { dialect: CfgDialect; statements: CfgStatement[] } {
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

/** Text of the comment behind a statement, without its marks and surrounding blanks. */
export function commentText(piece: CfgPiece | undefined): string {
  if (!piece) return ''
  const text = pieceText(piece)
  return (piece.kind === 'blockComment' ? text.replace(/^\/\*/, '').replace(/\*\/$/, '') : text.slice(2)).trim()
}

export const ascii = (text: string): Uint8Array => Uint8Array.from(text, (c) => c.charCodeAt(0))

export function cfgBytes(document: CfgDocument): Uint8Array {
  return (
    document.compiled ??
    concat(
      Uint8Array,
      document.pieces.map((p) => p.bytes),
    )
  )
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
