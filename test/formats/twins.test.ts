/** Members of one name: what each kind of archive says of them, and which of them a path without a number is. */
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FileStore } from '../../src/main/files/store.ts'
import { tempFolder } from '../files/temp.ts'
import { zipOf } from '../fixtures/zip.ts'
import { archiveCases } from '../support/archive-cases.ts'
import { junk } from '../support/hostile.ts'
import { makeIso } from '../support/iso.ts'
import type { ReadMember } from '../support/read-archives.ts'

/** What is said of the twins of an archive, and the bytes behind each of their paths. */
function look(files: Record<string, Uint8Array>, opened: string, code: string, names: readonly string[]) {
  const path = join(tempFolder(files), opened)
  const store = new FileStore()
  try {
    return {
      told: store
        .openArchive(path)!
        .index.diagnostics.filter((d) => d.code === code)
        .map(({ severity, message, offset }) => ({ severity, message, offset })),
      read: names.map((name) => [...store.read(`${path}!${name}`)]),
    }
  } finally {
    store.close()
  }
}

/** Groups of members of one name, as the test's own reader has them. */
function twins(members: readonly ReadMember[]): ReadMember[][] {
  const byName = Map.groupBy(members, ({ name }) => name.toLowerCase())
  return [...byName.values()].filter(({ length }) => length > 1)
}

const CODES: Readonly<Record<string, string>> = {
  'IMG v2': 'renderware.img-duplicate',
  'IMG v1': 'renderware.img-duplicate',
  BIG: 'w3d.big-duplicate',
  BIG4: 'w3d.big-duplicate',
  MIX: 'w3d.mix-duplicate',
  PAK: 'level5.pack-duplicate',
  HD2: 'level5.disc-twice',
  HD3: 'level5.disc-twice',
  HD4: 'level5.disc-twice',
  HED: 'level5.disc-twice',
  'disc of four directories': 'level5.disc-twice',
}

describe('members of one name', () => {
  it.each(Object.entries(archiveCases))('of %s are told, and the plain name is the one that is said', (kind, make) => {
    const { files, read } = make()
    const [group, ...more] = twins(read(...Object.values(files)))
    expect(more).toEqual([])
    const name = group[0].name.replaceAll('\\', '/')
    const opened = Object.keys(files).find((file) => !/\.(dat|img)$/i.test(file)) ?? Object.keys(files)[0]
    // the game reads the last of a BIG; of the others nobody knows, and the first is taken
    const order = kind.startsWith('BIG') ? group.toReversed() : group
    const { told, read: bytes } = look(
      files,
      opened,
      CODES[kind],
      order.map((_, i) => (i === 0 ? name : `${name}~${i + 1}`)),
    )
    expect(bytes).toEqual(order.map((member) => [...member.bytes]))
    // of a disc each that is not the first is told
    expect(told).toHaveLength(CODES[kind] === 'level5.disc-twice' ? group.length - 1 : 1)
    // a disc with its last file twice, in one place
    const alike = kind === 'disc of four directories'
    expect(told[0].severity).toBe(alike ? 'info' : 'warning')
    expect(told[0].message).toContain(
      alike ? 'at one place' : kind.startsWith('BIG') ? 'the game reads the last' : 'the game reads is not known',
    )
  })

  it('of a zip are told, and the last is what is left where it is unpacked', () => {
    const zip = zipOf(['a.txt', 'b.txt', 'A.TXT', 'a.txt'].map((name, i) => ({ name, body: junk(10, i) })))
    const { told, read } = look({ 'x.zip': zip }, 'x.zip', 'zip.duplicate', ['a.txt', 'a.txt~2', 'a.txt~3', 'b.txt'])
    expect(read).toEqual([3, 2, 0, 1].map((seed) => [...junk(10, seed)]))
    expect(told.map(({ severity, message }) => [severity, message])).toEqual([
      ['warning', 'a.txt is here 3 times, and the last (member 3) is what is left where the zip is unpacked'],
    ])
  })

  it('of an image of a disc are told', () => {
    const { image, records } = makeIso({ 'A.BIN': junk(10, 1), 'a.bin': junk(10, 2) })
    const { told, read } = look({ 'x.iso': image }, 'x.iso', 'iso.duplicate', ['a.bin', 'a.bin~2'])
    expect(read).toEqual([1, 2].map((seed) => [...junk(10, seed)]))
    expect(told).toMatchObject([{ severity: 'warning', offset: records.get('A.BIN') }])
    expect(told[0].message).toContain('not known')
  })

  it('that are the same bytes are a note, as one disc has its last file', () => {
    const entry = (sector: number, name: string): Buffer =>
      Buffer.concat([Buffer.from(Uint32Array.from([sector, 1]).buffer), Buffer.from(name.padEnd(24, '\0'))])
    const img = (second: number): Uint8Array =>
      Buffer.concat([Buffer.from('VER2\x02\0\0\0'), entry(1, 'a.dff'), entry(second, 'A.DFF'), new Uint8Array(3 * 2048 - 72)])
    const say = (second: number) => look({ 'x.img': img(second) }, 'x.img', 'renderware.img-duplicate', []).told
    expect(say(1)).toEqual([{ severity: 'info', message: 'a.dff is here 2 times, all of the same bytes', offset: 16 }])
    expect(say(2).map(({ severity }) => severity)).toEqual(['warning'])
  })

  it('are none where no two names are alike, nor where emptied entries have no name', () => {
    const entry = (sector: number, name: string): Buffer =>
      Buffer.concat([Buffer.from(Uint32Array.from([sector, 0]).buffer), Buffer.from(name.padEnd(24, '\0'))])
    const img = Buffer.concat([
      Buffer.from('VER2\x03\0\0\0'),
      entry(1, ''),
      entry(2, ''),
      entry(1, 'a.dff'),
      new Uint8Array(3 * 2048 - 104),
    ])
    expect(look({ 'x.img': img }, 'x.img', 'renderware.img-duplicate', []).told).toEqual([])
  })
})
