/** Names of a zip's entries: of which letters they are, and which of them may be members. */
import { crc32 } from 'node:zlib'

/** Code page 437 from 0x80 on, which names are written in where nothing else is said. */
const UPPER =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0'

const UTF8_FLAG = 0x800
const UNICODE_PATH = 0x7075

/** @param extra fields of the entry, by their id */
export function nameOf(raw: Uint8Array, flags: number, extra: ReadonlyMap<number, Uint8Array>): string {
  const field = extra.get(UNICODE_PATH)
  // version 1, the checksum of the other name, then the name
  if (field && field.length > 5 && field[0] === 1 && viewOf(field).getUint32(1, true) === crc32(raw)) {
    const name = utf8(field.subarray(5))
    if (name !== undefined) return name
  }
  return (flags & UTF8_FLAG ? utf8(raw) : undefined) ?? codePage437(raw)
}

function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function codePage437(bytes: Uint8Array): string {
  let text = ''
  for (const code of bytes) text += code < 0x80 ? String.fromCharCode(code) : UPPER[code - 0x80]
  return text
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** Whether a name stays below the folder that it is in, on every system, and is one. */
export function staysInside(name: string): boolean {
  if (name === '' || [...name].some((character) => character < ' ' || character === '\x7f')) return false
  const parts = name.split(/[/\\]/)
  return !parts.some((part) => part === '' || part === '.' || part === '..') && !/^[a-z]:/i.test(name)
}
