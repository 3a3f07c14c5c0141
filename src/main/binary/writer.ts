/** How many bytes there is room for at first, or memory to write into: what was in it is written over. */
export type Room = number | Uint8Array

/** Bytes that are copied one by one: to call for so few takes longer. */
const FEW = 32

/**
 * Writes a file front to back into a growing buffer; little-endian unless a method says otherwise.
 * It counts what was written from typed fields and what was carried as raw bytes (`opaque`), so that
 * `marrow roundtrip` can say how much of a file its codec understands.
 */
export class Writer {
  private buffer: Uint8Array
  private view: DataView
  private length = 0
  /** bytes carried raw: unknown chunks, padding, trailing data */
  opaqueBytes = 0

  constructor(room: Room = 1024) {
    this.buffer = typeof room === 'number' ? new Uint8Array(Math.max(16, room)) : room
    this.view = new DataView(this.buffer.buffer, this.buffer.byteOffset, this.buffer.byteLength)
  }

  get position(): number {
    return this.length
  }
  get typedBytes(): number {
    return this.length - this.opaqueBytes
  }

  /** What has been written, as a view; the writer must not be used afterwards. */
  finish(): Uint8Array {
    return this.buffer.subarray(0, this.length)
  }

  private grow(size: number): number {
    const at = this.length
    this.length += size
    if (this.length > this.buffer.length) {
      const next = new Uint8Array(Math.max(this.length, this.buffer.length * 2))
      next.set(this.buffer.subarray(0, at))
      this.buffer = next
      this.view = new DataView(next.buffer)
    }
    return at
  }

  u8(value: number): void {
    const at = this.grow(1)
    this.buffer[at] = value
  }
  u16(value: number): void {
    const at = this.grow(2)
    this.view.setUint16(at, value, true)
  }
  i16(value: number): void {
    this.u16(value)
  }
  u32(value: number): void {
    const at = this.grow(4)
    this.view.setUint32(at, value, true)
  }
  i32(value: number): void {
    this.u32(value)
  }
  u32be(value: number): void {
    const at = this.grow(4)
    this.view.setUint32(at, value, false)
  }
  u64(value: bigint): void {
    const at = this.grow(8)
    this.view.setBigUint64(at, value, true)
  }
  f32(value: number): void {
    const at = this.grow(4)
    this.view.setFloat32(at, value, true)
  }

  /** Overwrites a u32 that was written before (sizes and offsets that are known later). */
  setU32(at: number, value: number): void {
    this.view.setUint32(at, value, true)
  }
  setU32be(at: number, value: number): void {
    this.view.setUint32(at, value, false)
  }

  /** The bytes of a typed column or a name field, bit for bit. */
  raw(data: ArrayBufferView): void {
    const size = data.byteLength
    const at = this.grow(size)
    const bytes = data instanceof Uint8Array ? data : new Uint8Array(data.buffer, data.byteOffset, size)
    if (size <= FEW) for (let i = 0; i < size; i++) this.buffer[at + i] = bytes[i]
    else this.buffer.set(bytes, at)
  }

  /** Bytes that nobody interprets: counted as opaque. */
  opaque(data: Uint8Array): void {
    this.opaqueBytes += data.byteLength
    this.raw(data)
  }

  fourcc(text: string): void {
    const at = this.grow(4)
    for (let i = 0; i < 4; i++) this.buffer[at + i] = text.charCodeAt(i)
  }

  fill(size: number, value = 0): void {
    const at = this.grow(size)
    this.buffer.fill(value, at, at + size)
  }
}
