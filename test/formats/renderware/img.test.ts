import { describe, expect, it } from 'vitest'
import { FormatError } from '../../../src/main/binary/format-error.ts'
import { img1, img2 } from '../../../src/main/formats/renderware/archives/img.ts'
import { payload } from '../../fixtures/renderware/ped.ts'
import { junk } from '../../support/hostile.ts'
import type { ByteSource, Segment } from '../../../src/main/formats/archive.ts'

function sourceOf(bytes: Uint8Array, ref = 'gta3.img'): ByteSource {
  return {
    size: bytes.length,
    ref,
    read(offset, length) {
      if (offset < 0 || length < 0 || offset + length > bytes.length) throw new FormatError('truncated', 'outside', { file: ref, offset })
      return bytes.slice(offset, offset + length)
    },
  }
}

function join(segments: Segment[], old: Uint8Array): Uint8Array {
  return payload(...segments.map((s) => (s.kind === 'copy' ? old.slice(s.offset, s.offset + s.length) : s.bytes)))
}

const name = (text: string, seed = 7): Uint8Array => {
  const out = junk(24, seed)
  out.set(new TextEncoder().encode(text))
  out[text.length] = 0
  return out
}

const SECTOR = 2048

/** b.dff at sector 1 (2 sectors), a.txd at 4 (1 sector; a gap before it), A.TXD again at 5. */
function archive(): Uint8Array {
  const directory = payload(
    new TextEncoder().encode('VER2'),
    3,
    4,
    { u16: [1, 0] },
    name('a.txd', 1),
    1,
    { u16: [2, 0] },
    name('b.dff', 2),
    5,
    { u16: [9, 1] },
    name('A.TXD', 3),
  )
  return payload(
    directory,
    junk(SECTOR - directory.length),
    junk(2 * SECTOR, 11),
    junk(SECTOR, 12),
    junk(SECTOR, 13),
    junk(SECTOR, 14),
    junk(100, 15),
  )
}

describe('IMG v2', () => {
  it('lists members with duplicates and writes the file again', () => {
    const bytes = archive()
    expect(img2.identify(bytes.subarray(0, 4096), 'x', bytes.length)).toBeGreaterThan(0.9)
    const index = img2.open(sourceOf(bytes), sourceOf(bytes))
    expect(index.members.map((m) => [m.name, m.offset, m.size, m.duplicate])).toEqual([
      ['a.txd', 4 * SECTOR, SECTOR, 0],
      ['b.dff', SECTOR, 2 * SECTOR, 0],
      ['A.TXD', 5 * SECTOR, SECTOR, 1],
    ])
    expect(join(img2.encode(index), bytes)).toEqual(bytes)
    expect(index.diagnostics.map((d) => [d.code, d.path, d.offset])).toEqual([['renderware.img-duplicate', 'entries[0].name', 16]])
    expect(img2.describe(index).children).toHaveLength(3)
  })
  it('replaces a member in its own sectors: only its bytes change', () => {
    const bytes = archive()
    const index = img2.open(sourceOf(bytes), sourceOf(bytes))
    const body = junk(3000, 40)
    const out = join(img2.replace(index, new Map([[1, body]])).data, bytes)
    expect(out.length).toBe(bytes.length)
    expect(out.slice(SECTOR, SECTOR + 3000)).toEqual(body)
    expect(out.slice(SECTOR + 3000, 3 * SECTOR)).toEqual(new Uint8Array(2 * SECTOR - 3000))
    expect(out.slice(0, SECTOR)).toEqual(bytes.slice(0, SECTOR))
    expect(out.slice(3 * SECTOR)).toEqual(bytes.slice(3 * SECTOR))
  })
  it('counts in sectors: what a member gives up it may take again, and its end is zeros', () => {
    const bytes = archive()
    const shrunk = join(img2.replace(img2.open(sourceOf(bytes), sourceOf(bytes)), new Map([[1, junk(100, 40)]])).data, bytes)
    const small = img2.open(sourceOf(shrunk), sourceOf(shrunk))
    expect(small.members[1]).toMatchObject({ offset: SECTOR, size: SECTOR })
    expect(shrunk.slice(SECTOR, 3 * SECTOR)).toEqual(payload(junk(100, 40), new Uint8Array(2 * SECTOR - 100)))
    expect(shrunk.slice(3 * SECTOR)).toEqual(bytes.slice(3 * SECTOR))
    const grown = join(img2.replace(small, new Map([[1, junk(2 * SECTOR + 1, 41)]])).data, shrunk)
    expect(grown.length).toBe(bytes.length)
    expect(img2.open(sourceOf(grown), sourceOf(grown)).members[1]).toMatchObject({ offset: SECTOR, size: 3 * SECTOR })
    expect(grown.slice(4 * SECTOR)).toEqual(bytes.slice(4 * SECTOR))
  })
  it('lets a member grow into the free sectors behind it', () => {
    const bytes = archive()
    const index = img2.open(sourceOf(bytes), sourceOf(bytes))
    const body = junk(2 * SECTOR + 5, 41)
    const out = join(img2.replace(index, new Map([[1, body]])).data, bytes)
    expect(out.length).toBe(bytes.length)
    const again = img2.open(sourceOf(out), sourceOf(out))
    expect(again.members[1]).toMatchObject({ offset: SECTOR, size: 3 * SECTOR })
    expect(out.slice(SECTOR, SECTOR + body.length)).toEqual(body)
    expect(out.slice(4 * SECTOR)).toEqual(bytes.slice(4 * SECTOR))
  })
  it('moves a larger member to the end and nothing else', () => {
    const bytes = archive()
    const index = img2.open(sourceOf(bytes), sourceOf(bytes))
    const body = junk(4 * SECTOR + 1, 42)
    const out = join(
      img2.replace(
        index,
        new Map([
          [1, body],
          [2, junk(10, 43)],
        ]),
      ).data,
      bytes,
    )
    const again = img2.open(sourceOf(out), sourceOf(out))
    expect(again.members.map((m) => [m.offset / SECTOR, m.size / SECTOR])).toEqual([
      [4, 1],
      [7, 5],
      [5, 1],
    ])
    expect(out.slice(7 * SECTOR, 7 * SECTOR + body.length)).toEqual(body)
    expect(out.slice(4 * SECTOR, 5 * SECTOR)).toEqual(bytes.slice(4 * SECTOR, 5 * SECTOR))
    expect(out.slice(5 * SECTOR, 5 * SECTOR + 10)).toEqual(junk(10, 43))
    expect(out.slice(6 * SECTOR, bytes.length)).toEqual(bytes.slice(6 * SECTOR))
    // names keep their junk, other entries all their bytes
    expect(out.slice(8, 40)).toEqual(bytes.slice(8, 40))
    expect(out.slice(48, 72)).toEqual(bytes.slice(48, 72))
  })
  it('does not write over another member that shares sectors', () => {
    const bytes = archive()
    new DataView(bytes.buffer).setUint32(8 + 64, 4, true)
    const index = img2.open(sourceOf(bytes), sourceOf(bytes))
    const out = join(img2.replace(index, new Map([[0, junk(10, 3)]])).data, bytes)
    expect(out.slice(4 * SECTOR, 5 * SECTOR)).toEqual(bytes.slice(4 * SECTOR, 5 * SECTOR))
    expect(img2.open(sourceOf(out), sourceOf(out)).members[0].offset).toBe(7 * SECTOR)
    expect(join(img2.encode(index), bytes)).toEqual(bytes)
  })
  it('takes names without an end, members that overlap, and the second size where it is set', () => {
    const full = (letter: string): Uint8Array => new TextEncoder().encode(letter.repeat(24))
    const directory = payload(
      new TextEncoder().encode('VER2'),
      3,
      1,
      { u16: [2, 0] },
      full('x'),
      2,
      { u16: [2, 0] },
      full('y'),
      2,
      { u16: [7, 1] },
      full('X'),
    )
    const bytes = payload(directory, junk(SECTOR - directory.length), junk(3 * SECTOR, 31), junk(5, 32))
    const index = img2.open(sourceOf(bytes), sourceOf(bytes))
    expect(index.members.map((m) => [m.name, m.offset / SECTOR, m.size / SECTOR, m.duplicate])).toEqual([
      ['x'.repeat(24), 1, 2, 0],
      ['y'.repeat(24), 2, 2, 0],
      ['X'.repeat(24), 2, 1, 1],
    ])
    expect(index.diagnostics.map((d) => [d.code, d.path])).toEqual([['renderware.img-duplicate', 'entries[0].name']])
    expect(join(img2.encode(index), bytes)).toEqual(bytes)
    // what another member has too is not written over: the body goes to the end
    const body = junk(SECTOR, 33)
    const out = join(img2.replace(index, new Map([[0, body]])).data, bytes)
    expect(out.slice(SECTOR, 4 * SECTOR)).toEqual(bytes.slice(SECTOR, 4 * SECTOR))
    expect(out.slice(8 + 12, 8 + 32)).toEqual(bytes.slice(8 + 12, 8 + 32))
    const after = img2.open(sourceOf(out), sourceOf(out))
    expect(out.slice(after.members[0].offset, after.members[0].offset + SECTOR)).toEqual(body)
    expect(after.members.slice(1)).toEqual(index.members.slice(1))
  })
  it('may be empty', () => {
    const bare = payload(new TextEncoder().encode('VER2'), 0)
    for (const bytes of [bare, payload(bare, junk(SECTOR - 8, 41)), payload(bare, junk(SECTOR + 3, 42))]) {
      const index = img2.open(sourceOf(bytes), sourceOf(bytes))
      expect([index.members, index.diagnostics]).toEqual([[], []])
      expect(join(img2.encode(index), bytes)).toEqual(bytes)
    }
    const none = img1.open(sourceOf(new Uint8Array(0), 'gta3.dir'), sourceOf(junk(77)))
    expect(none.members).toEqual([])
    expect(join(img1.encode(none), new Uint8Array(0))).toHaveLength(0)
    expect(join(img1.encodeData!(none), junk(77))).toEqual(junk(77))
  })
  it('is tame with wrong counts and ranges', () => {
    const bytes = archive()
    const view = new DataView(bytes.buffer)
    view.setUint32(8, 0x7fffffff, true)
    const index = img2.open(sourceOf(bytes), sourceOf(bytes))
    expect(index.diagnostics.map((d) => d.code)).toEqual(['renderware.img-member-range', 'renderware.img-duplicate'])
    expect(join(img2.encode(index), bytes)).toEqual(bytes)
    view.setUint32(4, 0x7fffffff, true)
    expect(() => img2.open(sourceOf(bytes), sourceOf(bytes))).toThrowError(
      expect.objectContaining({ code: 'bad-count', path: 'numEntries', offset: 4 }),
    )
    for (let n = 0; n < 200; n++) {
      const cut = archive().slice(0, n)
      try {
        img2.open(sourceOf(cut), sourceOf(cut))
      } catch (error) {
        expect(error).toBeInstanceOf(FormatError)
      }
    }
  })
})

describe('IMG v1', () => {
  const directory = (): Uint8Array => payload(1, 2, name('player.dff', 1), 0, 1, name('player.txd', 2))
  const data = (): Uint8Array => payload(junk(SECTOR, 21), junk(2 * SECTOR, 22))
  it('pairs the directory with its archive', () => {
    expect(img1.companion!('models/gta3.dir')).toBe('models/gta3.img')
    expect(img1.companion!('GTA3.DIR')).toBe('GTA3.IMG')
    expect(img1.identify(directory(), 'gta3.dir', 64)).toBeGreaterThan(0.8)
    expect(img1.identify(directory(), 'gta3.txt', 64)).toBe(0)
    expect(img1.identify(junk(64), 'gta3.dir', 64)).toBe(0)
    // a name without an ending, or of other letters, is one
    const odd = payload(1, 2, name('player.dff', 1), 0, 1, name('readme', 2), 3, 1, name('p\u00e9d.txd', 3))
    expect(img1.identify(odd, 'gta3.dir', odd.length)).toBeGreaterThan(0.8)
    expect(img1.identify(payload(0, 1, name('readme', 2)), 'gta3.dir', 32)).toBeGreaterThan(0.5)
  })
  it('writes both files again and replaces members in both', () => {
    const dir = directory()
    const img = data()
    const index = img1.open(sourceOf(dir, 'gta3.dir'), sourceOf(img))
    expect(index.members.map((m) => [m.name, m.offset, m.size])).toEqual([
      ['player.dff', SECTOR, 2 * SECTOR],
      ['player.txd', 0, SECTOR],
    ])
    expect(join(img1.encode(index), dir)).toEqual(dir)
    expect(join(img1.encodeData!(index), img)).toEqual(img)
    const body = junk(SECTOR + 1, 50)
    const out = img1.replace(index, new Map([[1, body]]))
    const newDir = join(out.directory!, dir)
    const newImg = join(out.data, img)
    expect(newImg.slice(0, 3 * SECTOR)).toEqual(img)
    expect(newImg.slice(3 * SECTOR, 3 * SECTOR + body.length)).toEqual(body)
    expect(newDir.slice(0, 32)).toEqual(dir.slice(0, 32))
    expect(img1.open(sourceOf(newDir), sourceOf(newImg)).members[1]).toMatchObject({ offset: 3 * SECTOR, size: 2 * SECTOR })
  })
  it('keeps bodies apart when several are replaced: a last one that grows with one that moves, empty entries at one place', () => {
    // the second member ends the data file, which ends within a sector; the others are empty and stand where it begins, or at the end
    const dir = payload(4, 0, name('empty.dff', 1), 1, 3, name('last.txd', 2), 1, 0, name('none.dff', 3), 4, 0, name('none2.dff', 4))
    const img = junk(4 * SECTOR - 700, 31)
    const index = img1.open(sourceOf(dir, 'gta3.dir'), sourceOf(img))
    for (const sizes of [
      [SECTOR + 9, 3 * SECTOR + 5, 5, 7],
      [1, 100, 0, 0],
      [0, 2 * SECTOR, 3 * SECTOR, 1],
      [4000, 0, 5000, 6000],
    ]) {
      const bodies = sizes.map((size, i) => junk(size, 60 + i))
      const out = img1.replace(index, new Map(bodies.map((body, i) => [i, body])))
      const newImg = join(out.data, img)
      const again = img1.open(sourceOf(join(out.directory!, dir)), sourceOf(newImg))
      bodies.forEach((body, i) =>
        expect(newImg.slice(again.members[i].offset, again.members[i].offset + body.length), `${i} of ${sizes.join()}`).toEqual(body),
      )
      expect(newImg.slice(0, SECTOR)).toEqual(img.slice(0, SECTOR))
      // an empty entry takes nothing from the member that begins at its place
      const alone = join(img1.replace(index, new Map([[2, bodies[2]]])).data, img)
      expect(alone.slice(0, img.length)).toEqual(img)
    }
  })
  it('does not clear sectors that an emptied member shares with another', () => {
    const dir = payload(0, 1, name('a.dff', 1), 0, 3, name('b.dff', 2))
    const img = junk(3 * SECTOR, 33)
    const out = img1.replace(img1.open(sourceOf(dir, 'gta3.dir'), sourceOf(img)), new Map([[1, new Uint8Array(0)]]))
    expect(join(out.data, img)).toEqual(img)
  })
})
