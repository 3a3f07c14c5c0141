/**
 * Lost Saga's text files, kept line by line: a line is its indent, its words, what stands between and after them, and its line end.
 * Only the words of known lines are touched by an edit. Encoding: ASCII or CP949, see strings.ts.
 */
import { decodeText } from './strings.ts'

export interface TextLine {
  /** the whole line without its end */
  raw: Uint8Array
  /** CR LF, LF, CR or nothing (last line) */
  eol: Uint8Array
  /** decoded, trimmed, comment removed */
  text: string
  /** the words of `text` */
  words: string[]
  start: number
}

/** Lines of a text file; joining raw + eol gives the same bytes. */
export function splitLines(bytes: Uint8Array, comment: string): TextLine[] {
  const lines: TextLine[] = []
  let start = 0
  while (start < bytes.length) {
    let end = start
    while (end < bytes.length && bytes[end] !== 10 && bytes[end] !== 13) end++
    let next = end
    if (next < bytes.length) next += bytes[next] === 13 && bytes[next + 1] === 10 ? 2 : 1
    const raw = bytes.slice(start, end)
    let text = decodeText(raw)
    const mark = text.indexOf(comment)
    if (mark >= 0) text = text.slice(0, mark)
    text = text.trim()
    lines.push({ raw, eol: bytes.slice(end, next), text, words: text ? text.split(/\s+/) : [], start })
    start = next
  }
  return lines
}

/** Printable text with no NUL in its first bytes. */
export function looksLikeText(head: Uint8Array): boolean {
  if (head.length === 0) return false
  for (const b of head) if (b < 9 || (b > 13 && b < 32) || b === 127) return false
  return true
}

export const isSpace = (byte: number): boolean => byte === 32 || (byte >= 9 && byte <= 13)

/**
 * The line with other words behind its first one: indent, spaces, comment and line end stay. No byte of a CP949 pair is a space,
 * a slash or a semicolon, so that bytes can be looked at one by one.
 */
export function withValue(line: TextLine, value: Uint8Array, comment: string): TextLine {
  // a brace on the line of a word ends it
  const stops = [comment, ' {', ' }', '\t{', '\t}']
  const { raw } = line
  let from = 0
  while (from < raw.length && isSpace(raw[from])) from++
  while (from < raw.length && !isSpace(raw[from])) from++
  while (from < raw.length && isSpace(raw[from])) from++
  let to = from
  while (to < raw.length && !stops.some((stop) => [...stop].every((c, i) => raw[to + i] === c.charCodeAt(0)))) to++
  while (to > from && isSpace(raw[to - 1])) to--
  const next = new Uint8Array(from + value.length + raw.length - to)
  next.set(raw.subarray(0, from))
  next.set(value, from)
  next.set(raw.subarray(to), from + value.length)
  const [changed] = splitLines(next, comment)
  return { ...changed, eol: line.eol, start: line.start }
}
