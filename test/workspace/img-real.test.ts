/**
 * Archives of San Andreas and of the games before it, out of every real member that the corpus has: laid out as the games lay theirs, in whole
 * sectors with junk behind the end of a body, bodies in another order than the directory, names of 23 letters and of 24 without an end. They are
 * put together here without the codec, and read by the tests' own reading after each change.
 */
import { basename } from 'node:path'
import { expect, it } from 'vitest'
import { describeCorpus, filesBelow, readBytes } from '../support/corpus.ts'
import { junk } from '../support/hostile.ts'
import { readImg1, readImg2 } from '../support/read-archives.ts'
import { filled } from '../support/archive-cases.ts'
import { onDisk } from './archive-bench.ts'
import type { ArchiveCase } from '../support/archive-cases.ts'
import type { ArchiveChange } from '../../src/main/workspace/archive-edits.ts'
import type { ReadMember } from '../support/read-archives.ts'

const SECTOR = 2048

interface Member {
  name: string
  bytes: Uint8Array
}

/** Every third body stands in front of those that the directory names before it; some sectors between them belong to nobody. */
function laidOut(members: readonly Member[], first: number): { data: Uint8Array; entries: Uint8Array; bodies: Uint8Array[] } {
  const order = members.map((_, i) => i).sort((a, b) => (a % 3) - (b % 3) || b - a)
  const bodies = members.map(({ bytes }, i) => {
    const body = junk(Math.ceil(bytes.length / SECTOR) * SECTOR, i + 1)
    body.set(bytes)
    return body
  })
  const places: number[] = []
  let sector = first
  for (const [turn, i] of order.entries()) {
    if (turn % 7 === 3) sector += 2
    places[i] = sector
    sector += bodies[i].length / SECTOR
  }
  const data = junk(sector * SECTOR, 99)
  const entries = new Uint8Array(32 * members.length)
  const view = new DataView(entries.buffer)
  for (const [i, { name }] of members.entries()) {
    data.set(bodies[i], places[i] * SECTOR)
    view.setUint32(32 * i, places[i], true)
    view.setUint32(32 * i + 4, bodies[i].length / SECTOR, true)
    const field = junk(24, 200 + i)
    field.set(Buffer.from(name.length < 24 ? `${name}\0` : name, 'latin1'))
    entries.set(field, 32 * i + 8)
  }
  return { data, entries, bodies }
}

const kinds: Record<string, (members: readonly Member[]) => Pick<ArchiveCase, 'files' | 'read'> & { bodies: Uint8Array[] }> = {
  'IMG v1': (members) => {
    const { data, entries, bodies } = laidOut(members, 0)
    return { files: { 'gta3.img': data, 'gta3.dir': entries }, read: (img, dir) => readImg1(img, dir), bodies }
  },
  'IMG v2': (members) => {
    const { data, entries, bodies } = laidOut(members, Math.ceil((8 + 32 * members.length) / SECTOR) + 1)
    data.set(Buffer.from('VER2'))
    data.set(new Uint8Array(Uint32Array.of(members.length).buffer), 4)
    data.set(entries, 8)
    return { files: { 'gta3.img': data }, read: readImg2, bodies }
  },
}

const shown = (list: readonly ReadMember[]): [string, string][] =>
  list.map(({ name, bytes }): [string, string] => [name, Buffer.from(bytes).toString('base64')])

describeCorpus('renderware', (root) => {
  const files = filesBelow(root).filter((path) => /\.(dff|txd|ifp)$/i.test(path))
  const used = new Set<string>()
  // of one name in two folders the second has another
  const members = files.map((path, i): Member => {
    const ending = path.slice(path.lastIndexOf('.'))
    const plain = basename(path).slice(0, 24)
    const long = i % 10 === 4 ? 23 : i % 10 === 7 ? 24 : 0
    const name = long
      ? basename(path, ending)
          .padEnd(long - ending.length, `_${i}_long_name_of_a_member`)
          .slice(0, long - 7) +
        `${i}`.padStart(3, '0') +
        ending
      : plain
    const own = used.has(name.toLowerCase()) ? `n${i}${ending}` : name
    used.add(own.toLowerCase())
    return { name: own, bytes: readBytes(path) }
  })

  it.each(Object.keys(kinds))('a whole %s of every real member is worked on, and no other member loses a byte', async (kind) => {
    const made = kinds[kind](members)
    expect(members.length).toBeGreaterThan(100)
    expect([23, 24].map((length) => members.some(({ name }) => name.length === length))).toEqual([true, true])
    await onDisk(made, async ({ members: now, change, number, store, archive, size }) => {
      let expected = members.map(({ name }, i): [string, string] => [name, Buffer.from(made.bodies[i]).toString('base64')])
      const stored = (bytes: Uint8Array): string => Buffer.from(filled(bytes, SECTOR)).toString('base64')
      const holds = async (changes: ArchiveChange | ArchiveChange[]): Promise<void> => {
        await change(changes)
        expect(shown(now())).toEqual(expected)
        expect(store.members(archive).length).toBe(expected.length)
      }
      expect(shown(now())).toEqual(expected)

      // every member by its name, through the codec
      for (const [i, { name }] of members.entries()) expect(number(name.toLowerCase()), name).toBe(i)

      const added = [members[3], members[60]].map(({ bytes }, i) => ({ name: `added${i}.dff`, bytes }))
      expected.push(...added.map(({ name, bytes }): [string, string] => [name, stored(bytes)]))
      await holds({ kind: 'add', members: added })

      // grown by two sectors, shrunk to a part of one, as long as before
      const grown = Buffer.concat([members[5].bytes, junk(2 * SECTOR, 1)])
      const [large, small, same] = [5, members.findIndex(({ bytes }) => bytes.length > 3 * SECTOR), members.length - 1]
      const bodies = new Map([
        [large, new Uint8Array(grown)],
        [small, junk(100, 2)],
        [same, made.bodies[same].map((byte) => byte ^ 1)],
      ])
      for (const [i, bytes] of bodies) expected[i][1] = stored(bytes)
      await holds({ kind: 'put', bodies })

      const full = members.findIndex(({ name }) => name.length === 24)
      const names = new Map([
        [full, 'short.dff'],
        [1, 'a_name_of_23_letter.dff'],
      ])
      for (const [i, name] of names) expected[i][0] = name
      await holds({ kind: 'rename', names })

      const gone = new Set([0, 8, members.length])
      expected = expected.filter((_, i) => !gone.has(i))
      await holds({ kind: 'remove', members: gone })

      const order = expected.map((_, i) => (i * 7 + 3) % expected.length)
      expect(new Set(order).size).toBe(order.length)
      expected = order.map((i) => expected[i])
      await holds({ kind: 'reorder', order })

      const before = size()
      await holds({ kind: 'rebuild' })
      expect(size()).toBeLessThan(before)
      const bytes = expected.reduce((sum, [, body]) => sum + Buffer.from(body, 'base64').length, 0)
      const directory = kind === 'IMG v1' ? 32 * expected.length : Math.ceil((8 + 32 * expected.length) / SECTOR) * SECTOR
      expect(size()).toBe(bytes + directory)
    })
  })
})
