/** One texture out as a PNG and in again, in the sample library of every family that has textures of its own. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { encodeDocument } from '../../src/main/formats/format.ts'
import { replacePixels } from '../../src/main/formats/renderware/codecs/raster.ts'
import { texturesOf, txdFormat } from '../../src/main/formats/renderware/codecs/txd.ts'
import { readPng, writePng } from '../../src/main/interchange/png.ts'
import { applyUpdate } from '../../src/shared/scene/scene-update.ts'
import { sampleTree, scanned, serviceBenches } from '../support/service-bench.ts'

const start = serviceBenches(afterEach)

describe('textures', () => {
  it.each(['renderware', 'level5', 'w3d', 'lostsaga'] as const)(
    'of %s: what comes out goes in and changes nothing; another picture is on the model, and undo brings the file back',
    async (family) => {
      const { game, call } = start({ files: sampleTree() })
      const library = await scanned(call, game)
      const { rows } = await call('library.query', { library, show: 'models', family, sort: 'name', offset: 0, limit: 50 })
      let found: { model: string; texture: number } | undefined
      for (const row of rows) {
        const { info, scene } = await call('model.open', { ref: row.ref, library })
        for (let texture = 0; texture < scene.textures.length && !found; texture++) {
          const storage = await call('textures.storage', { model: info.id, texture })
          if (!storage.readOnly && scene.textures[texture].source.ref) found = { model: info.id, texture }
        }
      }
      const { model, texture } = found!
      const { scene } = await call('model.scene', { model })
      const before = scene.textures[texture]
      const { name, bytes } = await call('textures.png', { model, texture })
      expect(name).toMatch(/\.png$/)
      const picture = await readPng(bytes, name)
      expect(picture).toEqual({ width: before.width, height: before.height, rgba: before.rgba })
      expect(await call('textures.pixels', { model, texture, level: 0 })).toEqual(picture)
      const { levels } = await call('textures.storage', { model, texture })
      for (let level = 1; level < levels; level++) {
        const { width, height, rgba } = await call('textures.pixels', { model, texture, level })
        expect([width, height, rgba.length]).toEqual([
          Math.max(1, before.width >> level),
          Math.max(1, before.height >> level),
          4 * width * height,
        ])
      }
      for (const level of [levels, 2 ** 31]) {
        const none = call('textures.pixels', { model, texture, level })
        await expect(none).rejects.toMatchObject({ code: 'not-found', file: before.source.ref })
      }
      await expect(call('textures.pixels', { model, texture: 999, level: 0 })).rejects.toMatchObject({ code: 'invalid-argument' })
      const same = await call('textures.replace', { model, texture, name, bytes })
      expect(same.info).toMatchObject({ dirty: false, history: { undo: [] } })
      expect(same.report).toMatchObject({ colorError: 0, worstColor: 0, worstAlpha: 0 })

      const rgba = before.rgba.slice()
      for (let i = 0; i < rgba.length; i += 4) rgba.set([rgba[i + 2], rgba[i], rgba[i + 1]], i)
      const shown = await call('model.scene', { model })
      const other = await call('textures.replace', { model, texture, name, bytes: writePng({ ...picture, rgba }) })
      expect(other.info).toMatchObject({ dirty: true, history: { undo: [`Replace texture ${before.name}`] } })
      const now = applyUpdate(other.scene, shown.scene)!.textures[texture]
      expect(now.rgba).not.toEqual(before.rgba)
      expect(other.report).toMatchObject({ width: before.width, height: before.height })
      expect(other.report.colorError).toBeLessThan(16)
      // what is there now and what was there stand beside each other
      expect((await call('textures.pixels', { model, texture, level: 0 })).rgba).toEqual(now.rgba)
      expect(await call('textures.pixels', { model, texture, level: 0, original: true })).toEqual(picture)
      const [changes] = await call('model.changes', { model })
      expect(changes.ref).toBe(before.source.ref)
      const undone = await call('history.undo', { model })
      expect(undone.info.dirty).toBe(false)
      expect((await call('model.scene', { model })).scene.textures[texture].rgba).toEqual(before.rgba)
      await expect(call('textures.replace', { model, texture, name, bytes: Uint8Array.of(1, 2, 3) })).rejects.toMatchObject({
        code: 'bad-magic',
        file: name,
      })
      await expect(call('textures.png', { model, texture: 999 })).rejects.toMatchObject({ code: 'invalid-argument' })
    },
  )

  it('are coded in a worker: the same bytes as in place, told stage by stage, stopped at once, and refused when the file changed meanwhile', async () => {
    const { game, events, call } = start({ files: sampleTree() })
    await call('library.open', { root: game })
    const ref = join(game, 'San Andreas/models/peds/adventurer.dff')
    const txd = join(game, 'San Andreas/models/peds/adventurer.txd')
    const { info, scene } = await call('model.open', { ref })
    const model = info.id
    const texture = scene.textures.findIndex(({ source }) => source.ref === txd)
    const rgba = Uint8Array.from({ length: 4 * 256 * 256 }, (_, i) => (i % 4 === 3 ? 255 : (i * 7 + (i >> 9)) & 255))
    const bytes = writePng({ width: 256, height: 256, rgba })

    const direct = txdFormat.decode(new Uint8Array(readFileSync(txd)), txd)
    replacePixels(texturesOf(direct).find(({ name }) => name === scene.textures[texture].name)!.native!, 256, 256, rgba)
    const expected = encodeDocument(txdFormat, direct).bytes

    const stopped = new AbortController()
    const first = call('textures.replace', { model, texture, name: 'a.png', bytes }, stopped.signal)
    stopped.abort()
    await expect(first).rejects.toMatchObject({ code: 'cancelled' })
    expect((await call('model.scene', { model })).info).toMatchObject({ dirty: false, history: { undo: [] } })

    const [done, late] = await Promise.allSettled([
      call('textures.replace', { model, texture, name: 'a.png', bytes }),
      call('textures.replace', { model, texture, name: 'b.png', bytes: writePng({ width: 4, height: 4, rgba: new Uint8Array(64) }) }),
    ])
    expect(done.status).toBe('fulfilled')
    expect(late).toMatchObject({
      status: 'rejected',
      reason: { code: 'invalid-edit', message: expect.stringContaining('changed meanwhile') },
    })
    expect(events['texture.progress']![0].current).toBe('Reading the picture')
    await call('save.write', { model })
    expect(Buffer.compare(readFileSync(txd), expected)).toBe(0)
  })
})
