/** Fields of the directory of an archive: what comes out is the same archive but for them, or nothing is written. */
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { FileStore } from '../../src/main/files/store.ts'
import { expectSameBut, fieldParts, WHOLE } from '../../src/main/workspace/archive-fields.ts'
import { makeBig } from '../../src/main/formats/w3d/archives/big.ts'
import { tempFolder } from '../files/temp.ts'
import type { ReadArchive } from '../../src/main/workspace/archive-fields.ts'
import type { ArchiveMember } from '../../src/main/formats/archive.ts'
import type { OpenArchive } from '../../src/main/files/places.ts'

const store = new FileStore()
afterAll(() => store.close())

const members = ['a.txt', 'b.txt'].map((name, i) => ({ name, bytes: Uint8Array.of(i, 9, 8, 7) }))
const SIZE = { member: WHOLE, path: 'archiveSize', value: '5' }
const big = makeBig('BIGF', members)
/** Another archive than it was by `change` of its bytes. */
function opened(change: (bytes: Uint8Array) => void = () => {}): OpenArchive {
  const bytes = big.slice()
  change(bytes)
  return store.openArchive(join(tempFolder({ 'x.big': bytes }), 'x.big'))!
}

const sized = (bytes: Uint8Array): void => bytes.set([5, 0, 0, 0], 4)
const before = opened()
const refusal = (after: ReadArchive, values = [SIZE]): unknown => {
  try {
    expectSameBut(store, before, after, values)
  } catch (error) {
    return error
  }
  return undefined
}
const decides = {
  code: 'invalid-edit',
  path: 'archiveSize',
  file: before.ref,
  message: expect.stringMatching(/decides how the file is read/),
}

it('what was set is no other archive', () => {
  expect(refusal(opened(sized))).toBeUndefined()
  // another field than the one that was set
  expect(refusal(opened((bytes) => bytes.set([9], 15)))).toMatchObject(decides)
  expect(
    refusal(
      opened((bytes) => bytes.set([9], 15)),
      [{ ...SIZE, path: 'headerSize' }],
    ),
  ).toBeUndefined()
  // of no archive, or of one whose fields do not give its bytes
  const { index, format } = before
  const other = (change: (bytes: Uint8Array) => void): ReadArchive => {
    const bytes = big.slice()
    change(bytes)
    return { ref: before.ref, index, format, source: { ref: '', size: bytes.length, read: (at, length) => bytes.slice(at, at + length) } }
  }
  expect(refusal(other((bytes) => bytes.fill(0, 0, 4)))).toMatchObject(decides)
  expect(refusal(other(sized))).toMatchObject(decides)
})

it('members stay what they are, where they are, and as many', () => {
  const { index } = before
  const all = [...index.members]
  const now = (list: ArchiveMember[]): unknown => {
    const other: unknown = Object.create(index.members, { [Symbol.iterator]: { value: () => list.values() } })
    return refusal({ ...before, index: { ...index, members: other as typeof index.members } })
  }
  expect(now(all)).toBeUndefined()
  const [first, second] = all
  for (const list of [
    [first],
    [first, second, second],
    [{ ...first, offset: first.offset + 1 }, second],
    [{ ...first, size: first.size + 1 }, second],
    [{ ...first, duplicate: first.duplicate + 1 }, second],
    [first, { ...second, rawName: Uint8Array.of(1) }],
  ])
    expect(now(list)).toMatchObject(decides)
})

it('an error that was not there is told', () => {
  const { index } = before
  const trouble = { severity: 'error' as const, code: 'x.bad', message: 'no way', path: '', offset: -1, ref: before.ref }
  const after = { ...before, index: { ...index, diagnostics: [trouble] } }
  expect(refusal(after)).toMatchObject({ code: 'invalid-edit', message: expect.stringContaining('no way') })
  expect(refusal({ ...before, index: { ...index, diagnostics: [{ ...trouble, severity: 'warning' }] } })).toBeUndefined()
})

it('fields are set each once, in any order, and between them every byte is taken as it is', () => {
  const { source } = before
  const end = { member: WHOLE, path: 'headerSize', value: '6' }
  const segments = fieldParts(before, [end, SIZE]).data
  const out = Buffer.concat(
    [...segments].map((part) =>
      part.kind === 'copy' ? source.read(part.offset, part.length) : part.kind === 'bytes' ? part.bytes : new Uint8Array(0),
    ),
  )
  const wanted = big.slice()
  wanted.set([5, 0, 0, 0], 4)
  wanted.set([0, 0, 0, 6], 12)
  expect(new Uint8Array(out)).toEqual(wanted)
  expect(() => fieldParts(before, [SIZE, { ...SIZE, value: '6' }])).toThrow(
    expect.objectContaining({ code: 'invalid-edit', path: 'archiveSize' }),
  )
})
