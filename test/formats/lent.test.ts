/** Documents of lent bytes: windows on them where others have copies, and the same in all that a scan looks at. */
import { expect, test } from 'vitest'
import { toErrorData } from '../../src/main/binary/format-error.ts'
import { isLent, lentBytes } from '../../src/main/binary/lent.ts'
import { Reader } from '../../src/main/binary/reader.ts'
import { encodeDocument, type FileFormat } from '../../src/main/formats/format.ts'
import { wgtFormat } from '../../src/main/formats/level5/codecs/wgt.ts'
import { registry } from '../../src/main/formats/registry.ts'
import { trackListBytes, wgtTracks } from '../fixtures/level5/bytes.ts'
import { collectSeeds } from '../fuzz/seeds.ts'

const seeds = collectSeeds({ corpus: false }).filter(({ archive }) => !archive)

/** The bytes at the start of memory that is larger and full of another file. */
function lend(bytes: Uint8Array): Uint8Array {
  const room = lentBytes(2 * bytes.length + 64).fill(0xa5)
  room.set(bytes)
  return room.subarray(0, bytes.length)
}

/** What a scan keeps of a file, and the bytes that its document gives. */
function seen(format: FileFormat, bytes: Uint8Array, ref: string): unknown {
  try {
    const document = format.decode(bytes, ref)
    return [document.diagnostics, format.summarize(document), Buffer.from(encodeDocument(format, document).bytes).toString('base64')]
  } catch (error) {
    return toErrorData(error, ref)
  }
}

test.each(seeds.map(({ path, format, bytes }) => ({ path, format, bytes })))(
  '$path is the same, whole and cut',
  ({ path, format, bytes }) => {
    const codec = registry.formatById(format)!
    for (const size of [bytes.length, bytes.length - 1, bytes.length >> 1, bytes.length >> 3]) {
      const part = bytes.subarray(0, size)
      expect(seen(codec, lend(part), path), `${size} bytes`).toEqual(seen(codec, part.slice(), path))
    }
  },
)

test('columns of lent bytes are windows on them, those that are not aligned and those of other bytes are copies', () => {
  const lent = lend(Uint8Array.from({ length: 32 }, (_, i) => i))
  for (const reader of [new Reader(lent, 'x'), Reader.owning(lent, 'x'), new Reader(lent, 'x').sub(0, 32)]) {
    expect(reader.f32s(2).buffer).toBe(lent.buffer)
    expect(reader.take(3).buffer).toBe(lent.buffer)
    const copy = reader.u16s(2)
    expect(copy.buffer).not.toBe(lent.buffer)
    expect([...copy]).toEqual([0x0c0b, 0x0e0d])
  }
  const own = lent.slice()
  expect(isLent(own)).toBe(false)
  expect(new Reader(own, 'x').f32s(2).buffer).not.toBe(own.buffer)
})

test('keys of tracks are windows on lent bytes', () => {
  const bytes = trackListBytes(wgtTracks)
  const lent = lend(bytes)
  // those that are not aligned, and those of no keys, have memory of their own
  const buffers = (of: Uint8Array) =>
    wgtFormat
      .decode(of, 'x.wgt')
      .tracks.filter(({ range, keys }) => range.start % 4 === 0 && keys.length > 0)
      .map(({ keys }) => keys.buffer === of.buffer)
  expect(buffers(lent)).toContain(true)
  expect(buffers(lent)).not.toContain(false)
  expect(buffers(bytes)).not.toContain(true)
})
