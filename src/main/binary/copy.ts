/** A copy with memory of its own, which nobody clears before: of a file of megabytes that took as long as copying it. */
export function copyOf(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const out = ownMemory(bytes.length)
  out.set(bytes)
  return out
}

/** Memory that has in it whatever was there before: whoever takes it writes over all of it. */
export function ownMemory(size: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.allocUnsafeSlow(size).buffer, 0, size)
}
