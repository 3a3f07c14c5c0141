/** What stands where it does not belong: a file with strangers in it means what it meant without them. */
import { describe, expect, it } from 'vitest'
import { encodeDocument } from '../../../src/main/formats/format.ts'
import { w3d } from '../../../src/main/formats/w3d/family.ts'
import { w3dFile } from '../../../src/main/formats/w3d/codecs/file.ts'
import { cat, chunk, hierarchy, u32 } from '../../fixtures/w3d/chunks.ts'
import { everything } from '../../fixtures/w3d/files.ts'
import { memoryLibrary } from '../../fixtures/w3d/neighbourhood.ts'
import { objects } from '../../fixtures/w3d/objects.ts'
import { expectLossless, junk } from '../../support/hostile.ts'
import type { Chunk, RawChunk } from '../../../src/main/formats/w3d/codecs/chunk.ts'
import type { W3dDocument } from '../../../src/main/formats/w3d/codecs/file.ts'
import type { Scene } from '../../../src/shared/scene/types.ts'

/** Every list of chunks of a file, outermost first. */
function lists(chunks: Chunk[]): Chunk[][] {
  return [chunks, ...chunks.flatMap((c) => (c.kind === 'container' ? lists(c.children) : []))]
}

function assemble(bytes: Uint8Array): Scene {
  const library = memoryLibrary({ 'x.w3d': bytes })
  return w3d.assemble(w3d.bind('', library)[0], library.load, {}).scene
}

/** The scene without the paths into the file, which strangers may move. */
function meaning(bytes: Uint8Array): string {
  return JSON.stringify(assemble(bytes), (key, value: unknown) =>
    key === 'source' || key === 'sources' ? undefined : ArrayBuffer.isView(value) ? Array.from(value as Float32Array) : value,
  )
}

const stranger = (flag: boolean, bytes: Uint8Array): RawChunk => ({
  kind: 'raw',
  id: 0x7a5a0001,
  flag,
  start: -1,
  end: -1,
  bytes,
  reason: '',
})

describe('a W3D file with strangers', () => {
  const whole = cat(everything().slice(0, -5), objects())
  const sound = expectLossless(w3dFile, whole)

  it('says the same with an unknown chunk before, between and behind all others, at every depth', () => {
    const said = meaning(whole)
    const summary = w3dFile.summarize(sound)
    for (const [flag, bytes] of [
      [false, junk(7)],
      [true, junk(7)],
      [true, chunk(0x7a5a0002, false, junk(3))],
      [false, new Uint8Array(0)],
    ] as const) {
      const document = w3dFile.decode(whole, 'x')
      for (const list of lists(document.chunks)) for (let i = list.length; i >= 0; i--) list.splice(i, 0, stranger(flag, bytes))
      const changed = encodeDocument(w3dFile, document).bytes.slice()
      const again = expectLossless(w3dFile, changed)
      expect(w3dFile.summarize(again)).toEqual(summary)
      expect(meaning(changed)).toBe(said)
    }
  })

  it('says the same with every container bit the other way round', () => {
    const turn = (chunks: Chunk[]): void => {
      for (const c of chunks) {
        // of an unknown chunk the bit is all that tells
        if (c.id < 0x1000) c.flag = !c.flag
        if (c.kind === 'container') turn(c.children)
      }
    }
    const document = w3dFile.decode(whole, 'x')
    turn(document.chunks)
    const changed = encodeDocument(w3dFile, document).bytes.slice()
    expect(expectLossless(w3dFile, changed).chunks.map((c) => c.kind)).toEqual(sound.chunks.map((c) => c.kind))
    expect(meaning(changed)).toBe(meaning(whole))
  })

  it('keeps every byte when one size lies, whichever it is', () => {
    const sizes: number[] = []
    const walk = (chunks: readonly Chunk[]): void => {
      for (const c of chunks) {
        sizes.push(c.start + 4)
        if (c.kind === 'container') walk(c.children)
      }
    }
    walk(sound.chunks)
    let read = 0
    for (const at of sizes) {
      const size = new DataView(whole.buffer).getUint32(at, true)
      for (const lie of [0, 1, (size & 0x7fffffff) + 1, (size & 0x7fffffff) - 4, 0x7ffffff0]) {
        const bytes = whole.slice()
        new DataView(bytes.buffer).setUint32(at, (lie & 0x7fffffff) | (size & 0x80000000), true)
        let document: W3dDocument
        try {
          document = w3dFile.decode(bytes, 'x')
        } catch {
          continue
        }
        read++
        expect(Buffer.compare(encodeDocument(w3dFile, document).bytes, bytes), `size at ${at} set to ${lie}`).toBe(0)
      }
    }
    expect(read).toBeGreaterThan(3 * sizes.length)
  })

  it('knows a version that it has never seen', () => {
    for (const version of [0, 0x10000, 0x30000, 0x40001, 0x60000, 0xffffffff]) {
      const document = expectLossless(w3dFile, hierarchy(undefined, { version }))
      expect(encodeDocument(w3dFile, document).opaqueBytes).toBe(0)
    }
    expectLossless(w3dFile, cat(chunk(0x200, false, chunk(0x201, false, u32(0xdeadbeef), junk(40)))))
  })
})
