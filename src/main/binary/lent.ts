/**
 * Memory that is written over once what was decoded of it has been looked at. A document of it has windows on it where it would else have copies of
 * its own: it is gone before the memory is filled again, and nobody changes it.
 */
const lent = new WeakSet<ArrayBufferLike>()

/** New memory of that kind. */
export function lentBytes(size: number): Uint8Array {
  const bytes = new Uint8Array(size)
  lent.add(bytes.buffer)
  return bytes
}

export function isLent({ buffer }: Uint8Array): boolean {
  return lent.has(buffer)
}
