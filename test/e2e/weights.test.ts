/** Weights through the window: one value of the table for each family with skins, in its own bytes on disk, and back. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import type { NativeWeights } from '../../src/shared/api/types.ts'
import { describe, expect, test, type App } from './harness.ts'

interface Range {
  what: string
  start: number
  end: number
}

/** Where the file has the weights of a vertex, found in the bytes alone: this is what the codecs are measured by. */
type Finder = (bytes: Uint8Array, weights: NativeWeights, vertex: number) => Range[]

const view = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** WGT: a key of 32 bytes, vertex first, weight in the fifth word. */
const wgtKey: Finder = (bytes, weights, vertex) => {
  const data = view(bytes)
  const wanted = weights.weight[weights.offsets[vertex]]
  const found: Range[] = []
  for (let at = 0; at + 32 <= bytes.length; at += 4) {
    if (data.getUint32(at, true) === vertex && data.getFloat32(at + 16, true) === wanted && [4, 8, 12, 20, 24, 28].every((o) => data.getUint32(at + o, true) === 0)) found.push({ what: 'weight', start: at + 16, end: at + 20 })
  }
  return found
}

/** Four weights a vertex, each vertex `stride` bytes after the one before. */
const fourFloats =
  (stride: number): Finder =>
  (bytes, weights, vertex) => {
    const data = view(bytes)
    const fits = (at: number, v: number): boolean => {
      for (let slot = 0; slot < 4; slot++) {
        const i = weights.offsets[v] + slot
        if (data.getFloat32(at + 4 * slot, true) !== (i < weights.offsets[v + 1] ? weights.weight[i] : 0)) return false
      }
      return true
    }
    const found: Range[] = []
    const size = stride * weights.vertexCount
    for (let base = 0; base + size <= bytes.length; base++) {
      let v = 0
      while (v < weights.vertexCount && fits(base + stride * v, v)) v++
      if (v === weights.vertexCount) found.push({ what: 'weight', start: base + stride * vertex, end: base + stride * vertex + 4 })
    }
    return found
  }

/** W3D: another bone means the bone's number, and place and normal as that bone sees them. Chunks of the mesh by their ids. */
const w3dBone: Finder = (bytes, weights, vertex) => {
  const data = view(bytes)
  for (let mesh = 0; mesh + 8 <= bytes.length; ) {
    const end = mesh + 8 + (data.getUint32(mesh + 4, true) & 0x7fffffff)
    if (data.getUint32(mesh, true) === 0) {
      const out: Range[] = []
      let name = ''
      for (let at = mesh + 8; at + 8 <= end; ) {
        const id = data.getUint32(at, true)
        const size = data.getUint32(at + 4, true) & 0x7fffffff
        const body = at + 8
        if (id === 0x1f) name = ['', ''].map((_, i) => Buffer.from(bytes.subarray(body + 8 + 16 * (1 - i), body + 24 + 16 * (1 - i))).toString('latin1').split('\0')[0]).join('.')
        if (id === 0x02) out.push({ what: 'place', start: body + 12 * vertex, end: body + 12 * vertex + 12 })
        if (id === 0x03) out.push({ what: 'normal', start: body + 12 * vertex, end: body + 12 * vertex + 12 })
        if (id === 0x0e) out.push({ what: 'bone', start: body + 8 * vertex, end: body + 8 * vertex + 2 })
        at = body + size
      }
      if (name === weights.mesh) return out
    }
    mesh = end
  }
  return []
}

interface Case {
  family: string
  row: RegExp
  file: string
  find: Finder
  /** the new weight in the first slot; absent: another bone */
  weight?: number
}

const CASES: Case[] = [
  { family: 'Level-5', row: /^Dark Cloud 2\/adventurer/, file: 'Dark Cloud 2/adventurer/adventurer.wgt', find: wgtKey, weight: 55 },
  { family: 'RenderWare', row: /^San Andreas\/models\/peds/, file: 'San Andreas/models/peds/adventurer.dff', find: fourFloats(16), weight: 0.5 },
  { family: 'Lost Saga', row: /^Lost Saga\/resource\/mesh/, file: 'Lost Saga/resource/mesh/adventurer.msh', find: fourFloats(32), weight: 0.55 },
  { family: 'W3D', row: /^Zero Hour\/Art\/W3D/, file: 'Zero Hour/Art/W3D/WALKER_SKN.W3D', find: w3dBone },
]

const signal = new AbortController().signal

async function openModel(page: Page, row: RegExp, name: RegExp): Promise<Locator> {
  await page.getByRole('tab').first().click()
  await page.locator('section[aria-label="Library"]').locator('[role=row],[role=option]').filter({ hasText: name }).filter({ has: page.getByText(row) }).first().dblclick()
  await page.getByRole('toolbar', { name: 'Playback' }).waitFor({ timeout: 20_000 })
  await page.getByRole('tab', { name: 'Weights', exact: true }).click()
  const panel = page.locator('[data-panel="weights"]')
  await panel.getByLabel('Bone', { exact: true }).waitFor({ timeout: 20_000 })
  return panel
}

/** The save is over, not only the writing: one that is asked for meanwhile is not made. */
const settled = (page: Page): Promise<void> => page.getByRole('tab', { name: /unsaved edits/ }).waitFor({ state: 'detached', timeout: 10_000 })

/** The weights of the model that is on screen, as the services give them. */
async function weightsOf({ services }: App, file: string): Promise<NativeWeights> {
  const models = await services.handlers['model.list']({}, { signal })
  const model = models.find((m) => m.files.some((f) => f.ref.replaceAll('\\', '/').endsWith(file)))!
  const lists = await services.handlers['weights.list']({ model: model.id }, { signal })
  const shown = lists.find((l) => l.id.replaceAll('\\', '/').includes(file)) ?? lists[0]
  return services.handlers['weights.read']({ model: model.id, id: shown.id }, { signal })
}

describe('weights', () => {
  test('one value of the table in every family: its own bytes on disk, and back by undo', async ({ startApp }) => {
    const app = await startApp({ sample: true })
    const { page } = app
    const root = (await app.services.handlers['library.openSample']({}, { signal })).root
    await page.getByText(/^Scanned /).waitFor({ timeout: 30_000 })
    for (const { family, row, file, find, weight } of CASES) {
      const path = join(root, ...file.split('/'))
      const original = new Uint8Array(readFileSync(path))
      const panel = await openModel(page, row, new RegExp(file.split('/').at(-1)!.split('.')[0], 'i'))
      const w = await weightsOf(app, file)
      if ((await panel.getByLabel('Skinned mesh').count()) > 0) await panel.getByLabel('Skinned mesh').selectOption(w.id)
      // a vertex whose weights no other one of the file could be mistaken for
      let vertex = 40
      while (weight !== undefined && (w.offsets[vertex + 1] - w.offsets[vertex] !== 2 || w.weight[w.offsets[vertex]] === Math.fround(weight) || find(original, w, vertex).length !== 1)) vertex++
      const expected = find(original, w, vertex)
      expect(expected.length, family).toBeGreaterThan(0)

      const jump = panel.getByLabel('Go to vertex')
      await jump.fill(String(vertex))
      await jump.press('Enter')
      if (weight === undefined) {
        const bone = panel.getByLabel(`Bone 0 of vertex ${vertex}`)
        const to = (w.bone[w.offsets[vertex]] + 1) % w.bones.length
        await bone.selectOption(String(to))
      } else {
        const field = panel.getByLabel(`Weight 0 of vertex ${vertex}`, { exact: true })
        await field.fill(String(weight))
        await field.press('Enter')
      }
      await page.getByRole('tab', { name: /unsaved edits/ }).waitFor({ timeout: 10_000 })
      expect(Buffer.compare(readFileSync(path), original), `${family}: nothing is written before it is saved`).toBe(0)
      await page.keyboard.press('Control+s')
      await expect.poll(() => Buffer.compare(readFileSync(path), original), { timeout: 15_000 }).not.toBe(0)

      const saved = new Uint8Array(readFileSync(path))
      expect(saved.length, family).toBe(original.length)
      const outside: number[] = []
      const touched = new Set<string>()
      for (let at = 0; at < saved.length; at++) {
        if (saved[at] === original[at]) continue
        const range = expected.find((r) => at >= r.start && at < r.end)
        if (range) touched.add(range.what)
        else outside.push(at)
      }
      expect(outside, `${family}: bytes that nobody edited`).toEqual([])
      if (weight === undefined) {
        expect([...touched], family).toEqual(expect.arrayContaining(['bone', 'place']))
        const bone = expected.find((r) => r.what === 'bone')!
        expect(view(saved).getUint16(bone.start, true)).toBe((w.bone[w.offsets[vertex]] + 1) % w.bones.length)
      } else {
        expect([...touched], family).toEqual(['weight'])
        expect(view(saved).getFloat32(expected[0].start, true)).toBe(Math.fround(weight))
      }

      await settled(page)
      await page.getByRole('button', { name: /^Undo/ }).click()
      await page.getByRole('tab', { name: /unsaved edits/ }).waitFor({ timeout: 10_000 })
      await page.keyboard.press('Control+s')
      await expect.poll(() => Buffer.compare(readFileSync(path), original), { timeout: 15_000 }).toBe(0)
    }
  }, 180_000)

  test('the brush and a tool: what the colours promise is in the file, one undo step each', async ({ startApp }) => {
    const app = await startApp({ sample: true })
    const { page, screenshot } = app
    const root = (await app.services.handlers['library.openSample']({}, { signal })).root
    await page.getByText(/^Scanned /).waitFor({ timeout: 30_000 })
    const { file, row, find } = CASES[2]
    const path = join(root, ...file.split('/'))
    const original = new Uint8Array(readFileSync(path))
    const panel = await openModel(page, row, /adventurer/)
    const before = await weightsOf(app, file)
    await panel.getByLabel('Bone', { exact: true }).selectOption({ label: 'Bip01 L Forearm' })
    await panel.getByRole('button', { name: 'Paint weights' }).click()
    await page.getByRole('toolbar', { name: 'Weight brush' }).waitFor()
    const canvas = page.locator('canvas[aria-label]').first()
    const box = (await canvas.boundingBox())!
    const [x, y] = [box.x + box.width * 0.52, box.y + box.height * 0.5]
    // the pointer's own picture goes where the brush stands on the mesh
    await expect
      .poll(
        async () => {
          await page.mouse.move(x, y + Math.random())
          return canvas.evaluate((element: any) => element.style.cursor)
        },
        { timeout: 30_000 },
      )
      .toBe('none')
    await page.mouse.down()
    for (let i = 1; i <= 6; i++) await page.mouse.move(x, y + 6 * i)
    await page.mouse.up()
    await page.getByRole('tab', { name: /unsaved edits/ }).waitFor({ timeout: 10_000 })
    await screenshot('weights-brush')
    const painted = await weightsOf(app, file)
    const bone = painted.bones.findIndex((b) => b.name === 'Bip01 L Forearm')
    const moved = (w: NativeWeights): number => w.bone.reduce((n, b) => n + (b === bone ? 1 : 0), 0)
    expect(moved(painted)).toBeGreaterThan(moved(before))
    for (let v = 0; v < painted.vertexCount; v++) {
      expect(painted.offsets[v + 1] - painted.offsets[v]).toBeLessThanOrEqual(4)
      expect(painted.weight.subarray(painted.offsets[v], painted.offsets[v + 1]).reduce((a, b) => a + b, 0)).toBeCloseTo(1, 4)
    }

    await page.keyboard.press('Escape')
    await panel.getByRole('button', { name: 'Tools', exact: true }).click()
    await panel.getByRole('button', { name: 'Limit bones', exact: true }).click()
    await panel.getByLabel('Most bones').fill('1')
    await panel.getByLabel('Most bones').press('Enter')
    await panel.getByRole('button', { name: 'Apply' }).click()
    await panel.getByText('Nothing to change.').waitFor({ timeout: 10_000 })
    const models = await app.services.handlers['model.list']({}, { signal })
    expect(models[0].history.undo.length).toBe(2)
    await page.keyboard.press('Control+s')
    await expect.poll(() => Buffer.compare(readFileSync(path), original), { timeout: 15_000 }).not.toBe(0)
    const saved = new Uint8Array(readFileSync(path))
    const [{ start }] = find(original, before, 0)
    for (let at = 0; at < saved.length; at++) if (saved[at] !== original[at]) expect(at >= start && at < start + 32 * before.vertexCount).toBe(true)

    await settled(page)
    for (let i = 0; i < 2; i++) await page.getByRole('button', { name: /^Undo/ }).click()
    await expect.poll(async () => (await app.services.handlers['model.list']({}, { signal }))[0].history.undo.length).toBe(0)
    await page.keyboard.press('Control+s')
    await expect.poll(() => Buffer.compare(readFileSync(path), original), { timeout: 15_000 }).toBe(0)
  }, 120_000)
})
