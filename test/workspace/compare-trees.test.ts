/** Folders and archives side by side of which something cannot be read: what was not compared is told, and nothing is said to be the same for it. */
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FormatError } from '../../src/main/binary/format-error.ts'
import { FileStore } from '../../src/main/files/store.ts'
import { alignedFiles } from '../../src/main/workspace/compare-trees.ts'
import { firstDifferent } from '../../src/main/workspace/compare.ts'
import { fake, fakePack, fakeRegistry } from '../files/fake-family.ts'
import { tempFolder } from '../files/temp.ts'

/** Rows as `path`, with what is told of them, and the failures. */
function compared(store: FileStore, a: string, b: string): { rows: string[]; failures: string[]; differs: boolean } {
  const rows: string[] = []
  const failures: string[] = []
  const all = alignedFiles(store, [a, b], { onError: (ref) => void failures.push(ref) })
  let step = all.next()
  while (!step.done) {
    const { path, files, shell } = step.value
    const [from, to] = files
    const same = !shell && from !== undefined && to !== undefined && firstDifferent(store.source(from), store.source(to)) < 0
    rows.push(`${path} ${shell ? 'shell' : same ? 'same' : 'apart'}`)
    step = all.next(!same)
  }
  return { rows, failures, differs: step.value }
}

const gone = (file: string): never => {
  throw new FormatError('io', 'the drive is away', { file })
}
const members = [
  ['art/x.fake', fake('x')],
  ['y.fake', fake('y')],
] as [string, Uint8Array][]

describe('archives whose members are the same, in another order', () => {
  const root = tempFolder({ 'a.fpak': fakePack(members), 'b.fpak': fakePack(members.toReversed()) })
  const [a, b] = ['a.fpak', 'b.fpak'].map((name) => join(root, name))
  const store = (): FileStore => new FileStore({ registry: fakeRegistry })

  it('are told by their own bytes', () => {
    expect(compared(store(), a, b)).toEqual({ rows: ['art/x.fake same', 'y.fake same', ' shell'], failures: [], differs: true })
  })

  it('are not said to have the same members where a folder in them cannot be read', () => {
    const files = store()
    const list = files.list.bind(files)
    files.list = (ref) => (ref.endsWith('!art') ? gone(ref) : list(ref))
    expect(compared(files, a, b)).toEqual({ rows: ['y.fake same'], failures: [`${a}!art`, `${b}!art`], differs: true })
  })

  it('nor where an archive in them cannot be read to its end', () => {
    const inner = fakePack(members)
    const of = (...more: [string, Uint8Array][]): Uint8Array => fakePack(more)
    const outer = tempFolder({ 'a.fpak': of(['in.fpak', inner], members[1]), 'b.fpak': of(members[1], ['in.fpak', inner]) })
    const [one, other] = ['a.fpak', 'b.fpak'].map((name) => join(outer, name))
    const files = store()
    const open = files.openArchive.bind(files)
    let asked = 0
    // it opens, and is away when its bytes are asked for
    files.openArchive = (ref) => {
      const found = open(ref)
      return found && ref.endsWith('!in.fpak') && ++asked > 4 ? { ...found, source: { ...found.source, read: () => gone(ref) } } : found
    }
    expect(compared(files, one, other)).toEqual({ rows: ['y.fake same'], failures: [`${one}!in.fpak`], differs: true })
  })
})

describe('names that differ in case alone', () => {
  const store = (): FileStore => new FileStore({ registry: fakeRegistry })

  it('are one file where each side has one of them', () => {
    const root = tempFolder({ 'a/Note.txt': 'x', 'b/note.TXT': 'x' })
    expect(compared(store(), join(root, 'a'), join(root, 'b')).rows).toEqual(['Note.txt same'])
  })

  // elsewhere a folder holds one of them
  it.skipIf(process.platform !== 'linux')('are files of their own where a side has both, on a system that has', () => {
    const root = tempFolder({ 'a/note.txt': 'x', 'a/NOTE.txt': 'y', 'b/note.txt': 'x', 'c/Note.txt': 'x' })
    expect(compared(store(), join(root, 'a'), join(root, 'b')).rows).toEqual(['NOTE.txt apart', 'note.txt same'])
    expect(compared(store(), join(root, 'a'), join(root, 'c')).rows).toEqual(['NOTE.txt apart', 'Note.txt apart', 'note.txt apart'])
  })
})
