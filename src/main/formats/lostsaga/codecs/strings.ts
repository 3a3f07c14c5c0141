/**
 * Lost Saga's strings: i32 length, then exactly that many bytes; no NUL inside the length nor after it (spec section 1).
 * The bytes are kept; shown as ASCII, else CP949, else Latin-1; encoded again only when edited.
 */
import iconv from 'iconv-lite'
import { FormatError } from '../../../binary/format-error.ts'
import { say } from '../texts/index.ts'
import type { FieldType } from '../../../binary/layout.ts'
import type { Reader } from '../../../binary/reader.ts'
import type { Writer } from '../../../binary/writer.ts'

export interface LString {
  /** as stored */
  raw: Uint8Array
  /** for display and comparison */
  text: string
}

export function readString(reader: Reader, field: string): LString {
  const at = reader.position
  const length = reader.i32(`${field}.length`)
  if (length < 0)
    reader.fail('bad-count', say('codecs.strings.negativeLength', { field }), `${field}.length`, {
      offset: at,
      expected: say('codecs.strings.zeroOrMore'),
      actual: String(length),
    })
  if (length > reader.remaining) {
    reader.fail('bad-count', say('codecs.strings.tooLong', { field, count: length, left: reader.remaining }), `${field}.length`, {
      offset: at,
      expected: say('files.atMost', { most: reader.remaining }),
      actual: String(length),
    })
  }
  const raw = reader.take(length, field)
  return { raw, text: decodeText(raw) }
}

export function writeString(out: Writer, value: LString): void {
  out.u32(value.raw.length)
  out.raw(value.raw)
}

/** Bytes of a string field: length and characters. */
export function stringSize(value: LString): number {
  return 4 + value.raw.length
}

/** A string as a field of a record. */
export const lstring: FieldType<LString> = {
  size: 4,
  sizeOf: stringSize,
  type: 'string',
  use: { is: 'text', form: 'counted' },
  read: readString,
  write: writeString,
  show: (value) => value.text,
}

/** Nearly all strings are short and of these characters alone: put together here they take a tenth of a decoder's time. */
function asciiOf(raw: Uint8Array): string | undefined {
  let text = ''
  for (const byte of raw) {
    if (byte >= 0x80) return undefined
    text += String.fromCharCode(byte)
  }
  return text
}

export function decodeText(raw: Uint8Array): string {
  const ascii = asciiOf(raw)
  if (ascii !== undefined) return ascii
  const korean = iconv.decode(raw, 'cp949')
  // what CP949 does not know comes back as U+FFFD; then the bytes are shown one by one
  return korean.includes('\ufffd') || !sameBytes(iconv.encode(korean, 'cp949'), raw) ? iconv.decode(raw, 'latin1') : korean
}

/** A new string for the file: ASCII or CP949. Throws `invalid-edit` for characters that neither has. */
export function encodeText(text: string): LString {
  const raw = new Uint8Array(iconv.encode(text, 'cp949'))
  if (iconv.decode(raw, 'cp949') !== text) throw new FormatError('invalid-edit', say('codecs.strings.notInCP949', { text }))
  return { raw, text }
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((x, i) => x === b[i])
}
