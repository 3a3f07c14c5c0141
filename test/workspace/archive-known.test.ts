/** Steps in an archive that go on from what is known of those before: the same bytes as all of them made anew. */
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { FileStore } from '../../src/main/files/store.ts'
import { ArchiveDesk } from '../../src/main/workspace/archive-desk.ts'
import { KnownSteps } from '../../src/main/workspace/known-steps.ts'
import { SegmentSource } from '../../src/main/workspace/segment-source.ts'
import { archiveCases } from '../support/archive-cases.ts'
import { junk } from '../support/hostile.ts'
import { temporaryFolder, writeFiles } from './support.ts'
import type { PlannedChange } from '../../src/main/workspace/archive-edits.ts'
import type { ArchiveStep } from '../../src/shared/api/types/archive.ts'
import type { ByteSource, Segment } from '../../src/main/formats/archive.ts'

const stores: FileStore[] = []
afterEach(() => {
  for (const store of stores.splice(0)) store.close()
})

const read: number[] = []
const bodies = {
  read: (body: string) => {
    read.push(Number(body))
    return junk(Number(body), Number(body))
  },
  size: Number,
  file: () => '',
}

function written({ top, parts, plan }: PlannedChange): unknown {
  const bytes = (segments: readonly Segment[], source: ByteSource): Uint8Array => {
    const of = new SegmentSource(segments, source, '')
    return of.read(0, of.size)
  }
  return [bytes(parts.data, top.data), parts.directory && bytes(parts.directory, top.source), plan]
}

const STEPS: ArchiveStep[] = [
  { kind: 'rename', id: 1, name: 'z.dff' },
  { kind: 'add', files: [{ name: 'new.txt', body: '700' }] },
  { kind: 'replace', id: 0, body: '3000' },
  { kind: 'field', id: -1, path: 'archiveSize', value: '5' },
  { kind: 'field', id: 1, path: 'junk', value: '5' },
  { kind: 'replace', id: 5, body: '80' },
  { kind: 'remove', ids: [2] },
  { kind: 'move', ids: [5], before: 1 },
  { kind: 'rename', id: 5, name: 'y.txt' },
  { kind: 'rebuild' },
]

describe.each(['IMG v1', 'IMG v2', 'BIG', 'MIX', 'PAK', 'HD2'])('%s', (kind) => {
  it('is planned the same, whatever was planned, taken back and done again before', () => {
    const { files } = archiveCases[kind]()
    const root = temporaryFolder()
    writeFiles(root, files)
    const store = new FileStore()
    stores.push(store)
    const ref = join(root, Object.keys(files).at(-1)!)
    const desk = new ArchiveDesk(store, ref, ref, bodies)
    const check = (): void => {
      if (desk.done === 0) return
      const anew = new ArchiveDesk(store, ref, ref, bodies, { steps: [...desk.steps], done: desk.done })
      expect(written(desk.plan(true))).toEqual(written(anew.plan(true)))
    }
    let made = 0
    for (const step of STEPS) {
      try {
        desk.do(step)
        made++
      } catch {
        // not every archive can do each: what was planned stays
      }
      check()
    }
    expect(made).toBeGreaterThan(1)
    for (let i = 0; i < 3; i++) {
      desk.undo()
      check()
    }
    desk.redo()
    check()
    desk.do({ kind: 'rename', id: 0, name: 'x.dff' })
    check()
  })
})

describe('what is known', () => {
  it('is not asked for again, and bodies are read once', () => {
    const { files } = archiveCases.BIG()
    const root = temporaryFolder()
    writeFiles(root, files)
    const store = new FileStore()
    stores.push(store)
    const ref = join(root, 'x.big')
    const desk = new ArchiveDesk(store, ref, ref, bodies)
    read.length = 0
    desk.do({ kind: 'replace', id: 0, body: '40' })
    desk.do({ kind: 'rename', id: 1, name: 'other' })
    desk.plan(true)
    desk.node(1)
    expect(read).toEqual([40])
    // another file of the same name is another archive
    writeFiles(root, { 'x.big': new Uint8Array([...files['x.big'], 0]) })
    expect(() => desk.plan(true)).toThrow(/changed by somebody else/)
  })

  it('is of one thing, as far as the steps are the same', () => {
    const known = new KnownSteps<string>()
    const first = {}
    expect(known.last(first, ['a', 'b'])).toEqual({ count: 0, state: undefined })
    known.put(1, 'a', 'A')
    known.put(2, 'b', 'AB')
    expect(known.last(first, ['a', 'b', 'c'])).toEqual({ count: 2, state: 'AB' })
    expect(known.last(first, ['a', 'x', 'c'])).toEqual({ count: 1, state: 'A' })
    known.put(2, 'x', 'AX')
    expect(known.last(first, ['a', 'b'])).toEqual({ count: 1, state: 'A' })
    for (let i = 3; i <= 5; i++) known.put(i, String(i), `at ${i}`)
    // the oldest ones are let go
    expect(known.last(first, ['a', 'x'])).toEqual({ count: 0, state: undefined })
    expect(known.last(first, ['a', 'x', '3', '4', '5'])).toEqual({ count: 5, state: 'at 5' })
    expect(known.last({}, ['a', 'x', '3'])).toEqual({ count: 0, state: undefined })
  })
})
