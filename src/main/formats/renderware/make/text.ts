/** Names as new files store them, and the stamp that their chunks have. */
import { FormatError } from '../../../binary/format-error.ts'
import { makeStamp } from '../codecs/chunk-ids.ts'
import { say } from '../texts/index.ts'

/** 3.6.0.3, the stamp of San Andreas. */
export const STAMP_SA = makeStamp(0x36003)

export function bytesOf(text: string): Uint8Array {
  const out = new Uint8Array(text.length)
  for (let i = 0; i < text.length; i++) out[i] = text.charCodeAt(i)
  return out
}

/** Text, a NUL and zeros to a multiple of four, as texture names are stored. */
export function padded(text: string): Uint8Array {
  const out = new Uint8Array((text.length + 4) & ~3)
  out.set(bytesOf(text))
  return out
}

export function fixed(text: string, size: number): Uint8Array {
  if (text.length >= size) throw new FormatError('invalid-edit', say('edit.tooLong', { name: text, most: size - 1 }))
  const out = new Uint8Array(size)
  out.set(bytesOf(text))
  return out
}
