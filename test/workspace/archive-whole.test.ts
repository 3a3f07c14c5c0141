/** Archives in another order, made anew, new, and with several changes in one pass, found by readings of the bytes that are the tests' own. */
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FileStore } from '../../src/main/files/store.ts'
import { makeBig } from '../../src/main/formats/w3d/archives/big.ts'
import { planArchiveChange } from '../../src/main/workspace/archive-edits.ts'
import { filesOf, makerOf, planNewArchive } from '../../src/main/workspace/archive-new.ts'
import { archiveCases, filled, joined } from '../support/archive-cases.ts'
import { describeCorpus, readBytes } from '../support/corpus.ts'
import { junk } from '../support/hostile.ts'
import { readBig, readBigHead, readImg1, readImg2, readMix, readPack } from '../support/read-archives.ts'
import { onDisk } from './archive-bench.ts'
import { temporaryFolder, writeFiles } from './support.ts'
import type { ArchiveChange } from '../../src/main/workspace/archive-edits.ts'
import type { ReadMember } from '../support/read-archives.ts'

const KINDS = ['PAK', 'BIG', 'BIG4', 'MIX', 'IMG v1', 'IMG v2']
const SECTOR = 2048

const bodies = (list: readonly ReadMember[]): [string, string][] =>
  list.map(({ name, bytes }): [string, string] => [name, Buffer.from(bytes).toString('latin1')])
const code = (wanted: string): unknown => expect.objectContaining({ code: wanted })

describe.each(KINDS)('%s', (kind) => {
  const made = archiveCases[kind]()

  it('stands in the order that is asked for, with every byte of its members', async () => {
    await onDisk(made, async ({ members, change, plan }) => {
      const before = members()
      const order = before.map((_, i) => (i + 2) % before.length)
      if (kind === 'MIX') return void expect(() => plan({ kind: 'reorder', order })).toThrow(code('unsupported'))
      await change({ kind: 'reorder', order })
      expect(members()).toEqual(order.map((i) => before[i]))
      for (const wrong of [[0], before.map(() => 0)]) expect(() => plan({ kind: 'reorder', order: wrong })).toThrow(code('invalid-edit'))
      expect(() => plan({ kind: 'reorder', order: before.map((_, i) => i + 1) })).toThrow(code('not-found'))
    })
  })

  it('is made anew without what no member needs, in as many bytes as were told', async () => {
    await onDisk(made, async ({ members, change, size, store, archive }) => {
      // what goes leaves a hole in some of them
      await change({ kind: 'add', members: [0, 1, 2].map((i) => ({ name: `n${i}.bin`, bytes: junk(3001 + i, i) })) })
      const all = members()
      await change({ kind: 'remove', members: new Set([all.findIndex(({ name }) => name === 'n1.bin')]) })
      const before = members()
      const was = size()
      const { plan } = await change({ kind: 'rebuild' })
      expect(plan.size).toEqual([was, size()])
      expect(size()).toBeLessThan(was)
      expect(bodies(members())).toEqual(bodies(before))
      expect(members().map(({ rest }) => rest)).toEqual(before.map(({ rest }) => rest))
      expect(store.members(archive).length).toBe(before.length)
      // once more finds nothing to leave out
      const again = planArchiveChange(store, archive, { kind: 'rebuild' }).plan
      expect(again.size).toEqual([size(), size()])
    })
  })

  it('takes several changes in one pass, each in what the others leave', async () => {
    await onDisk(made, async ({ members, change, plan }) => {
      const before = members()
      const fill = (bytes: Uint8Array): Uint8Array => (made.unit ? filled(bytes, made.unit) : bytes)
      const changes: ArchiveChange[] = [
        { kind: 'put', bodies: new Map([[0, junk(9000, 1)]]) },
        { kind: 'remove', members: new Set([1]) },
        // two swap their names
        {
          kind: 'rename',
          names: new Map([
            [0, 'other.bin'],
            [1, before[0].name],
          ]),
        },
        { kind: 'add', members: [{ name: before[1].name, bytes: junk(77, 2) }] },
        { kind: 'rebuild' },
      ]
      const wanted = [
        ['other.bin', fill(junk(9000, 1))],
        [before[0].name, before[2].bytes],
        ...before.slice(3).map(({ name, bytes }) => [name, bytes]),
        [before[1].name, fill(junk(77, 2))],
      ].map(([name, bytes]) => [name, Buffer.from(bytes as Uint8Array).toString('latin1')])
      // names that differ in their letters' case are one name for all of them
      expect(() => plan([...changes, { kind: 'remove', members: new Set([99]) }])).toThrow(code('not-found'))
      const { plan: told } = await change(changes)
      expect(bodies(members()).sort()).toEqual(wanted.sort())
      expect(told.members).toEqual([before.length, before.length])
    })
  })

  it('is as it was, with nothing beside it, when a write is stopped', async () => {
    await onDisk(made, async ({ members, change, root, size }) => {
      const [before, was] = [members(), size()]
      const stop = new AbortController()
      stop.abort()
      await expect(change({ kind: 'add', members: [{ name: 'n.bin', bytes: junk(3000, 3) }] }, stop.signal)).rejects.toMatchObject({
        code: 'cancelled',
      })
      expect([members(), size()]).toEqual([before, was])
      expect(readdirSync(root).sort()).toEqual(Object.keys(made.files).sort())
    })
  })
})

describe('steps of any kind, one after the other in one pass, are what they are when each is written', () => {
  it.each(KINDS)('%s', async (kind) => {
    const made = archiveCases[kind]()
    let seed = 99
    const random = (n: number): number => (seed = (Math.imul(seed, 1103515245) + 12345) >>> 0) % n
    const changesOf = (count: number, n: number): ArchiveChange[] => {
      const list: ArchiveChange[] = []
      for (let step = 0; step < n; step++) {
        const what = random(kind === 'MIX' ? 5 : 6)
        const i = random(count)
        if (what === 0) {
          list.push({ kind: 'add', members: [{ name: `a${random(1e9)}.bin`, bytes: junk(random(5000), step) }] })
          count++
        } else if (what === 1 && count > 2) {
          list.push({ kind: 'remove', members: new Set([i]) })
          count--
        } else if (what === 2) list.push({ kind: 'rename', names: new Map([[i, `r${random(1e9)}.bin`]]) })
        else if (what === 3) list.push({ kind: 'replace', member: i, bytes: junk(random(9000), step) })
        else if (what === 4) list.push({ kind: 'rebuild' })
        else if (what === 5) list.push({ kind: 'reorder', order: Array.from({ length: count }, (_, k) => count - 1 - k) })
      }
      return list
    }
    for (let round = 0; round < 4; round++) {
      const changes = changesOf(made.read(...Object.values(made.files)).length, 8)
      const files: Record<string, Uint8Array>[] = []
      for (const together of [true, false])
        await onDisk(made, async ({ change, root }) => {
          if (together) await change(changes)
          else for (const one of changes) await change(one)
          files.push(Object.fromEntries(Object.keys(made.files).map((name) => [name, readBytes(join(root, name))])))
        })
      expect(files[0], JSON.stringify(changes.map((one) => one.kind))).toEqual(files[1])
    }
  })
})

describe('what cannot be made anew is refused with its reason', () => {
  it('a BIG with a member outside of it, or one that begins in another', async () => {
    const bytes = makeBig('BIGF', [
      { name: 'a', bytes: junk(30, 1) },
      { name: 'b', bytes: junk(20, 2) },
    ])
    // b begins in a, and ends behind it
    for (const [at, value] of [
      [16, 1000],
      [26, 56],
    ]) {
      const files = { 'x.big': bytes.slice() }
      new DataView(files['x.big'].buffer).setUint32(at, value)
      await onDisk({ files, read: readBig }, ({ plan }) => {
        expect(() => plan({ kind: 'rebuild' })).toThrow(code('invalid-edit'))
      })
    }
  })

  it('a disc, and another order of one', async () => {
    await onDisk(archiveCases.HD3(), ({ plan }) => {
      expect(() => plan({ kind: 'rebuild' })).toThrow(code('unsupported'))
      expect(() => plan({ kind: 'reorder', order: [] })).toThrow(code('unsupported'))
    })
  })

  it('members that share a body share it in what is made anew', async () => {
    await onDisk(archiveCases['IMG v2'](), async ({ change, size, members }) => {
      const before = members()
      await change({ kind: 'rebuild' })
      expect(members()).toEqual(before)
      // a sector of directory, then bodies of 2, 1 and 1: the shared one once
      expect(size()).toBe(5 * SECTOR)
    })
  })
})

describe('archives of peers, made anew', () => {
  describeCorpus('w3d/big', (root) => {
    it.each(['big4-small.big', 'with-tail.big'])('%s', async (name) => {
      await onDisk({ files: { [name]: readBytes(join(root, name)) }, read: readBig }, async ({ members, change }) => {
        const before = members()
        await change([{ kind: 'rebuild' }, { kind: 'reorder', order: before.map((_, i) => before.length - 1 - i) }])
        expect(members()).toEqual([...before].reverse())
      })
    })
  })
  describeCorpus('level5/dc1-effects', (root) => {
    it('Fire', async () => {
      await onDisk({ files: { 'Fire.efp': readBytes(join(root, 'Fire')) }, read: readPack }, async ({ members, change }) => {
        const before = members()
        await change({ kind: 'rebuild' })
        expect(members()).toEqual(before)
      })
    })
  })
})

describe('new archives', () => {
  const readers: Record<string, [name: string, unit: number, read: (...files: Uint8Array[]) => ReadMember[]]> = {
    'level5.pack': ['x.chr', 0, readPack],
    'w3d.big': ['x.big', 0, readBig],
    'w3d.mix': ['x.mix', 0, readMix],
    'renderware.img2': ['x.img', SECTOR, readImg2],
    'renderware.img1': ['x.dir', SECTOR, (data, directory) => readImg1(data, directory)],
  }
  const store = (): FileStore => new FileStore()

  it.each(Object.keys(readers))('hold what they are made of: %s', async (id) => {
    const [name, unit, read] = readers[id]
    const root = temporaryFolder()
    writeFiles(root, { 'one.dff': junk(3000, 1), 'sub/two.txd': junk(5, 2), 'sub/empty.txd': new Uint8Array(0) })
    const files = store()
    const out = join(root, 'out', name)
    const maker = makerOf(files.registry, out)
    expect(maker.id).toBe(id)
    const given = filesOf(files, [join(root, 'one.dff'), join(root, 'sub')])
    const planned = planNewArchive(files, maker, out, given)
    expect(existsSync(join(root, 'out'))).toBe(false)
    const written = await planned.write()
    const bytes = written.map((file) => readBytes(file))
    expect(bytes.reduce((sum, { length }) => sum + length, 0)).toBe(planned.plan.size[1])
    const fill = (body: Uint8Array): Uint8Array => (unit ? filled(body, unit) : body)
    expect(bodies(read(...bytes)).sort()).toEqual(
      [
        ['empty.txd', new Uint8Array(0)],
        ['one.dff', fill(junk(3000, 1))],
        ['two.txd', fill(junk(5, 2))],
      ].map(([member, body]) => [member, Buffer.from(body as Uint8Array).toString('latin1')]),
    )
    expect(files.members(out).length).toBe(3)
    // what stands there is nobody's to replace
    expect(() => planNewArchive(files, maker, out, given)).toThrow(code('io'))
    files.close()
  })

  it('have what their game asks for: sizes in front of the table, an order to search by, room to send from', async () => {
    const root = temporaryFolder()
    const names = ['zebra.w3d', 'b.w3d', 'A.w3d', 'mid.w3d', 'c.w3d']
    writeFiles(root, Object.fromEntries(names.map((name, i) => [name, junk(10 + 7 * i, i)])))
    const files = store()
    const made = async (name: string): Promise<Uint8Array> => {
      const out = join(root, 'out', name)
      const given = filesOf(
        files,
        names.map((one) => join(root, one)),
      )
      const written = await planNewArchive(files, makerOf(files.registry, out), out, given).write()
      return readBytes(written.at(-1)!)
    }
    const big = await made('x.big')
    const { magic, size, tableSize, firstBody } = readBigHead(big)
    expect([magic, size, tableSize]).toEqual(['BIGF', big.length, firstBody])
    const crcs = readMix(await made('x.mix')).map(({ rest }) => Number(rest.split(' ')[0]))
    expect(crcs).toEqual([...crcs].sort((a, b) => a - b))
    const pack = await made('x.chr')
    const view = new DataView(pack.buffer)
    let at = 0
    for (; pack[at] !== 0; at += view.getUint32(at + 0x48, true)) expect([at % 16, view.getUint32(at + 0x40, true)]).toEqual([0, 0x50])
    // the record without a name, which ends the list
    expect(pack.length - at).toBe(0x50)
    expect(at % 16).toBe(0)
    files.close()
  })

  it('are refused where a name does not fit, where they would not be known again, and where nothing of them stays when stopped', async () => {
    const root = temporaryFolder()
    writeFiles(root, { 'a-name-that-is-far-too-long.dff': junk(3000, 1), 'a.dff': junk(3, 1), 'b/A.DFF': junk(3, 1) })
    const files = store()
    const plan = (name: string, ...given: string[]) => {
      const out = join(root, name)
      return planNewArchive(
        files,
        makerOf(files.registry, out),
        out,
        filesOf(
          files,
          given.map((one) => join(root, one)),
        ),
      )
    }
    expect(() => plan('x.img', 'a-name-that-is-far-too-long.dff')).toThrow(code('invalid-edit'))
    expect(() => plan('x.big', 'a.dff', 'b')).toThrow(code('invalid-edit'))
    expect(() => plan('x.dir')).toThrow(code('invalid-edit'))
    expect(() => plan('x.big', 'none')).toThrow(code('not-found'))
    expect(() => makerOf(files.registry, 'x.zip')).toThrow(code('invalid-argument'))
    expect(() => planNewArchive(files, makerOf(files.registry, 'x.foo', 'w3d.mix'), join(root, 'x.mix'), [])).not.toThrow()
    expect(() =>
      planNewArchive(
        files,
        makerOf(files.registry, 'x.foo', 'renderware.img1'),
        join(root, 'x.foo'),
        filesOf(files, [join(root, 'a.dff')]),
      ),
    ).toThrow(code('invalid-edit'))
    const stop = new AbortController()
    stop.abort()
    await expect(plan('x.big', 'a.dff').write({ signal: stop.signal })).rejects.toMatchObject({ code: 'cancelled' })
    expect(readdirSync(root).sort()).toEqual(['a-name-that-is-far-too-long.dff', 'a.dff', 'b'])
    writeFileSync(join(root, 'x.big'), joined([1]))
    expect(() => plan('x.big', 'a.dff')).toThrow(code('io'))
    files.close()
  })
})
