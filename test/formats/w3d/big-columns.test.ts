/** An archive of very many members keeps columns: what is held does not grow by an object for a member. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { FileStore } from '../../../src/main/files/store.ts'
import { StoreMembers } from '../../../src/main/files/store-members.ts'
import { big, makeBig } from '../../../src/main/formats/w3d/archives/big.ts'
import { BigMembers } from '../../../src/main/formats/w3d/archives/big-members.ts'
import { hashOf } from '../../../src/main/binary/lazy-list.ts'
import { memberKey } from '../../../src/shared/ref.ts'
import { atOnce } from '../../../src/shared/stepwise.ts'
import { junk } from '../../support/hostile.ts'
import type { ByteSource } from '../../../src/main/formats/archive.ts'

const COUNT = 20_000
const bytes = makeBig(
  'BIGF',
  Array.from({ length: COUNT }, (_, i) => ({ name: `Data\\member ${i}.ini`, bytes: junk(i % 7, i) })),
)
const folder = mkdtempSync(join(tmpdir(), 'marrow-big-'))
const path = join(folder, 'many.big')
writeFileSync(path, bytes)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const memorySource = (body: Uint8Array): ByteSource => ({
  size: body.length,
  ref: 'many.big',
  read: (offset, length) => body.slice(offset, offset + length),
})

/** Objects that are reached from `root`, typed arrays counted as one each. */
function held(root: object): number {
  const seen = new Set<object>()
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return
    seen.add(value)
    if (ArrayBuffer.isView(value)) return
    if (value instanceof Map) for (const entry of value) entry.forEach(walk)
    else for (const inner of Object.values(value)) walk(inner)
  }
  walk(root)
  return seen.size
}

const made = (list: typeof BigMembers | typeof StoreMembers) => vi.spyOn(list.prototype as unknown as { make(i: number): unknown }, 'make')

describe('an archive of many members', () => {
  it('is opened and written again without an object for a member', () => {
    const objects = made(BigMembers)
    const index = big.open(memorySource(bytes), memorySource(bytes))
    const { data } = big.replace(index, new Map([[COUNT - 2, junk(99)]]))
    big.encode(index)
    expect(objects).not.toHaveBeenCalled()
    expect(held(index.members)).toBeLessThan(20)
    expect(data.length).toBeLessThan(10)
    expect(index.members.at(7)).toMatchObject({ name: 'Data\\member 7.ini', size: 0, duplicate: 0 })
    expect(index.members.length).toBe(COUNT)
  })

  it('is listed and read through the store without keeping one for a member', () => {
    const store = new FileStore()
    const objects = made(StoreMembers)
    const members = store.members(path)
    expect(objects).not.toHaveBeenCalled()
    expect(store.read(`${path}!data/MEMBER 19999.INI`)).toEqual(junk(19_999 % 7, 19_999))
    expect(objects.mock.calls.length).toBeLessThan(10)
    let size = 0
    for (const member of members) size += member.size
    expect(size).toBe(Array.from({ length: COUNT }, (_, i) => i % 7).reduce((sum, n) => sum + n))
    expect(held(members)).toBeLessThan(40)
    expect(members.byKey('Data/member 12.ini')?.index).toBe(12)
    expect(members.byKey('data/member 12.ini')?.index).toBe(12)
    expect(members.byKey('member 12.ini')).toBeUndefined()
    expect(members.folder('data/')).toBe('Data')
    store.close()
  })

  it('counts twins by their folded names, in columns too', () => {
    const twins = makeBig(
      'BIG4',
      ['A\\x', 'a/X', 'b', 'A/X', 'B', '\xC9', '\xE9'].map((name) => ({ name, bytes: junk(3) })),
    )
    const index = big.open(memorySource(twins), memorySource(twins))
    expect(index.members.map(({ duplicate }) => duplicate)).toEqual([2, 1, 1, 0, 0, 1, 0])
  })

  it('gives no member a name that another has, twins that no game reads among them', () => {
    const some = makeBig(
      'BIGF',
      ['A\\x', 'b', 'a/X', 'B', 'c'].map((name, i) => ({ name, bytes: junk(i) })),
    )
    const index = big.open(memorySource(some), memorySource(some))
    const named = (number: number, name: string) => () => big.edit!(index, { kind: 'rename', names: new Map([[number, name]]) })
    const said = /there is a member called/
    for (const [number, name] of [
      [4, 'a/x'],
      [4, 'B'],
      [3, 'b'],
      [1, 'B'],
      [0, 'A/X'],
    ] as const)
      expect(named(number, name)).toThrow(said)
    expect(named(4, 'C')).not.toThrow()
    expect(named(0, 'x')).not.toThrow()
    expect(() => big.edit!(index, { kind: 'add', members: [{ name: 'A/X', bytes: junk(1) }] })).toThrow(said)
  })

  it('tells where bodies stand, and what keys come to, without their names', () => {
    const names = ['A\\x', 'a/X', '', 'Straße.W3D', '\xC9t\xE9', '\xC9T\xC9', '~2', 'A/x~2']
    const some = makeBig(
      'BIGF',
      names.map((name, i) => ({ name, bytes: junk(i) })),
    )
    const { members } = big.open(memorySource(some), memorySource(some))
    for (const [i, { name, duplicate, offset, size }] of [...members].entries())
      expect([members.columns.keyHash(i), members.columns.nameHash(i), members.columns.offset(i), members.columns.size(i)]).toEqual([
        hashOf(memberKey(name, duplicate).toLowerCase()),
        hashOf(memberKey(name, 0).toLowerCase()),
        offset,
        size,
      ])
    const listed = atOnce(StoreMembers.listing('x.big', { ...big.open(memorySource(some), memorySource(some)) }, () => {}))
    const plain = atOnce(
      StoreMembers.listing('x.big', { format: 'w3d.big', ref: 'x.big', diagnostics: [], members: [...members] }, () => {}),
    )
    expect(listed.map(({ key }) => key)).toEqual(plain.map(({ key }) => key))
    expect(listed.map(({ key }) => key)).toEqual(['A/x~2', 'a/X', '#3', 'Straße.W3D', 'Ét\xE9~2', '\xC9T\xC9', '~2', 'A/x~2#8'])
    for (const { key, index } of listed) expect([listed.byKey(key)?.index, plain.byKey(key)?.index]).toEqual([index, index])
  })
})
