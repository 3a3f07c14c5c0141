/** What a change of an archive would write is compared with what was asked for: formats that do something else are refused. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { FileStore } from '../../src/main/files/store.ts'
import { createRegistry } from '../../src/main/formats/registry.ts'
import { w3d } from '../../src/main/formats/w3d/family.ts'
import { big, makeBig } from '../../src/main/formats/w3d/archives/big.ts'
import { planArchiveChange } from '../../src/main/workspace/archive-edits.ts'
import { tempFolder } from '../files/temp.ts'
import { archiveCases } from '../support/archive-cases.ts'
import { junk } from '../support/hostile.ts'
import { readBig, readBigHead } from '../support/read-archives.ts'
import type { ArchiveChange } from '../../src/main/workspace/archive-edits.ts'
import type { ArchiveFormat, Segment } from '../../src/main/formats/archive.ts'

interface Member {
  name: string
  bytes: Uint8Array
}

/** two of one name among them, and two of one body */
const members = (): Member[] => [
  { name: 'a', bytes: junk(40, 1) },
  { name: 'twin', bytes: junk(30, 2) },
  { name: 'b', bytes: junk(40, 1) },
  { name: 'twin', bytes: junk(30, 3) },
  { name: 'c', bytes: junk(20, 4) },
]

const stores: FileStore[] = []
afterEach(() => {
  for (const store of stores.splice(0)) store.close()
})

/** An archive whose format makes of every change the archive that `lie` tells. */
function planned(lie: (members: Member[]) => Member[], change: ArchiveChange): void {
  plannedOf([{ kind: 'bytes', bytes: makeBig('BIGF', lie(members())), as: 'typed' }], change)
}

function plannedOf(data: Segment[], change: ArchiveChange): void {
  const edit: ArchiveFormat['edit'] = () => ({ data })
  const format = Object.create(big, { edit: { value: edit } }) as ArchiveFormat
  const store = new FileStore({ registry: createRegistry([{ ...w3d, archives: [format] }]) })
  stores.push(store)
  const ref = join(tempFolder(), 'x.big')
  writeFileSync(ref, makeBig('BIGF', members()))
  expect(readBig(makeBig('BIGF', members()))).toHaveLength(5)
  planArchiveChange(store, ref, change)
}

const remove: ArchiveChange = { kind: 'remove', members: new Set([4]) }
const add: ArchiveChange = { kind: 'add', members: [{ name: 'new', bytes: junk(9, 9) }] }
const rename: ArchiveChange = { kind: 'rename', names: new Map([[0, 'z']]) }
const reorder: ArchiveChange = { kind: 'reorder', order: [4, 1, 2, 3, 0] }
const fresh: Member = { name: 'new', bytes: junk(9, 9) }
const other = (list: Member[], i: number): Member[] => list.map((one, k) => (k === i ? { ...one, bytes: one.bytes.toReversed() } : one))

describe('what was asked for', () => {
  it.each<[string, (list: Member[]) => Member[], ArchiveChange]>([
    ['removed', (list) => list.slice(0, 4), remove],
    ['added behind', (list) => [...list, fresh], add],
    ['added among the others, as archives do that sort', (list) => [...list.slice(0, 2), fresh, ...list.slice(2)], add],
    ['sorted with what came', (list) => [fresh, list[2], list[4], list[1], list[3], list[0]], add],
    ['renamed', ([a, ...rest]) => [{ ...a, name: 'z' }, ...rest], rename],
    ['renamed and sorted', ([a, ...rest]) => [...rest, { ...a, name: 'z' }], rename],
    ['in another order', ([a, b, c, d, e]) => [e, b, c, d, a], reorder],
  ])('passes: %s', (_name, lie, change) => {
    expect(() => planned(lie, change)).not.toThrow()
  })
})

describe('anything else is refused', () => {
  it.each<[string, (list: Member[]) => Member[], ArchiveChange]>([
    ['one more is gone', (list) => list.slice(1, 4), remove],
    ['another one is gone', (list) => list.slice(1), remove],
    ['none is gone', (list) => list, remove],
    ['a byte of one that stays', (list) => other(list.slice(0, 4), 2), remove],
    ['twins that changed places', ([a, b, c, d]) => [a, d, c, b], remove],
    ['one came unasked', (list) => [...list, fresh, { ...fresh, name: 'more' }], add],
    ['none came', (list) => list, add],
    ['one came with other bytes', (list) => [...list, { ...fresh, bytes: junk(9, 8) }], add],
    ['one came by another name', (list) => [...list, { ...fresh, name: 'news' }], add],
    ['one came in the place of another', ([a, b, c, d]) => [a, b, c, d, fresh], add],
    ['the last byte of the last one', (list) => [...other(list, 4), fresh], add],
    ['another one has the name', ([a, b, c, d, e]) => [a, b, { ...c, name: 'z' }, d, e], rename],
    ['both have the name', ([a, b, c, d, e]) => [{ ...a, name: 'z' }, b, { ...c, name: 'z' }, d, e], rename],
    ['the name has other bytes', ([a, ...rest]) => other([{ ...a, name: 'z' }, ...rest], 0), rename],
    ['the old order', (list) => list, reorder],
    ['twins that changed places in another order', ([a, b, c, d, e]) => [e, d, c, b, a], reorder],
  ])('%s', (_name, lie, change) => {
    expect(() => planned(lie, change)).toThrow(expect.objectContaining({ code: 'invalid-edit' }))
  })
})

it('another size of a member whose bytes are taken over where they stand is refused', () => {
  const archive = makeBig('BIGF', members())
  const { firstBody } = readBigHead(archive)
  const renamed = makeBig('BIGF', [{ ...members()[0], name: 'z' }, ...members().slice(1)])
  // the table's second entry: its size stands behind its place
  const second = 16 + 8 + 'z\0'.length
  for (const [by, broken] of [
    [0, false],
    [-1, true],
    [1, true],
  ] as const) {
    const table = renamed.slice(0, firstBody)
    const view = new DataView(table.buffer)
    view.setUint32(second + 4, view.getUint32(second + 4) + by)
    const data: Segment[] = [
      { kind: 'bytes', bytes: table, as: 'typed' },
      { kind: 'copy', offset: firstBody, length: archive.length - firstBody },
    ]
    const plan = expect(() => plannedOf(data, rename))
    if (broken) plan.toThrow(expect.objectContaining({ code: 'invalid-edit' }))
    else plan.not.toThrow()
  }
})

it('members without bytes are not told among those that move', () => {
  const store = new FileStore()
  stores.push(store)
  const ref = join(tempFolder(), 'x.big')
  writeFileSync(ref, makeBig('BIGF', [...members(), { name: 'none', bytes: new Uint8Array(0) }, { name: 'last', bytes: junk(7, 7) }]))
  expect(planArchiveChange(store, ref, add).plan).toMatchObject({ members: [7, 8], moved: 6 })
})

it('an archive of two files is not changed in another one, which would get one of them', () => {
  const store = new FileStore()
  stores.push(store)
  const { files } = archiveCases['IMG v1']()
  const ref = join(tempFolder(), 'x.big')
  writeFileSync(
    ref,
    makeBig(
      'BIGF',
      Object.entries(files).map(([name, bytes]) => ({ name, bytes })),
    ),
  )
  const directory = Object.keys(files).find((name) => name.endsWith('.dir'))!
  expect(() => planArchiveChange(store, `${ref}!${directory}`, { kind: 'replace', member: 0, bytes: junk(5, 1) })).toThrow(
    expect.objectContaining({ code: 'unsupported' }),
  )
})
