/** Unusual archives of every kind through every change, read back by readings of the bytes that are the tests' own. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { FormatError } from '../../src/main/binary/format-error.ts'
import { FileStore } from '../../src/main/files/store.ts'
import { makeBig } from '../../src/main/formats/w3d/archives/big.ts'
import { makeMix } from '../../src/main/formats/w3d/archives/mix.ts'
import { zipOf } from '../fixtures/zip.ts'
import { Random } from '../fuzz/random.ts'
import { filled } from '../support/archive-cases.ts'
import { readBytes } from '../support/corpus.ts'
import { junk } from '../support/hostile.ts'
import { makeIso } from '../support/iso.ts'
import { oddArchives } from '../support/odd-archives.ts'
import { discDirectory } from '../support/discs.ts'
import { readBig, readDisc, readMix } from '../support/read-archives.ts'
import { onDisk } from './archive-bench.ts'
import { temporaryFolder } from './support.ts'
import type { ArchiveChange, PlannedChange } from '../../src/main/workspace/archive-edits.ts'
import type { Segment } from '../../src/main/formats/archive.ts'
import type { IsoTree } from '../support/iso.ts'
import type { Extent, Layout, OddArchive } from '../support/odd-archives.ts'
import type { ReadMember } from '../support/read-archives.ts'

const SEEDS = 80
const STEPS = 5
/** Seeds whose changes are written to the disk, too. */
const WRITTEN = 4

/** What an archive cannot hold. */
const REFUSED = new RegExp(
  [
    'rebuild: .* shares some of its bytes with another member',
    'reorder: the members of a MIX stand in the order',
    'rename: there is a member called .* already',
    'rename: DATA\\..* has a file .* already',
  ].join('|'),
)

const isDisc = (kind: string): boolean => kind.startsWith('H') || kind.startsWith('disc')
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')
/** What pieces of an old file and new bytes come to. */
const written = (segments: readonly Segment[], old: Uint8Array): Uint8Array =>
  Buffer.concat(segments.map((one) => (one.kind === 'bytes' ? one.bytes : old.subarray(one.offset, one.offset + one.length))))

/** What stays the same of a member, whatever is done to others. */
const plain = (list: readonly ReadMember[]): [string, string, string][] => list.map(({ name, bytes, rest }) => [name, text(bytes), rest])

/** A change, and the members as they are to be after it: each with the number that it had, -1 for one that comes. */
interface Wanted {
  way: string
  /** that is replaced or gets another name */
  i: number
  change: ArchiveChange
  members: ReadMember[]
  from: number[]
}

function pick(kind: string, made: OddArchive, members: readonly ReadMember[], random: Random, step: number): Wanted {
  const stored = (bytes: Uint8Array): Uint8Array => (made.unit ? filled(bytes, made.unit) : bytes)
  const fresh = (last = ''): string => {
    const stem = `n${step}${random.below(1000)}`
    return `${stem}${'z'.repeat(random.chance(3) ? made.longest - stem.length - last.length : random.below(9))}${last}`
  }
  const i = random.below(members.length)
  const ways = isDisc(kind)
    ? ['replace', 'replace', 'put', 'rename']
    : ['add', 'remove', 'replace', 'replace', 'put', 'rename', 'rebuild', 'reorder']
  const way = members.length === 0 ? 'add' : random.pick(ways)
  const numbers = members.map((_, k) => k)
  const body = (): Uint8Array => {
    const now = members[i]?.bytes.length ?? 0
    return junk(random.pick([0, 1, now, Math.max(0, now - 1), now + 1, now + random.below(9000), random.below(300)]), random.u32())
  }
  const wanted = (change: ArchiveChange, from: number[], after: ReadMember[]): Wanted => ({ way, i, change, from, members: after })
  if (way === 'add') {
    const more = [fresh(), ...(random.chance(2) ? [fresh('y')] : [])].map((name) => ({ name, bytes: body() }))
    return wanted(
      { kind: 'add', members: more },
      [...numbers, ...more.map(() => -1)],
      [...members, ...more.map(({ name, bytes }) => ({ name, bytes: stored(bytes), rest: '' }))],
    )
  }
  if (way === 'remove') {
    const gone = new Set(numbers.filter((k) => k === i || random.chance(4)))
    // a directory of version 1 without entries is none
    if (kind === 'IMG v1' && gone.size === members.length) gone.delete(i)
    const from = numbers.filter((k) => !gone.has(k))
    return wanted(
      { kind: 'remove', members: gone },
      from,
      from.map((k) => members[k]),
    )
  }
  if (way === 'rename') {
    const name = isDisc(kind) ? `${members[i].name.slice(0, -1 - random.below(4))}k` : fresh()
    return wanted(
      { kind: 'rename', names: new Map([[i, name]]) },
      numbers,
      members.map((member, k) => (k === i ? { ...member, name } : member)),
    )
  }
  if (way === 'rebuild') return wanted({ kind: 'rebuild' }, numbers, [...members])
  if (way === 'reorder') {
    const order = numbers.toSorted(() => random.below(3) - 1)
    return wanted(
      { kind: 'reorder', order },
      order,
      order.map((k) => members[k]),
    )
  }
  if (way === 'put') {
    // of the empty ones all: several may stand at one place
    const bodies = new Map(
      numbers.flatMap((k) => (k === i || members[k].bytes.length === 0 || random.chance(3) ? [[k, body()] as const] : [])),
    )
    return wanted(
      { kind: 'put', bodies },
      numbers,
      members.map((member, k) => (bodies.has(k) ? { ...member, bytes: stored(bodies.get(k)!) } : member)),
    )
  }
  const bytes = body()
  return wanted(
    { kind: 'replace', member: i, bytes },
    numbers,
    members.map((member, k) => (k === i ? { ...member, bytes: stored(bytes) } : member)),
  )
}

/** The members that are there are those that were asked for; of what came or has another name the rest of its entry is the format's own. */
function expectMembers(made: OddArchive, { way, i, members, from }: Wanted, now: readonly ReadMember[], what: string): void {
  const own = new Set(members.filter((_, k) => from[k] < 0 || (way === 'rename' && from[k] === i)).map(({ name }) => name))
  const known = (list: readonly ReadMember[]): [string, string, string][] =>
    plain(list.map((member) => (own.has(member.name) ? { ...member, rest: '' } : member)))
  const [found, asked] = [known(now), known(members)]
  expect(made.sorted ? found.sort() : found, what).toEqual(made.sorted ? asked.sort() : asked)
}

function expectSame(found: Uint8Array, wanted: Uint8Array, what: string): void {
  expect([found.length, Buffer.compare(found, wanted)], what).toEqual([wanted.length, 0])
}

/** A name in its field: what is left of the old one goes, and what stood behind its end stays. */
function expectField(old: string, { name, rest }: ReadMember, size: number, what: string): void {
  const end = (old.indexOf('\0') + size + 1) % (size + 1)
  const left = name.padEnd(Math.max(end, Math.min(size, name.length + 1)), '\0')
  expect(rest.slice(0, size), what).toBe(left + old.slice(left.length, size))
}

const meets = ([a, b]: Extent, [c, d]: Extent): boolean => a < d && c < b

/** Whether two bodies share some of their bytes and not all of either. */
function lieAcross({ bodies }: Layout): boolean {
  return bodies.some(([a, b]) => bodies.some(([c, d]) => a < c && c < b && b < d))
}

/** Bytes that no table and no body has, in their order. */
function nobodys(file: Uint8Array, { bodies, tables }: Layout, to = file.length): Uint8Array {
  const out: Uint8Array[] = []
  let at = 0
  for (const [start, end] of [...tables, ...bodies].toSorted(([a, b], [c, d]) => a - c || b - d)) {
    if (start > at) out.push(file.subarray(at, Math.min(start, to)))
    at = Math.max(at, end)
  }
  if (at < to) out.push(file.subarray(at, to))
  return Buffer.concat(out)
}

/** A body goes where the old one stood if it has room there and shares nothing; no other moves, and bytes that nobody names stay. */
function expectInPlace(
  before: Uint8Array,
  after: Uint8Array,
  was: Layout,
  now: Layout,
  i: number,
  { clears, keepsTail }: { clears: boolean; keepsTail: boolean },
  what: string,
): void {
  const others = (layout: Layout): Extent[] => layout.bodies.filter((_, k) => k !== i)
  expect([others(now), now.tables], what).toEqual([others(was), was.tables])
  const [start, end] = was.bodies[i]
  const [from, to] = now.bodies[i]
  const taken = [...was.tables, ...others(was)].filter(([a, b]) => b > a)
  const alone = end > start && !taken.some((other) => meets(other, [start, end]))
  const behind = taken.map(([a]) => a).filter((a) => a >= end)
  const next = Math.min(behind.length === 0 && keepsTail && end < before.length ? end : before.length, ...behind)
  if (alone && to > from && to - from <= Math.max(end, next) - start) expect(from, what).toBe(start)
  // one without bytes has no room of its own
  if (start === end && to > from) expect(from, what).toBeGreaterThanOrEqual(before.length)
  for (const other of taken) if (to > from) expect(meets(other, [from, to]), `${what}: ${other.join('..')} and ${from}..${to}`).toBe(false)
  const named = { tables: was.tables, bodies: [...was.bodies, now.bodies[i]] }
  const most = Math.min(before.length, after.length)
  expectSame(nobodys(after, named, most), nobodys(before, named, most), what)
  // what the old one had beyond the new one's end is cleared where the rest of a sector is a body's, and stays elsewhere
  if (from === start && to > from && to < end) {
    const rest = after.subarray(to, Math.min(end, after.length))
    expectSame(rest, clears ? new Uint8Array(end - to) : before.subarray(to, to + rest.length), what)
  }
  // what is cut off is a body's
  if (after.length < before.length) expect(nobodys(before, was).length, what).toBe(nobodys(before, was, after.length).length)
}

/** What is behind the directory of an IMG stays where it is; bodies that are in the way of a longer one go to the end. */
function expectBehindDirectory(before: Uint8Array, after: Uint8Array, was: Layout, now: Layout, what: string): void {
  const ends = [was, now].map(({ tables }) => tables.at(-1)?.[1] ?? 0)
  const room = Math.max(...ends)
  const most = Math.min(before.length, after.length)
  expectSame(after.subarray(room, most), before.subarray(room, most), what)
  // a shorter one leaves nothing of itself
  if (ends[1] < ends[0])
    expect(
      after.subarray(ends[1], ends[0]).every((byte) => byte === 0),
      what,
    ).toBe(true)
  // what is cut off stood in bodies that went, from a sector on
  if (after.length < before.length) expect(nobodys(before, was).length, what).toBe(nobodys(before, was, after.length).length)
}

/** Members that were the same bytes still are. */
function expectShared({ from }: Wanted, was: Layout, now: Layout, what: string): void {
  const groups = (bodies: readonly Extent[]): string =>
    bodies.map((one) => bodies.findIndex((other) => String(other) === String(one))).join(' ')
  const full = from.flatMap((k, n) => (k >= 0 && was.bodies[k][1] > was.bodies[k][0] ? [n] : []))
  expect(groups(full.map((n) => now.bodies[n])), what).toBe(groups(full.map((n) => was.bodies[from[n]])))
}

/** Records of a pack: what stands in front of each body and behind it, and what follows the last of them. */
function records(file: Uint8Array): { front: string; back: string; body: number; stride: number; constant: number }[] {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const out: ReturnType<typeof records> = []
  let at = 0
  while (file[at] !== 0) {
    const [dataOffset, size, stride] = [0x40, 0x44, 0x48].map((k) => view.getUint32(at + k, true))
    out.push({
      front: text(file.subarray(at + 0x50, at + dataOffset)),
      back: text(file.subarray(at + dataOffset + size, at + stride)),
      body: size,
      stride,
      constant: view.getUint32(at + 0x4c, true),
    })
    at += stride
  }
  return [...out, { front: '', back: text(file.subarray(at)), body: 0, stride: 0, constant: 0 }]
}

/** Padding goes with its record; that of a body of another size stays as far as it is padding still, in a record that stays as long as it can. */
function expectRecords({ way, i, from }: Wanted, before: Uint8Array, after: Uint8Array, what: string): void {
  const [was, now] = [records(before), records(after)]
  if (way === 'rebuild') return
  expect(now.at(-1), what).toEqual(was.at(-1))
  for (const [k, record] of now.slice(0, -1).entries()) {
    const old = was[from[k]]
    if (!old) {
      const stride = 0x50 + 16 * Math.ceil(record.body / 16)
      const back = '\0'.repeat(stride - 0x50 - record.body)
      expect(record, what).toEqual({ front: '', back, body: record.body, stride, constant: was.length > 1 ? was[0].constant : 0 })
      continue
    }
    if (way === 'put') continue
    if (way !== 'replace' || from[k] !== i) {
      expect(record, what).toEqual(old)
      continue
    }
    const head = 0x50 + old.front.length
    const tight = old.stride === head + old.body + 15 - ((head + old.body + 15) % 16)
    const needed = head + record.body + 15 - ((head + record.body + 15) % 16)
    const stride = record.body <= old.body + old.back.length && (!tight || needed === old.stride) ? old.stride : needed
    const kept = old.back.slice(Math.max(0, record.body - old.body))
    const back = record.body >= old.body ? kept : '\0'.repeat(old.body - record.body) + kept
    expect(record, what).toEqual({
      front: old.front,
      back: back.padEnd(stride - head - record.body, '\0').slice(0, stride - head - record.body),
      body: record.body,
      stride,
      constant: old.constant,
    })
  }
}

/** What is behind the members of an archive, in its order: each by its name, with its number where others have that too. */
function opened(name: string, bytes: Uint8Array): Map<string, string> {
  const path = join(temporaryFolder(), name)
  writeFileSync(path, bytes)
  const store = new FileStore()
  try {
    return new Map(store.members(path).map(({ key, ref }): [string, string] => [key, text(store.read(ref))]))
  } finally {
    store.close()
  }
}

/** Names as they are told apart. @param last whether the last of one name has it, not the first */
function keysOf(names: readonly string[], last: boolean): string[] {
  const seen = new Map<string, number>()
  const keys = new Array<string>(names.length)
  const numbers = [...names.keys()]
  for (const i of last ? numbers.toReversed() : numbers) {
    const n = (seen.get(names[i].toLowerCase()) ?? 0) + 1
    seen.set(names[i].toLowerCase(), n)
    keys[i] = n === 1 ? names[i] : `${names[i]}~${n}`
  }
  return keys
}

describe('unusual archives that are only read', () => {
  it('are zips: bodies in any order and apart, packed or not, with a comment, names twice', () => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const random = new Random(seed, 12)
      const names: string[] = []
      for (let i = 0, n = random.below(8); i < n; i++)
        names.push(
          names.length > 0 && random.chance(4)
            ? random.pick(names)
            : `${'d/'.repeat(random.below(3))}m${i}${'q'.repeat(random.chance(5) ? 300 : random.below(9))}`,
        )
      const entries = names.map((name) => ({
        name,
        body: random.chance(5) ? new Uint8Array(0) : junk(1 + random.below(3000), random.u32()),
        method: random.chance(2) ? 8 : 0,
        wide: random.chance(4),
        extra: random.chance(4) ? Uint8Array.of(0x99, 0x99, 2, 0, 7, 7) : undefined,
      }))
      const order = [...names.keys()].toSorted(() => random.below(3) - 1)
      // what begins a zip is an entry, or the end of one without any
      const gaps = names.map((_, i) => junk(i === order[0] || random.chance(2) ? 0 : random.below(50), random.u32()))
      const zip = zipOf(entries, {
        order,
        gaps,
        wide: random.chance(4),
        comment: random.chance(2) ? junk(random.below(400), seed) : undefined,
      })
      const keys = keysOf(names, true)
      expect(opened('x.zip', zip), `seed ${seed}`).toEqual(new Map(entries.map(({ body }, i) => [keys[i], text(body)])))
    }
  })

  it('are images of discs: files in folders, without bytes, names twice in other letters', () => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const random = new Random(seed, 13)
      const wanted: [string, Uint8Array][] = []
      const folder = (path: string, level: number): IsoTree => {
        const tree: IsoTree = {}
        for (let i = 0, n = random.below(5); i < n; i++) {
          const name = random.chance(4) ? `F0.BIN` : random.chance(4) ? 'f0.bin' : `F${i}${'Q'.repeat(random.chance(5) ? 25 : 0)}.BIN`
          if (name in tree) continue
          const body = random.chance(4) ? new Uint8Array(0) : junk(1 + random.below(5000), random.u32())
          tree[name] = body
          wanted.push([path + name, body])
        }
        if (level < 3 && random.chance(2)) tree[`D${level}`] = folder(`${path}D${level}/`, level + 1)
        return tree
      }
      const { image } = makeIso(folder('', 0), { descriptor: 16 + random.below(3), tail: 2048 * random.below(3) })
      const found = opened('x.iso', image)
      const names = wanted.map(([name]) => name)
      const inOrder = [...found.values()].toSorted()
      expect(inOrder, `seed ${seed}`).toEqual(wanted.map(([, body]) => text(body)).toSorted())
      const keys = keysOf(names, false)
      for (const [i, [, body]] of wanted.entries()) expect(found.get(keys[i]) === text(body), `seed ${seed}: ${keys[i]}`).toBe(true)
    }
  })
})

describe('unusual archives', () => {
  it.each(Object.entries(oddArchives))('hold what they are to hold after each change: %s', async (kind, make) => {
    const done = new Map<string, number>()
    for (let seed = 1; seed <= SEEDS; seed++) {
      const made = make(seed)
      const random = new Random(seed, 99)
      const names = Object.keys(made.files)
      await onDisk(made, async ({ store, archive, root, plan, change, members }) => {
        // all changes are written from the files as they were
        const filesOf = ({ parts: { data, directory, peers } }: PlannedChange): Uint8Array[] =>
          names.map((name, k) => {
            const old = made.files[name]
            if (k === 0) return written(data, old)
            return written((k === names.length - 1 ? directory : peers?.find(({ ref }) => ref === join(root, name))?.segments) ?? [], old)
          })
        expect(
          store.members(archive).map(({ ref }) => text(store.read(ref))),
          `seed ${seed}`,
        ).toEqual(members().map(({ bytes }) => text(bytes)))
        const { format, index: read } = store.openArchive(archive)!
        const encoded = format.encodeData ? [format.encodeData(read), format.encode(read)] : [format.encode(read)]
        for (const [k, name] of [names[0], archive.slice(root.length + 1)].entries())
          if (encoded[k]) expectSame(written(encoded[k], made.files[name]), made.files[name], `seed ${seed}: ${name}`)
        let files = Object.values(made.files)
        const changes: ArchiveChange[] = []
        for (let step = 0; step < STEPS; step++) {
          const wanted = pick(kind, made, made.read(...files), random, step)
          const what = `seed ${seed}, step ${step}: ${wanted.way} ${wanted.i}`
          let planned: PlannedChange
          try {
            planned = plan([...changes, wanted.change])
          } catch (error) {
            if (!(error instanceof FormatError)) throw error
            // nothing else is refused: what the workspace finds to be no such change is none
            expect(`${wanted.way}: ${error.message}`, what).toMatch(REFUSED)
            if (wanted.way === 'rebuild') expect(lieAcross(made.layout(...files)), what).toBe(true)
            continue
          }
          changes.push(wanted.change)
          done.set(wanted.way, (done.get(wanted.way) ?? 0) + 1)
          const [before, [data]] = [files, (files = filesOf(planned))]
          const now = made.read(...files)
          expectMembers(made, wanted, now, what)
          const field = kind.startsWith('IMG') ? 24 : kind === 'PAK' ? 64 : 0
          if (wanted.way === 'rename' && field > 0) expectField(made.read(...before)[wanted.i].rest, now[wanted.i], field, what)
          const { index } = planned.after
          expect(
            index.members.map(({ offset, size }) => text(data.slice(offset, offset + size))),
            what,
          ).toEqual(now.map(({ bytes }) => text(bytes)))
          expect(
            index.diagnostics.filter(({ severity }) => severity === 'error').map(({ message }) => message),
            what,
          ).toEqual([])
          const [was, is] = [made.layout(...before), made.layout(...files)]
          if (kind === 'PAK') expectRecords(wanted, before[0], data, what)
          else if (wanted.way === 'replace')
            expectInPlace(
              before[0],
              data,
              was,
              is,
              wanted.i,
              { clears: made.unit !== undefined || isDisc(kind), keepsTail: kind.startsWith('BIG') || kind === 'MIX' },
              what,
            )
          else if (wanted.way === 'rebuild')
            expect(
              nobodys(data, is).every((byte) => byte === 0),
              what,
            ).toBe(true)
          else if (wanted.way === 'put') expect(is.tables, what).toEqual(was.tables)
          else if (made.unit) {
            expectShared(wanted, was, is, what)
            expectBehindDirectory(before[0], data, was, is, what)
          } else expectSame(nobodys(data, is), nobodys(before[0], was), what)
        }
        if (seed > WRITTEN || changes.length === 0) return
        await change(changes)
        expect(names.map((name) => text(readBytes(join(root, name))))).toEqual(files.map(text))
        expect(store.members(archive).map(({ ref }) => text(store.read(ref)))).toEqual(members().map(({ bytes }) => text(bytes)))
      })
    }
    // nothing of it was refused throughout
    const ways = isDisc(kind)
      ? ['replace', 'put', 'rename']
      : ['add', 'remove', 'replace', 'put', 'rename', 'rebuild', ...(kind === 'MIX' ? [] : ['reorder'])]
    expect([...done.keys()].sort()).toEqual(ways.sort())
    for (const count of done.values()) expect(count).toBeGreaterThan(SEEDS / 4)
  })
})

it('a member without bytes that the file ends in front of is read, emptied again, filled and made anew with the others', async () => {
  const bytes = makeBig('BIGF', [
    { name: 'a.txt', bytes: new Uint8Array(0) },
    { name: 'b.txt', bytes: junk(9, 1) },
  ])
  new DataView(bytes.buffer).setUint32(16, 999)
  await onDisk({ files: { 'x.big': bytes }, read: readBig }, async ({ store, archive, change, members, plan }) => {
    expect(store.openArchive(archive)!.index.diagnostics).toEqual([])
    expect(store.read(`${archive}!a.txt`)).toEqual(new Uint8Array(0))
    const put = (body: Uint8Array): ArchiveChange => ({
      kind: 'put',
      bodies: new Map([
        [0, body],
        [1, junk(10, 2)],
      ]),
    })
    expect(plan(put(new Uint8Array(0))).after.index.members.map(({ size }) => size)).toEqual([0, 10])
    await change([{ kind: 'rebuild' }, put(junk(5, 3))])
    expect(members().map(({ bytes: body }) => text(body))).toEqual([junk(5, 3), junk(10, 2)].map(text))
  })
})

it('a name with the sum of another is refused in a MIX: the game finds members by it', async () => {
  const seen = new Map<number, string>()
  let pair: [string, string] | undefined
  for (let i = 0; !pair; i++) {
    // letters that are near each other make no sum twice
    const name = `${(Math.imul(i, 2654435761) >>> 0).toString(36).padStart(7, '0').toUpperCase()}.DAT`
    const other = seen.get(crc32(name))
    if (other) pair = [other, name]
    seen.set(crc32(name), name)
  }
  const [there, name] = pair
  const bytes = makeMix([there, 'x.dat'].map((one, i) => ({ name: one, bytes: junk(20, i) })))
  await onDisk({ files: { 'x.mix': bytes }, read: readMix }, ({ plan, number }) => {
    for (const change of [
      { kind: 'add', members: [{ name, bytes: junk(9, 1) }] },
      { kind: 'rename', names: new Map([[number('x.dat'), name]]) },
    ] as const)
      expect(() => plan(change)).toThrow(expect.objectContaining({ code: 'invalid-edit', message: expect.stringContaining('checksum') }))
  })
})

it('a name that another directory of the disc has already is refused', async () => {
  const list = ['a.dat', 'b.dat', 'c.dat'].map((name, i) => ({ name, sector: 1 + i, size: 100 }))
  // the directory that is opened does not have the last one
  const files = {
    'DATA.DAT': junk(5 * 2048, 1),
    'DATA.HD3': discDirectory('HD3', list),
    'DATA.HD2': discDirectory('HD2', list.slice(0, 2)),
  }
  await onDisk({ files, read: (data, _, directory) => readDisc('hd2', data, directory) }, ({ plan }) => {
    expect(() => plan({ kind: 'rename', names: new Map([[0, 'c.dat']]) })).toThrow(
      expect.objectContaining({ code: 'invalid-edit', message: expect.stringContaining('DATA.HD3') }),
    )
    expect(plan({ kind: 'rename', names: new Map([[0, 'd.dat']]) }).after.index.members.map(({ name }) => name)).toEqual(['d.dat', 'b.dat'])
  })
})
