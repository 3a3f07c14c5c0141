/** Files of 500 MB: what an import reads of them is read, and nothing else is ever in memory. */
import { appendFileSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readPicked } from '../../src/renderer/features/export/picked-gltf.ts'
import { isWholeGltf, readGltfBytes } from '../../src/main/interchange/gltf-file.ts'
import { readGltf } from '../../src/main/interchange/gltf-reader.ts'
import { writeGltf } from '../../src/main/interchange/gltf-writer.ts'
import { createServices } from '../../src/main/services/create-services.ts'
import { sampleFiles } from '../support/sample.ts'
import { lightGlb } from '../../src/shared/light-glb.ts'
import { caller } from '../support/caller.ts'
import { LARGE, withHole, writeHole } from '../support/large-glb.ts'
import { writeFiles } from '../workspace/support.ts'
import type { ByteSource } from '../../src/shared/light-glb.ts'

const base = mkdtempSync(join(tmpdir(), 'marrow-test-'))
const MOST = 2 ** 26
let glb: Uint8Array

beforeAll(async () => {
  const services = createServices({ stateFolder: join(base, 'state'), host: 'web', watchEvery: 0 })
  try {
    const call = caller(() => services)
    const game = join(base, 'game')
    const files = sampleFiles().filter(({ path }) => path.startsWith('Dark Cloud 2/adventurer/'))
    writeFiles(game, Object.fromEntries(files.map(({ path, bytes }) => [path, bytes])))
    const library = (await call('library.open', { root: game })).id
    await call('library.scan', { library })
    const { scene } = await call('model.open', { ref: join(game, 'Dark Cloud 2/adventurer/adventurer.mds'), library })
    glb = (await writeGltf(scene, { format: 'glb', name: 'x' })).files[0].bytes
  } finally {
    await services.close()
  }
}, 240_000)
afterAll(() => rmSync(base, { recursive: true, force: true }))

/** A file that is not there, and how much of it was read. */
function hole({ size, writes }: ReturnType<typeof withHole>): ByteSource & { readAll: number } {
  return {
    size,
    readAll: 0,
    async read(from, to) {
      const bytes = new Uint8Array(Math.max(0, Math.min(to, size) - from))
      this.readAll += bytes.length
      for (const [at, part] of writes) {
        const [first, last] = [Math.max(from, at), Math.min(to, at + part.length)]
        if (first < last) bytes.set(part.subarray(first - at, last - at), first - from)
      }
      return Promise.resolve(bytes)
    },
  }
}

describe('a file of 500 MB', () => {
  it.each([true, false])('says what it says without its pictures, and these are not read (meshes: %s)', async (meshes) => {
    const source = hole(withHole(glb))
    const light = (await lightGlb(source, { most: MOST, meshes }))!
    expect(light.length).toBeLessThan(glb.length + 1000)
    expect(source.readAll).toBeLessThan(glb.length + 2000)
    expect(await readGltf(light, 'x.glb', { meshes })).toEqual(await readGltf(glb, 'x.glb', { meshes }))
    if (!meshes) expect(light.length).toBeLessThan(0.7 * glb.length)
  })

  it('is read so from the disk and from the window', async () => {
    const path = join(base, 'large.glb')
    const file = withHole(glb)
    writeHole(path, file)
    expect(await isWholeGltf(path)).toBe(true)
    const whole = await readGltf(glb, 'x.glb', { meshes: true })
    const bytes = await readGltfBytes(path, { meshes: true })
    expect(bytes.length).toBeLessThan(glb.length + 1000)
    expect(await readGltf(bytes, 'x.glb', { meshes: true })).toEqual(whole)

    const source = hole(file)
    const slice = (from = 0, to = 0): Blob => ({ arrayBuffer: async () => (await source.read(from, to)).buffer }) as unknown as Blob
    expect(await readPicked({ size: source.size, slice })).toEqual(bytes)
    truncateSync(path, LARGE)
    expect(await isWholeGltf(path)).toBe(false)
  })

  it('that is nothing but one animation is refused before it is read', async () => {
    const file = withHole(glb, (json) => {
      const { output } = json.animations[0].samplers[0]
      json.accessors[output] = { ...json.accessors[output], bufferView: json.bufferViews.length - 1, byteOffset: 0 }
    })
    const source = hole(file)
    expect(await lightGlb(source, { most: MOST, meshes: false })).toBeUndefined()
    expect(source.readAll).toBeLessThan(glb.length)
    const path = join(base, 'animation.glb')
    writeHole(path, file)
    await expect(readGltfBytes(path)).rejects.toMatchObject({
      code: 'unsupported',
      file: path,
      message: expect.stringContaining('134,217,728'),
    })
    const slice = (from = 0, to = 0): Blob => ({ arrayBuffer: async () => (await source.read(from, to)).buffer }) as unknown as Blob
    await expect(readPicked({ size: source.size, slice })).rejects.toMatchObject({ code: 'unsupported' })
    expect(source.readAll).toBeLessThan(2 * glb.length)
  })

  it.each<[string, (file: ReturnType<typeof withHole>) => void]>([
    ['not a GLB', ({ writes }) => writes[0][1].fill(0x20, 0, 4)],
    ['text that is none', ({ writes }) => writes[0][1].fill(0x20, 20, 40)],
    ['text that is larger than all that may be read', ({ writes }) => new DataView(writes[0][1].buffer).setUint32(12, 2 ** 28, true)],
    ['bytes that are not all there', (file) => (file.size -= 4)],
    ['no bytes', ({ writes }) => writes[0][1].fill(0x20, -8)],
  ])('%s: refused before it is read', async (_what, damage) => {
    const file = withHole(glb)
    damage(file)
    const source = hole(file)
    expect(await lightGlb(source, { most: MOST, meshes: true })).toBeUndefined()
    expect(source.readAll).toBeLessThan(glb.length)
  })

  it('believes nothing that its bytes do not hold', async () => {
    const wrong = withHole(glb, (json) => {
      const { input } = json.animations[0].samplers[0]
      json.bufferViews[json.accessors[input].bufferView].byteOffset = 3 * LARGE
      const { nodes } = json as unknown as { nodes: unknown[] }
      nodes.push({ mesh: 2 ** 40, skin: 0 }, { mesh: 0, skin: 'none' })
    })
    const light = (await lightGlb(hole(wrong), { most: MOST, meshes: true }))!
    await expect(readGltf(light, 'x.glb')).rejects.toMatchObject({ code: 'truncated', file: 'x.glb' })
  })
})

describe('a file of the usual size', () => {
  it('is taken as it is, whatever it says', async () => {
    const path = join(base, 'small.glb')
    writeFileSync(path, glb)
    appendFileSync(path, 'junk')
    const bytes = await readGltfBytes(path, { meshes: true })
    expect(Buffer.from(bytes).equals(Buffer.concat([glb, Buffer.from('junk')]))).toBe(true)
  })

  it('says what went wrong', async () => {
    await expect(readGltfBytes(join(base, 'none.glb'))).rejects.toMatchObject({ code: 'not-found', file: join(base, 'none.glb') })
    await expect(readGltfBytes(base)).rejects.toMatchObject({ code: 'io', file: base })
  })
})
