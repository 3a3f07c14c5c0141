/** Which bytes of two short runs differ: what is common at both ends stays unmarked. */

export interface DiffByte {
  hex: string
  text: string
  changed: boolean
}

export function diffBytes(before: Uint8Array, after: Uint8Array): { before: DiffByte[]; after: DiffByte[] } {
  if (before.length === after.length) {
    const mark = (own: Uint8Array, other: Uint8Array): DiffByte[] => Array.from(own, (b, i) => cell(b, b !== other[i]))
    return { before: mark(before, after), after: mark(after, before) }
  }
  const shorter = Math.min(before.length, after.length)
  let head = 0
  while (head < shorter && before[head] === after[head]) head++
  let tail = 0
  while (tail < shorter - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++
  const mark = (own: Uint8Array): DiffByte[] => Array.from(own, (b, i) => cell(b, i >= head && i < own.length - tail))
  return { before: mark(before), after: mark(after) }
}

function cell(b: number, changed: boolean): DiffByte {
  return { hex: b.toString(16).padStart(2, '0'), text: b >= 32 && b < 127 ? String.fromCharCode(b) : '·', changed }
}
