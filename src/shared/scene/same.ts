/** Deep equality of plain data with typed arrays: whether a window has to be told, and whether anything looks different. */

export function sameData(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (ArrayBuffer.isView(a)) return ArrayBuffer.isView(b) && a.constructor === b.constructor && sameBytes(a, b)
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false
    for (let i = 0; i < a.length; i++) if (!sameData(a[i], b[i])) return false
    return true
  }
  const keys = Object.keys(b)
  if (keys.length !== Object.keys(a).length) return false
  for (const key of keys) if (!sameData((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key])) return false
  return true
}

/**
 * The same data, with all that is as in a state before taken from there: whoever looks at a part of it sees by the object whether that changed.
 * @param now nobody changes it; lists and objects in which something is another are made anew
 */
export function sharedWith<T>(now: T, known: unknown): T
export function sharedWith(now: unknown, known: unknown): unknown {
  if (Object.is(now, known)) return known
  if (typeof now !== 'object' || typeof known !== 'object' || now === null || known === null) return now
  if (ArrayBuffer.isView(now)) return sameData(now, known) ? known : now
  if (Array.isArray(now)) {
    if (!Array.isArray(known)) return now as unknown
    const list = now.map((entry, i) => sharedWith<unknown>(entry, known[i]))
    const same = list.length === known.length && list.every((entry, i) => Object.is(entry, known[i]))
    return same ? (known as unknown) : list
  }
  if (Array.isArray(known) || ArrayBuffer.isView(known)) return now
  const before = known as Record<string, unknown>
  const entries = Object.entries(now).map(([key, value]) => [key, sharedWith(value, before[key])] as const)
  const same =
    entries.length === Object.keys(before).length && entries.every(([key, value]) => key in before && Object.is(value, before[key]))
  return same ? known : Object.fromEntries(entries)
}

function sameBytes(a: ArrayBufferView, b: ArrayBufferView): boolean {
  if (a.byteLength !== b.byteLength) return false
  if (a.byteOffset % 4 === 0 && b.byteOffset % 4 === 0 && a.byteLength % 4 === 0) {
    const x = new Uint32Array(a.buffer, a.byteOffset, a.byteLength / 4)
    const y = new Uint32Array(b.buffer, b.byteOffset, b.byteLength / 4)
    for (let i = 0; i < x.length; i++) if (x[i] !== y[i]) return false
    return true
  }
  const x = new Uint8Array(a.buffer, a.byteOffset, a.byteLength)
  const y = new Uint8Array(b.buffer, b.byteOffset, b.byteLength)
  for (let i = 0; i < x.length; i++) if (x[i] !== y[i]) return false
  return true
}
