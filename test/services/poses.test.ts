/** Poses that are kept: by the names of joints, durable, given away and taken in. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decode } from 'fast-png'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { FormatError } from '../../src/main/binary/format-error.ts'
import { createServices } from '../../src/main/services/create-services.ts'
import { PoseShelfFiles } from '../../src/main/services/pose-shelves.ts'
import { StateFiles } from '../../src/main/workspace/state-files.ts'
import { PICTURE_SIZE } from '../../src/shared/api/types/library.ts'
import { caller } from '../support/caller.ts'
import type { NewPose } from '../../src/main/services/pose-shelves.ts'
import type { Services } from '../../src/main/services/service.ts'

const base = mkdtempSync(join(tmpdir(), 'marrow-poses-'))
afterAll(() => rmSync(base, { recursive: true, force: true }))

const NAMES = ['root', 'Hip', 'knee_l', 'knee_r']
const pose = (name: string, more: Partial<NewPose> = {}): NewPose => ({
  name,
  group: '',
  joints: ['Hip', 'knee_l'],
  translation: Float32Array.of(0, 1.5, 0, 0.1, -0.5, 0),
  rotation: Float32Array.of(0, 0, 0, 1, 0.6, 0, 0, 0.8),
  png: null,
  ...more,
})

describe('kept poses', () => {
  let folder: string
  let shelves: PoseShelfFiles
  beforeEach(() => {
    folder = mkdtempSync(join(base, 'state-'))
    shelves = new PoseShelfFiles(new StateFiles(folder))
  })
  const own = (names: readonly string[] = NAMES) => shelves.list(names).shelves[0]

  it('come back with every digit, after a restart, in any order and case of the names', () => {
    shelves.add(NAMES, 'adventurer', pose('crouch', { group: 'fight', png: Uint8Array.of(1, 2, 250) }))
    shelves = new PoseShelfFiles(new StateFiles(folder))
    const { poses, ...shelf } = own(['KNEE_R ', 'knee_l', 'hip', 'root'])
    expect(shelf).toEqual({ id: expect.stringMatching(/^[0-9a-f]{24}$/), own: true, label: 'adventurer', shared: 4, joints: 4 })
    expect(poses).toEqual([{ ...pose('crouch', { group: 'fight', png: Uint8Array.of(1, 2, 250) }), id: expect.any(String) }])
  })

  it('are offered to another skeleton with most of the names, and told of to one with others', () => {
    shelves.add(NAMES, 'adventurer', pose('crouch'))
    expect(own([...NAMES, 'tail'])).toMatchObject({ own: false, shared: 4, joints: 4 })
    expect(own(['hip', 'knee_l'])).toMatchObject({ own: false, shared: 2 })
    const other = shelves.list(['Bip01', 'hip'])
    expect(other.shelves).toEqual([])
    expect(other.strange).toEqual([{ id: own().id, label: 'adventurer', shared: 1, joints: 4 }])
  })

  it('are renamed, put into groups, removed, and put back as they were', () => {
    const id = shelves.add(NAMES, 'adventurer', pose('crouch'))
    shelves.add(NAMES, 'adventurer', pose('jump'))
    const shelf = own().id
    shelves.change(shelf, id, { name: 'duck' })
    shelves.change(shelf, id, { group: 'low' })
    expect(own().poses.map(({ name, group }) => [name, group])).toEqual([
      ['duck', 'low'],
      ['jump', ''],
    ])
    const before = own().poses[0]
    shelves.remove(shelf, id)
    expect(own().poses.map(({ name }) => name)).toEqual(['jump'])
    expect(() => shelves.change(shelf, id, { name: 'x' })).toThrow(FormatError)
    shelves.putBack(shelf, id)
    expect(own().poses[1]).toEqual(before)
    expect(() => shelves.putBack(shelf, id)).toThrow(FormatError)
    expect(() => shelves.remove('0'.repeat(24), id)).toThrow(FormatError)
  })

  it('go out as a file and come in once; a file of other names is refused with the number', () => {
    shelves.add(NAMES, 'adventurer', pose('crouch', { png: Uint8Array.of(9) }))
    const { bytes } = shelves.export(own().id)
    expect(shelves.import(NAMES, 'a.json', bytes)).toEqual({ added: 0, known: 1 })
    const elsewhere = new PoseShelfFiles(new StateFiles(mkdtempSync(join(base, 'state-'))))
    expect(elsewhere.import([...NAMES, 'tail'], 'a.json', bytes)).toEqual({ added: 1, known: 0 })
    expect(elsewhere.list(NAMES).shelves[0]).toMatchObject({ own: true, label: 'adventurer' })
    expect(elsewhere.list(NAMES).shelves[0].poses[0].png).toEqual(Uint8Array.of(9))
    expect(() => elsewhere.import(['Bip01', 'hip'], 'a.json', bytes)).toThrow(/1 of 4/)
  })

  it('of a file that is none, cut or bad are refused with a typed error', () => {
    shelves.add(NAMES, 'adventurer', pose('crouch'))
    const { bytes } = shelves.export(own().id)
    const text = new TextDecoder().decode(bytes)
    const code = (given: string | Uint8Array): string => {
      try {
        shelves.import(NAMES, 'a.json', typeof given === 'string' ? new TextEncoder().encode(given) : given)
        return 'taken'
      } catch (error) {
        return error instanceof FormatError ? `${error.code} ${error.path}` : String(error)
      }
    }
    for (let end = 0; end < text.length - 2; end += 7) expect(code(text.slice(0, end))).toBe('bad-magic ')
    expect(code(Uint8Array.of(0xff, 0xfe, 0))).toBe('bad-magic ')
    expect(code('{}')).toBe('bad-value marrow')
    expect(code(text.replace('"version":1', '"version":2'))).toBe('bad-value version')
    expect(code(text.replace('[0,1.5,0,', '[0,1.5,'))).toBe('bad-value poses[0]')
    expect(code(text.replace('1.5', '"1.5"'))).toBe('bad-value poses[0].translation[1]')
    expect(code(text.replace('1.5', '1e999'))).toBe('bad-value poses[0].translation[1]')
    expect(own().poses).toHaveLength(1)
  })

  it('are no more than a file can hold', () => {
    shelves.add(NAMES, 'adventurer', pose('crouch'))
    const value = JSON.parse(new TextDecoder().decode(shelves.export(own().id).bytes))
    const many = (group: string): Uint8Array => {
      const poses = Array.from({ length: 70 }, () => ({ ...value.poses[0], group, picture: 'A'.repeat(190_000) }))
      return new TextEncoder().encode(JSON.stringify({ ...value, poses }))
    }
    expect(shelves.import(NAMES, 'a.json', many('a')).added).toBe(70)
    expect(() => shelves.import(NAMES, 'b.json', many('b'))).toThrow(FormatError)
    shelves = new PoseShelfFiles(new StateFiles(folder))
    expect(own().poses).toHaveLength(71)
  })

  it('survive one damaged file by its copy', () => {
    shelves.add(NAMES, 'adventurer', pose('crouch'))
    const [file] = readdirSync(join(folder, 'poses')).filter((name) => name.endsWith('.json'))
    writeFileSync(join(folder, 'poses', file), 'damaged')
    shelves = new PoseShelfFiles(new StateFiles(folder))
    expect(own().poses.map(({ name }) => name)).toEqual(['crouch'])
  })
})

describe('calls on kept poses', () => {
  const state = join(base, 'services')
  let library = ''
  let services: Services
  const call = caller(() => services, true)
  const start = (): void => void (services = createServices({ stateFolder: state, host: 'web', watchEvery: 0, home: base }))
  beforeAll(async () => {
    start()
    library = (await call('library.openSample', {})).root
  })
  afterAll(() => services.close())

  it('keep the pose of chosen joints with a picture, over a restart', async () => {
    const ref = join(library, 'Dark Cloud/chara/adventurer.chr')
    const { info, scene } = await call('model.open', { ref })
    const joints = [3, 1]
    const rgba = new Uint8Array(4 * PICTURE_SIZE ** 2).fill(200)
    const columns = { translation: new Float32Array(6).fill(0.25), rotation: Float32Array.of(0, 0, 0, 1, 0, 1, 0, 0) }
    const args = { model: info.id, name: ' guard ', group: '', joints, ...columns, rgba }
    await call('poses.keep', args)
    await expect(call('poses.keep', { ...args, joints: [3] })).rejects.toMatchObject({ code: 'invalid-argument' })
    await expect(call('poses.keep', { ...args, joints: [3, 9999] })).rejects.toMatchObject({ code: 'invalid-argument' })
    await expect(call('poses.keep', { ...args, rgba: rgba.subarray(4) })).rejects.toMatchObject({ code: 'invalid-argument' })
    await expect(call('poses.keep', { ...args, name: ' ' })).rejects.toMatchObject({ code: 'invalid-argument' })
    await services.close()
    start()
    await call('library.open', { root: library })
    const again = await call('model.open', { ref })
    const { shelves } = await call('poses.list', { model: again.info.id })
    expect(shelves).toHaveLength(1)
    const [{ id, poses }] = shelves
    expect(poses[0]).toMatchObject({ name: 'guard', joints: joints.map((joint) => scene.skeleton.names[joint]), ...columns })
    expect(decode(poses[0].png!)).toMatchObject({ width: PICTURE_SIZE, height: PICTURE_SIZE })
    const file = await call('poses.export', { shelf: id })
    expect(file.name).toMatch(/^adventurer.*\.marrow-poses\.json$/)
    expect(await call('poses.import', { model: again.info.id, name: file.name, bytes: file.bytes })).toEqual({ added: 0, known: 1 })
    // ids are no paths
    await expect(call('poses.export', { shelf: '../../settings' })).rejects.toMatchObject({ code: 'invalid-argument' })
    await expect(call('poses.remove', { shelf: id, pose: '../x' })).rejects.toMatchObject({ code: 'not-found' })
  })
})
