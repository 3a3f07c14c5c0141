import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { newTemporary } from '../../src/main/files/temporaries.ts'
import { StateFiles } from '../../src/main/workspace/state-files.ts'
import type { StateDamage, StateKind } from '../../src/main/workspace/state-files.ts'
import { temporaryName, temporaryParts } from '../../src/shared/temporary-name.ts'
import { flipOnDisk, sampleBits, stateFiles } from '../support/state-damage.ts'
import { temporaryFolder } from './support.ts'

interface Value {
  name: string
  count: number
}
const kind: StateKind<Value> = {
  name: 'value',
  version: 1,
  // a key without a text is said as it is
  label: 'The value' as StateKind<Value>['label'],
  parse: (value) =>
    typeof (value as Value).name === 'string' && typeof (value as Value).count === 'number' ? (value as Value) : undefined,
}
const value: Value = { name: '立ち "x"\n', count: 3 }

function folder(): { files: StateFiles; told: StateDamage[]; path: string } {
  const files = new StateFiles(join(temporaryFolder(), 'state'))
  const told: StateDamage[] = []
  files.onDamage((damage) => told.push(damage))
  files.writeSync('some/x.json', value, kind)
  return { files, told, path: join(files.root, 'some', 'x.json') }
}

/** Of whoever may do everything no folder is closed: then somebody who may not is asked. */
function asOther<T>(body: () => T): T {
  const all = process.getuid?.() === 0
  if (all) process.seteuid!(65534)
  try {
    return body()
  } finally {
    if (all) process.seteuid!(0)
  }
}

describe('a file of the state folder', () => {
  it.skipIf(process.platform === 'win32')(
    'that the system does not let be read is not damaged: the folder is said to be closed, once',
    async () => {
      const { files, told, path } = folder()
      files.writeSync('some/y.json', value, kind)
      const some = join(files.root, 'some')
      chmodSync(some, 0o000)
      try {
        asOther(() => {
          for (const name of ['some/x.json', 'some/y.json'])
            expect(files.read(name, kind)).toMatchObject({
              state: 'closed',
              error: { code: 'io', message: expect.stringContaining('no right') },
            })
          expect(() => files.writeSync('some/x.json', value, kind)).toThrow('no right')
        })
      } finally {
        chmodSync(some, 0o700)
      }
      expect(told).toMatchObject([
        { file: files.root, kept: '', restored: false, message: expect.stringContaining('has no right to read') },
      ])
      expect(files.read('some/x.json', kind)).toEqual({ state: 'good', value })
      expect(statSync(path).isFile()).toBe(true)
      await files.write('some/x.json', value, kind)
      expect(stateFiles(files.root).filter((file) => file.kind === 'aside')).toEqual([])
    },
  )

  it('reads as it was written, by either way of writing, and is nobody else’s', async () => {
    const { files, told, path } = folder()
    expect(files.read('some/x.json', kind)).toEqual({ state: 'good', value })
    await files.write('some/x.json', { ...value, count: 4 }, kind)
    expect(files.read('some/x.json', kind)).toEqual({ state: 'good', value: { ...value, count: 4 } })
    expect(files.read('some/y.json', kind)).toEqual({ state: 'missing' })
    expect(told).toEqual([])
    if (process.platform !== 'win32') {
      for (const file of [path, `${path}.copy`]) expect(statSync(file).mode & 0o777).toBe(0o600)
      for (const name of [files.root, join(files.root, 'some')]) expect(statSync(name).mode & 0o777).toBe(0o700)
    }
  })

  it('with any one bit flipped is restored from its copy, moved aside, and said once', () => {
    const { files, told, path } = folder()
    const size = statSync(path).size
    for (const bit of sampleBits(size, 300)) {
      flipOnDisk(path, bit)
      const damaged = readFileSync(path)
      expect(files.read('some/x.json', kind), `bit ${bit}`).toEqual({ state: 'good', value })
      expect(told.splice(0)).toMatchObject([
        { file: path, restored: true, message: 'The value was damaged and was restored from its copy' },
      ])
      const [aside] = stateFiles(files.root).filter((file) => file.kind === 'aside')
      expect(readFileSync(aside.path)).toEqual(damaged)
      unlinkSync(aside.path)
      expect(files.read('some/x.json', kind)).toEqual({ state: 'good', value })
      expect(told).toEqual([])
    }
  })

  it('whose copy cannot be written is written, and that is said in words', () => {
    const { files, told, path } = folder()
    rmSync(`${path}.copy`)
    mkdirSync(`${path}.copy`)
    files.writeSync('some/x.json', { ...value, count: 4 }, kind)
    expect(files.peek('some/x.json', kind)).toEqual({ ...value, count: 4 })
    expect(told).toMatchObject([{ restored: true, message: expect.stringMatching(/but its copy could not be: (?!E[A-Z]+\b)/) }])
  })

  it('whose copy is damaged, too, is never made up', () => {
    const { files, told, path } = folder()
    flipOnDisk(path, 900)
    flipOnDisk(`${path}.copy`, 901)
    expect(files.read('some/x.json', kind)).toMatchObject({ state: 'damaged', texts: [expect.any(String), expect.any(String)] })
    expect(told).toMatchObject([{ restored: false, message: 'The value was damaged, and so was its copy' }])
    expect(files.read('some/x.json', kind)).toEqual({ state: 'missing' })
    expect(readdirSync(join(files.root, 'some'))).toHaveLength(2)
  })

  it('that is gone comes back from its copy, and cut anywhere does', () => {
    const { files, path } = folder()
    const bytes = readFileSync(path)
    unlinkSync(path)
    expect(files.read('some/x.json', kind)).toEqual({ state: 'good', value })
    for (let n = 0; n < bytes.length; n++) {
      writeFileSync(path, bytes.subarray(0, n))
      expect(files.read('some/x.json', kind), `cut at ${n}`).toEqual({ state: 'good', value })
    }
  })

  it('that is damaged is moved aside before it is written over', () => {
    const { files, path } = folder()
    flipOnDisk(path, 33)
    files.writeSync('some/x.json', { ...value, count: 9 }, kind)
    expect(files.read('some/x.json', kind)).toEqual({ state: 'good', value: { ...value, count: 9 } })
    expect(stateFiles(files.root).filter((file) => file.kind === 'aside')).toHaveLength(1)
  })

  it('of before there were checksums is read, and gets one with the next write', () => {
    const { files, told, path } = folder()
    rmSync(`${path}.copy`)
    writeFileSync(path, JSON.stringify(value, null, 1))
    expect(files.read('some/x.json', kind)).toEqual({ state: 'good', value })
    writeFileSync(path, '{"name":1}')
    expect(files.read('some/x.json', kind)).toMatchObject({ state: 'damaged' })
    expect(told).toHaveLength(1)
  })

  it('is left alone by a reader that does not look after the folder', () => {
    const { files, path } = folder()
    flipOnDisk(path, 900)
    const before = readFileSync(path)
    expect(new StateFiles(files.root, { repair: false }).read('some/x.json', kind)).toEqual({ state: 'good', value })
    expect(readFileSync(path)).toEqual(before)
  })

  it('leaves no temporaries for good, and sweeps none that may be in use', () => {
    const { files } = folder()
    const there = ['x.json.123456', '.x.json.0123456789ab.marrow-tmp.json', 'x.json.copy.99', 'x.json', 'notes.txt']
    for (const name of there) writeFileSync(join(files.root, 'some', name), 'x')
    files.sweep('some')
    expect(readdirSync(join(files.root, 'some'))).toEqual(expect.arrayContaining(there))
    for (const name of there) utimesSync(join(files.root, 'some', name), 1000, 1000)
    files.sweep('some')
    expect(readdirSync(join(files.root, 'some')).sort()).toEqual(['notes.txt', 'x.json', 'x.json.copy'])
    expect(files.list('some', /^x\.json$/)).toEqual(['x.json'])
  })

  it('leaves no temporary of a process that is gone, in whichever folder, however young', () => {
    const { files } = folder()
    const own = newTemporary('', 'x.json')
    const machine = temporaryParts(own)!.machine
    const dead = temporaryName('x.json', { machine, pid: 2 ** 31 - 1 }, '0123456789ab')
    for (const below of ['', 'some', 'some/inner', 'empty/notes']) {
      mkdirSync(join(files.root, below), { recursive: true })
      for (const name of [own, dead]) writeFileSync(join(files.root, below, name), 'x')
    }
    files.sweepAll()
    const names = readdirSync(files.root, { recursive: true, encoding: 'utf8' }).map((name) => basename(name))
    expect(names.filter((name) => name === dead)).toEqual([])
    expect(names.filter((name) => name === own)).toHaveLength(4)
  })

  it('tells whoever listens later of what was found before', () => {
    const root = join(temporaryFolder(), 'state')
    new StateFiles(root).writeSync('x.json', value, kind)
    flipOnDisk(join(root, 'x.json'), 900)
    const files = new StateFiles(root)
    files.read('x.json', kind)
    const told: StateDamage[] = []
    files.onDamage((damage) => told.push(damage))
    files.onDamage((damage) => told.push(damage))
    expect(told).toHaveLength(1)
  })
})
