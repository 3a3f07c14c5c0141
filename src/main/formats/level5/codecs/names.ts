/** Text of Level-5 files: CP932 in both games (the public spec's "2-byte unicode" is wrong). Bytes are kept; this is the view. */
import iconv from 'iconv-lite'
import { FormatError } from '../../../binary/format-error.ts'
import { chars, shownAs, type FieldType } from '../../../binary/layout.ts'
import { say } from '../texts/index.ts'

/** CP932 bytes as text; what is no CP932 becomes U+FFFD. */
export function decodeText(bytes: Uint8Array): string {
  let ascii = true
  for (let i = 0; i < bytes.length && ascii; i++) ascii = bytes[i] < 0x80
  if (ascii) {
    let out = ''
    for (let i = 0; i < bytes.length; i++) out += String.fromCharCode(bytes[i])
    return out
  }
  return iconv.decode(bytes, 'cp932')
}

/** A fixed name field: CP932 up to the first NUL. What stands behind the NUL is stack junk. */
export function fieldText(field: Uint8Array): string {
  const end = field.indexOf(0)
  return decodeText(end < 0 ? field : field.subarray(0, end))
}

/** A fixed name field of a record. */
export const text = (size: number): FieldType<Uint8Array> => shownAs(chars(size), fieldText)

/** Characters that Unicode has twice and CP932 once: what keyboards give -> what CP932 maps. */
const SAME: Readonly<Record<string, string>> = {
  '\u301c': '\uff5e',
  '\u2212': '\uff0d',
  '\u2016': '\u2225',
  '\u2014': '\u2015',
  '\u00a2': '\uffe0',
  '\u00a3': '\uffe1',
  '\u00ac': '\uffe2',
}

/** Text as CP932 bytes. Throws FormatError `invalid-edit` for a character that CP932 does not have. */
export function encodeText(text: string, field = 'name'): Uint8Array {
  const mapped = Array.from(text, (c) => SAME[c] ?? c).join('')
  const bytes = new Uint8Array(iconv.encode(mapped, 'cp932'))
  if (decodeText(bytes) !== mapped) {
    const bad = Array.from(mapped).find((c) => decodeText(new Uint8Array(iconv.encode(c, 'cp932'))) !== c) ?? ''
    throw new FormatError('invalid-edit', say('codecs.names.notInCP932', { character: bad }), { path: field, actual: text })
  }
  return bytes
}

/** First byte of a two-byte character? */
export function isLead(byte: number): boolean {
  return (byte >= 0x81 && byte <= 0x9f) || (byte >= 0xe0 && byte <= 0xfc)
}

/** Second byte of a two-byte character? (0x5C, the backslash, is one.) */
export function isTrail(byte: number): boolean {
  return byte >= 0x40 && byte <= 0xfc && byte !== 0x7f
}
