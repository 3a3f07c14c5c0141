import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { decode } from 'fast-png'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pictureScene, smaller, texturePicture } from '../../src/main/services/picture-scene.ts'
import { PICTURE_SIZE } from '../../src/shared/api/types/library.ts'
import { emptyScene } from '../../src/shared/scene/types.ts'
import type { Mesh, Texture } from '../../src/shared/scene/types.ts'
import { sampleTree, scanned, serviceBenches } from '../support/service-bench.ts'

const start = serviceBenches(afterAll)
const { base, game, call } = start({ files: sampleTree() })

const peds = join(game, 'San Andreas/models/peds')
const ped = join(peds, 'adventurer.dff')
let library = ''
const scan = async (): Promise<unknown> => call('library.scan', { library })
const known = async (...refs: string[]): Promise<unknown[]> => call('library.pictures', { library, refs })
const drawn = (value: number): Uint8Array => new Uint8Array(4 * PICTURE_SIZE ** 2).fill(value)

beforeAll(async () => {
  library = await scanned(call, game)
})

describe('pictures of a library', () => {
  it('leave nothing open where one comes back after the end', async () => {
    const { call: ask, close } = start({ stateFolder: join(base, 'ending') })
    const id = await scanned(ask, game)
    expect(await ask('library.pictureScene', { library: id, ref: ped })).toHaveProperty('scene')
    await close()
    await expect(ask('library.putPicture', { library: id, ref: ped, rgba: drawn(9) })).rejects.toMatchObject({ code: 'cancelled' })
  })

  it('are drawn from a scene in one pose, kept, and shared by copies until a file changes', async () => {
    expect(await known(ped)).toEqual([null])
    const answer = await call('library.pictureScene', { library, ref: ped })
    if (!('scene' in answer)) throw new Error('no scene')
    expect(answer.scene.clips).toHaveLength(1)
    expect(answer.scene.meshes[0].positions.length).toBeGreaterThan(1000)
    for (const { width, height } of answer.scene.textures) expect(Math.max(width, height)).toBeLessThanOrEqual(256)
    const made = await call('library.putPicture', { library, ref: ped, rgba: drawn(9) })
    if (!('png' in made)) throw new Error('no picture')
    const { width, height, data } = decode(made.png)
    expect([width, height]).toEqual([PICTURE_SIZE, PICTURE_SIZE])
    expect(Buffer.compare(new Uint8Array(data), drawn(9))).toBe(0)
    expect(await known(ped, join(peds, 'nobody.dff'))).toEqual([{ png: made.png }, null])

    // a copy of the game is another library with the same contents: nothing is drawn
    const copy = join(base, 'copy')
    cpSync(game, copy, { recursive: true })
    const other = await scanned(call, copy)
    const ref = join(copy, 'San Andreas/models/peds/adventurer.dff')
    const old = join(copy, 'San Andreas/models/old layout/adventurer_old.dff')
    expect(await call('library.pictures', { library: other, refs: [ref] })).toEqual([null])
    expect(await call('library.adoptPictures', { library: other, refs: [old, ref, join(copy, 'nobody.dff')] })).toEqual([
      null,
      { png: made.png },
      null,
    ])
    expect(await call('library.pictures', { library: other, refs: [old, ref] })).toEqual([null, { png: made.png }])

    const txd = join(peds, 'adventurer.txd')
    writeFileSync(txd, Buffer.concat([readFileSync(txd), Buffer.alloc(16)]))
    await scan()
    expect(await known(ped)).toEqual([null])
    expect(await call('library.pictureScene', { library, ref: ped })).toHaveProperty('scene')
  })

  it('say why there is none', async () => {
    const skeleton = (await call('library.query', { library, show: 'models', text: 'walker_skl', sort: 'name', offset: 0, limit: 1 }))
      .rows[0].ref
    expect(await call('library.pictureScene', { library, ref: skeleton })).toEqual({ reason: 'A skeleton without a mesh', broken: false })
    expect(await known(skeleton)).toEqual([{ reason: 'A skeleton without a mesh', broken: false }])
    const broken = join(game, 'broken.mds')
    writeFileSync(broken, readFileSync(join(game, 'Dark Cloud 2/adventurer/adventurer.mds')).subarray(0, 100))
    await scan()
    const answer = await call('library.pictureScene', { library, ref: broken })
    expect(answer).toEqual({ reason: expect.stringMatching(/\S/), broken: true })
    expect(await known(broken)).toEqual([answer])
  })

  it('of textures need no window', async () => {
    const { rows } = await call('library.query', { library, show: 'files', kind: 'texture', sort: 'name', offset: 0, limit: 100 })
    for (const { ref } of rows) {
      const answer = await call('library.pictureScene', { library, ref })
      if (!('png' in answer)) throw new Error(`${ref}: no picture`)
      const { data } = decode(answer.png)
      expect(
        data.some((value, i) => i % 4 === 3 && value > 0),
        ref,
      ).toBe(true)
    }
  })

  it('are taken only for scenes that were asked for, and only as pixels', async () => {
    const other = join(game, 'San Andreas/models/old layout/adventurer_old.dff')
    await expect(call('library.putPicture', { library, ref: other, rgba: drawn(1) })).rejects.toMatchObject({ code: 'refused' })
    for (const rgba of [
      new Uint8Array(0),
      drawn(1).subarray(1),
      new Uint8Array(4 * PICTURE_SIZE ** 2 + 4),
      new Float32Array(PICTURE_SIZE ** 2) as never,
      'x' as never,
    ]) {
      await expect(call('library.putPicture', { library, ref: ped, rgba })).rejects.toMatchObject({ code: 'invalid-argument' })
    }
    await expect(call('library.pictures', { library: 'no', refs: [ped] })).rejects.toMatchObject({ code: 'not-found' })
    await expect(call('library.pictures', { library, refs: new Array<string>(201).fill(ped) })).rejects.toMatchObject({
      code: 'invalid-argument',
    })
    await expect(call('library.adoptPictures', { library, refs: [ped, '/etc/passwd'] })).rejects.toMatchObject({ code: 'refused' })
    await expect(call('library.pictureScene', { library, ref: '/etc/passwd' })).rejects.toMatchObject({ code: 'refused' })
    await expect(call('library.pictureScene', { library, ref: join(game, '../../x') })).rejects.toMatchObject({ code: 'not-found' })
  })
})

const source = { ref: 'r', path: '' }
const texture = (width: number, height: number, rgba: Uint8Array): Texture => ({
  name: 't',
  width,
  height,
  rgba,
  missing: false,
  hasAlpha: true,
  source,
})

describe('what a picture needs', () => {
  it('makes textures smaller by the mean of their pixels, colours by their alpha', () => {
    const rgba = Uint8Array.of(200, 100, 0, 255, 0, 0, 0, 0, 100, 0, 0, 255, 100, 0, 0, 255)
    const { width, height, rgba: small } = smaller(texture(4, 1, rgba), 2)
    expect([width, height, [...small]]).toEqual([2, 1, [199, 99, 0, 127, 100, 0, 0, 255]])
    expect(smaller(texture(2, 2, rgba), 2).rgba).toBe(rgba)
  })

  it('puts a texture into the middle, small ones by whole steps', () => {
    const out = texturePicture(texture(1, 2, Uint8Array.of(1, 2, 3, 255, 4, 5, 6, 128)))!
    const at = (x: number, y: number): number[] => [...out.subarray(4 * (PICTURE_SIZE * y + x), 4 * (PICTURE_SIZE * y + x) + 4)]
    const half = PICTURE_SIZE / 2
    expect(at(half, 0)).toEqual([1, 2, 3, 255])
    expect(at(half, PICTURE_SIZE - 1)).toEqual([4, 5, 6, 128])
    expect(at(0, half)).toEqual([0, 0, 0, 0])
    expect(texturePicture(texture(2, 2, new Uint8Array(3)))).toBeUndefined()
  })

  it('keeps every index and drops what is not seen', () => {
    const mesh = (visible: boolean, lod: number, material: number): Mesh => ({
      name: '',
      joint: -1,
      positions: new Float32Array(9),
      normals: new Float32Array(9),
      uvs: [],
      colors: new Float32Array(0),
      indices: Uint32Array.of(0, 1, 2),
      groups: [{ start: 0, count: 3, material }],
      skin: -1,
      nativeVertex: new Uint32Array(3),
      nativeVertexCount: 3,
      visible,
      lod,
      source,
    })
    const scene = {
      ...emptyScene('s'),
      lods: ['far', 'near'],
      meshes: [mesh(true, 0, -1), mesh(true, 1, -1), mesh(false, -1, -1)],
      textures: [texture(1, 1, new Uint8Array(4))],
    }
    const small = pictureScene(scene)
    expect(small.meshes.map((m) => m.indices.length)).toEqual([0, 3, 0])
    expect(small.textures.map((t) => t.rgba.length)).toEqual([0])
  })
})
