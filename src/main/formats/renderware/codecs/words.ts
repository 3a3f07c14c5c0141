/** A few floats carried as their bits. Arrays of a few words live on the JavaScript heap, where thousands of them cost little. */
import type { Reader } from '../../../binary/reader.ts'

export function smallWords(r: Reader, count: number, field = ''): Uint32Array {
  const out = new Uint32Array(count)
  for (let i = 0; i < count; i++) out[i] = r.u32(field)
  return out
}

/** The floats that the words are. */
export function floatsOf(words: Uint32Array): Float32Array {
  return new Float32Array(words.slice().buffer)
}

/** The bits of floats. */
export function wordsOf(...floats: number[]): Uint32Array {
  return new Uint32Array(Float32Array.from(floats).buffer)
}
