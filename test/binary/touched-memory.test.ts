/** Memory that is made before it is asked for: given out once, in the size that was asked for, and not kept longer than files are open. */
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Reader } from '../../src/main/binary/reader.ts'
import { TouchedMemory } from '../../src/main/binary/touched-memory.ts'

const SIZE = 1 << 20
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
/** as many as are kept, and one */
const allMade = async (): Promise<void> => {
  for (let i = 0; i < 4; i++) await turn()
}
const allocations = () => vi.spyOn(Buffer, 'allocUnsafeSlow')
const memory = new TouchedMemory()

afterEach(() => {
  memory.forget()
  vi.restoreAllMocks()
})

describe('memory that is touched ahead', () => {
  it('is there for as many blocks as were taken last, each given out once', async () => {
    const first = [memory.take(SIZE), memory.take(SIZE), memory.take(SIZE)]
    await allMade()
    const made = allocations()
    // a key more
    const next = [memory.take(SIZE + 32), memory.take(SIZE), memory.take(SIZE)]
    expect(next.map(({ length }) => length)).toEqual([SIZE + 32, SIZE, SIZE])
    expect(made).toHaveBeenCalledTimes(1)
    expect(new Set([...first, ...next].map(({ buffer }) => buffer)).size).toBe(6)
    expect(memory.take(SIZE).buffer).not.toBe(first[0].buffer)
  })

  it('is not for small files or very large ones, nor for a file of another size', async () => {
    memory.take(100)
    memory.take(1 << 25)
    const made = allocations()
    await allMade()
    expect(made).not.toHaveBeenCalled()
    memory.take(SIZE)
    await allMade()
    expect(made).toHaveBeenCalledTimes(2)
    expect(memory.take(2 * SIZE)).toHaveLength(2 * SIZE)
    expect(made).toHaveBeenCalledTimes(3)
  })

  it('is given back when no file is open any more', async () => {
    memory.take(SIZE)
    memory.take(SIZE)
    await turn()
    const made = allocations()
    memory.forget()
    await allMade()
    expect(made).not.toHaveBeenCalled()
    memory.take(SIZE)
    expect(made).toHaveBeenCalledTimes(1)
  })

  it('takes the copy of a document that owns its bytes', () => {
    const bytes = Uint8Array.from({ length: SIZE }, (_, i) => i % 251)
    const room = new Uint8Array(SIZE + 64).fill(0xff)
    const reader = Reader.owning(bytes, 'a', (size) => room.subarray(0, size))
    const taken = reader.u32s(SIZE / 4, 'all')
    expect(taken.buffer).toBe(room.buffer)
    expect(new Uint8Array(taken.buffer, 0, SIZE)).toEqual(bytes)
    expect(reader.remaining).toBe(0)
  })
})
