/** Memory that has in it whatever was there before: whoever takes it writes over all of it. */
export type TakeMemory = (size: number) => Uint8Array<ArrayBuffer>

/** New. To clear megabytes of it takes as long as to copy a file of as many. */
export function ownMemory(size: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.allocUnsafeSlow(size).buffer, 0, size)
}
