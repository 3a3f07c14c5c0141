/** Weights through the window, in every family and layout of skin: a stroke of the brush, and each edit of the table, as whole bytes. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Locator, Page } from 'playwright'
import { hierarchyOf, makeHierarchy, restWorld } from '../../src/main/formats/w3d/codecs/hierarchy.ts'
import { makeHlod } from '../../src/main/formats/w3d/codecs/hlod.ts'
import { newFile, newMesh } from '../../src/main/formats/w3d/make.ts'
import { sampleFiles } from '../support/sample.ts'
import type { NativeWeights } from '../../src/shared/api/types/weights.ts'
import { changedRanges } from '../support/edit-session.ts'
import { changedVertices, inPack, lostSaga, renderware, rowOf, w3d, w3dPlaces, wgt, type Rewrite } from '../support/weight-bytes.ts'
import { afterAll, beforeAll, describe, expect, test, type App } from './harness.ts'
import { saveEdits } from './steps.ts'

interface Case {
  layout: string
  /** place of the row in the library, and the model's name */
  row: RegExp
  name: RegExp
  file: string
  rewrite: Rewrite
  /** bone that the brush paints */
  bone: string
  /** another bone turns the space of a vertex, and the skeleton is turned itself: places are compared in the scene */
  turned?: boolean
}

/** A post of three joints, every vertex on two bones in percent; places on a grid that 32 bits hold wherever they are seen from. */
const POST: { name: string; parent: number; trans: [number, number, number]; quat: [number, number, number, number] }[] = [
  { name: 'ROOTTRANSFORM', parent: -1, trans: [0, 0, 0], quat: [0, 0, 0, 1] },
  { name: 'FOOT', parent: 0, trans: [0, 0, 2], quat: [0, 0, 0, 1] },
  { name: 'MIDDLE', parent: 1, trans: [0, 0, 4], quat: [0, 0, 0, 1] },
  { name: 'TOP', parent: 2, trans: [0, 0, 4], quat: [0, 0, 0, 1] },
]
const POST_REST = [
  [0, 0, 0],
  [0, 0, 2],
  [0, 0, 6],
  [0, 0, 10],
]

function post(): Uint8Array {
  const rows = 13,
    around = 16
  const positions: number[] = [],
    normals: number[] = [],
    triangles: number[] = [],
    bones: number[] = [],
    second: number[] = [],
    percent: number[] = []
  for (let r = 0; r < rows; r++) {
    for (let a = 0; a < around; a++) {
      const angle = (2 * Math.PI * a) / around
      positions.push(...[3 * Math.cos(angle), 3 * Math.sin(angle)].map((x) => Math.round(64 * x) / 64), r)
      normals.push(Math.cos(angle), Math.sin(angle), 0)
      const lower = 1 + Math.min(1, Math.floor(r / 6))
      bones.push(lower)
      second.push(lower + 1)
      percent.push(r % 6 === 0 ? 100 : 100 - 10 * (r % 6))
      const b = (a + 1) % around
      if (r + 1 < rows)
        triangles.push(
          around * r + a,
          around * r + b,
          around * r + around + b,
          around * r + a,
          around * r + around + b,
          around * r + around + a,
        )
    }
  }
  const skeleton = makeHierarchy('POST', POST)
  const skin = { world: restWorld(hierarchyOf(skeleton)), bones, second: { bones: second, percent } }
  return newFile([
    newMesh({ meshName: 'SHELL', containerName: 'POST', positions, normals, triangles, skin }),
    skeleton,
    makeHlod('POST', 'POST', [{ maxScreenSize: 3.4e38, objects: [{ bone: 0, name: 'POST.SHELL' }] }]),
  ])
}

const CASES: Case[] = [
  {
    layout: 'Level-5, Dark Cloud 1, in a pack',
    row: /^Dark Cloud\/chara/,
    name: /^adventurer$/,
    file: 'Dark Cloud/chara/adventurer.chr',
    rewrite: inPack('adventurer.wgt', wgt),
    bone: 'chest',
  },
  {
    layout: 'Level-5, Dark Cloud 2',
    row: /^Dark Cloud 2\/adventurer/,
    name: /^adventurer$/,
    file: 'Dark Cloud 2/adventurer/adventurer.wgt',
    rewrite: wgt,
    bone: 'chest',
  },
  {
    layout: 'RenderWare, new skin',
    row: /^San Andreas\/models\/peds/,
    name: /^adventurer$/,
    file: 'San Andreas/models/peds/adventurer.dff',
    rewrite: renderware,
    bone: 'chest',
  },
  {
    layout: 'RenderWare, old skin',
    row: /^San Andreas\/models\/old layout/,
    name: /^adventurer_old$/,
    file: 'San Andreas/models/old layout/adventurer_old.dff',
    rewrite: renderware,
    bone: 'chest',
  },
  {
    layout: 'RenderWare, split skin',
    row: /^San Andreas\/models\/split skin/,
    name: /^adventurer_split$/,
    file: 'San Andreas/models/split skin/adventurer_split.dff',
    rewrite: renderware,
    bone: 'spine',
  },
  {
    layout: 'Lost Saga',
    row: /^Lost Saga\/resource\/mesh/,
    name: /^adventurer$/,
    file: 'Lost Saga/resource/mesh/adventurer.msh',
    rewrite: lostSaga,
    bone: 'Bip01 L Forearm',
  },
  {
    layout: 'W3D, one bone',
    row: /^Zero Hour\/Art\/W3D/,
    name: /^walker_skn$/i,
    file: 'Zero Hour/Art/W3D/WALKER_SKN.W3D',
    rewrite: w3d(),
    bone: 'PELVIS',
    turned: true,
  },
  { layout: 'W3D, two bones in percent', row: /^Battle/, name: /^post$/i, file: 'Battle/post.w3d', rewrite: w3d(POST_REST), bone: 'TOP' },
]

const signal = new AbortController().signal

let root = ''
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'marrow-weights-'))
  for (const { path, bytes } of [...sampleFiles(), { path: 'Battle/post.w3d', bytes: post() }]) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), bytes)
  }
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

async function openModel(page: Page, { row, name }: Case): Promise<Locator> {
  await page.getByRole('tab').first().click()
  await page
    .locator('section[aria-label="Library"]')
    .locator('[role=row],[role=option]')
    .filter({ has: page.getByText(name) })
    .filter({ has: page.getByText(row) })
    .first()
    .dblclick()
  await page.getByRole('tab', { name: 'Weights', exact: true }).click()
  const panel = page.locator('[data-panel="weights"]')
  await panel.getByLabel('Bone', { exact: true }).waitFor({ timeout: 20_000 })
  return panel
}

/** The model on screen as the services have it. */
class Shown {
  private readonly app: App
  private readonly model: string
  private readonly ref: string
  readonly skin: string

  private constructor(app: App, model: string, ref: string, skin: string) {
    this.app = app
    this.model = model
    this.ref = ref
    this.skin = skin
  }

  /** @param file a member of the pack, where it is one */
  static async of(app: App, file: string): Promise<Shown> {
    const models = await app.services.handlers['model.list']({}, { signal })
    const model = models.find((m) => m.files.some((f) => f.ref.replaceAll('\\', '/').includes(file)))!
    const list = await app.services.handlers['weights.list']({ model: model.id }, { signal })
    const { scene } = await app.services.handlers['model.scene']({ model: model.id }, { signal })
    // of levels of detail the highest is shown
    const { id } = list.find((s) => scene.meshes[s.sceneMesh].lod === scene.lods.length - 1)!
    return new Shown(app, model.id, id.slice(0, id.lastIndexOf('#')), id)
  }

  weights = (): Promise<NativeWeights> =>
    Promise.resolve(this.app.services.handlers['weights.read']({ model: this.model, id: this.skin }, { signal }))

  async steps(): Promise<number> {
    return (await this.app.services.handlers['model.list']({}, { signal })).find((m) => m.id === this.model)!.history.undo.length
  }

  async positions(): Promise<Float32Array> {
    const { scene } = await this.app.services.handlers['model.scene']({ model: this.model }, { signal })
    return scene.meshes[(await this.weights()).sceneMesh].positions
  }

  /** The file that has the weights (in a pack: the member) as it would be saved now, or as it was. */
  async bytes(original = false): Promise<Uint8Array> {
    const parts: Uint8Array[] = []
    for (let at = 0; ; at += 65_536) {
      const part = await this.app.services.handlers['model.bytes'](
        { model: this.model, ref: this.ref, start: at, length: 65_536, original },
        { signal },
      )
      parts.push(part)
      if (part.length < 65_536) return new Uint8Array(Buffer.concat(parts))
    }
  }
}

/** Where bytes are not what they should be. Places of vertices that changed do not count where the skeleton is turned: they are compared in the scene. */
function differences(c: Case, expected: Uint8Array, now: Uint8Array, mesh: string, vertices: readonly number[]): [number, number][] {
  expect(now.length, c.layout).toBe(expected.length)
  const masked = expected.slice()
  if (c.turned) for (const [from, to] of w3dPlaces(expected, mesh, vertices)) masked.set(now.subarray(from, to), from)
  return changedRanges(masked, now)
}

async function undoAll(page: Page, shown: Shown): Promise<void> {
  for (let n = await shown.steps(); n > 0; n--) {
    await page.getByRole('button', { name: /^Undo/ }).click()
    await expect.poll(shown.steps.bind(shown)).toBe(n - 1)
  }
}

/** Draws down over the mesh; the pointer's own picture goes where the brush stands on it. */
async function stroke(page: Page): Promise<void> {
  const canvas = page.locator('canvas[aria-label]').first()
  const box = (await canvas.boundingBox())!
  let at = [0, 0]
  let i = 0
  await expect
    .poll(
      async () => {
        at = [box.x + box.width * (0.5 + 0.02 * (i % 3)), box.y + box.height * (0.5 + 0.04 * (Math.floor(i / 3) % 4))]
        i++
        await page.mouse.move(at[0], at[1])
        return canvas.evaluate((element: any) => element.style.cursor)
      },
      { timeout: 30_000, interval: 60 },
    )
    .toBe('none')
  await page.mouse.down()
  for (let k = 1; k <= 4; k++) await page.mouse.move(at[0], at[1] + 6 * k)
  await page.mouse.up()
}

/** A tool over all vertices is one step that keeps to its word. */
async function checkTool(page: Page, panel: Locator, shown: Shown, before: NativeWeights): Promise<void> {
  const inner = await shown.bytes()
  await panel.getByRole('button', { name: 'Tools', exact: true }).click()
  await panel.getByRole('button', { name: 'Limit bones', exact: true }).click()
  await panel.getByLabel('Most bones').fill('1')
  await panel.getByLabel('Most bones').press('Enter')
  await panel.getByRole('button', { name: 'Apply' }).click()
  await panel.getByText('Nothing to change.').waitFor({ timeout: 10_000 })
  expect(await shown.steps()).toBe(1)
  const limited = await shown.weights()
  for (let v = 0; v < limited.vertexCount; v++)
    expect(rowOf(limited, v)).toEqual(
      rowOf(before, v).length > 1
        ? [{ bone: rowOf(before, v).reduce((a, b) => (b.weight > a.weight ? b : a)).bone, weight: expect.closeTo(1, 4) }]
        : rowOf(before, v),
    )
  expect(changedRanges(lostSaga(inner, before, limited), await shown.bytes())).toEqual([])
  // done again in another way it is the same step, from the weights that were there before
  const last = page.getByRole('group', { name: 'Last operation: Limit bones' })
  await last.getByLabel('At most').fill('2')
  await last.getByLabel('At most').press('Enter')
  const longest = (w: NativeWeights): number => w.offsets.subarray(1).reduce((most, end, v) => Math.max(most, end - w.offsets[v]), 0)
  await expect.poll(async () => longest(await shown.weights())).toBe(2)
  expect(await shown.steps()).toBe(1)
  const two = await shown.weights()
  for (const v of changedVertices(before, two))
    expect(rowOf(two, v).map((i) => i.bone)).toEqual(
      rowOf(before, v)
        .slice()
        .sort((a, b) => b.weight - a.weight)
        .slice(0, 2)
        .map((i) => i.bone),
    )
  expect(changedRanges(lostSaga(inner, before, two), await shown.bytes())).toEqual([])
  await undoAll(page, shown)
  await panel.getByRole('button', { name: 'Vertices', exact: true }).first().click()
}

async function checkCase(app: App, c: Case): Promise<void> {
  const { page } = app
  const path = join(root, ...c.file.split('/'))
  const onDisk = new Uint8Array(readFileSync(path))
  const panel = await openModel(page, c)
  const shown = await Shown.of(app, c.file)
  const before = await shown.weights()
  const inner = await shown.bytes(true)
  const { fullWeight: full, maxInfluences: most, step } = before.limits
  const rewrite: Rewrite = c.file.endsWith('.chr') ? wgt : c.rewrite
  const rest = c.turned ? await shown.positions() : null

  // --- the brush ---
  await panel.getByLabel('Bone', { exact: true }).selectOption({ label: c.bone })
  await panel.getByRole('button', { name: 'Paint weights' }).click()
  await page.getByRole('toolbar', { name: 'Weight brush' }).waitFor()
  await stroke(page)
  await expect.poll(shown.steps.bind(shown), { timeout: 15_000 }).toBe(1)
  const painted = await shown.weights()
  const reached = changedVertices(before, painted)
  expect(reached.length, `${c.layout}: vertices that the stroke changed`).toBeGreaterThan(0)
  const bone = before.bones.findIndex((b) => b.name === c.bone)
  for (const v of reached) {
    const row = rowOf(painted, v)
    expect(
      row.some((i) => i.bone === bone),
      c.layout,
    ).toBe(true)
    if (most) expect(row.length, c.layout).toBeLessThanOrEqual(most)
    if (step)
      expect(
        row.every((i) => Number.isInteger(i.weight / step)),
        c.layout,
      ).toBe(true)
    expect(row.reduce((n, i) => n + i.weight, 0) / full, c.layout).toBeCloseTo(1, 4)
  }
  expect(
    differences(c, rewrite(inner, before, painted), await shown.bytes(), before.mesh, reached),
    `${c.layout}: bytes beside the stroke`,
  ).toEqual([])
  if (rest) for (const [i, x] of (await shown.positions()).entries()) expect(Math.abs(x - rest[i]), c.layout).toBeLessThan(1e-3)
  await page.keyboard.press('Escape')
  await undoAll(page, shown)
  expect(Buffer.compare(await shown.bytes(), inner), c.layout).toBe(0)

  if (c.rewrite === lostSaga) await checkTool(page, panel, shown, before)

  // --- the table ---
  const vertex = Array.from({ length: before.vertexCount }, (_, v) => v).find(
    (v) => v >= 40 && rowOf(before, v).length === Math.min(2, most || 2),
  )!
  const jump = panel.getByLabel('Go to vertex')
  await jump.fill(String(vertex))
  await jump.press('Enter')
  const plain = (row: { bone: number; weight: number }[]): [number, number][] =>
    row.map((i): [number, number] => [i.bone, Math.round((1e4 * i.weight) / full) / 100]).sort((a, b) => a[0] - b[0])
  let n = 0
  let last = before
  // the file that has the weights, and the one on disk, as they should be by now
  let expected = inner
  let saved: Uint8Array = onDisk
  /** one step, the row that it should leave (percent of a full weight), and bytes that say the same */
  const expectRow = async (what: string, row: [number, number][]): Promise<void> => {
    await expect.poll(shown.steps.bind(shown)).toBe(++n)
    const now = await shown.weights()
    expect(plain(rowOf(now, vertex)), `${c.layout}: ${what}`).toEqual([...row].sort((a, b) => a[0] - b[0]))
    expect(
      changedVertices(before, now).filter((v) => v !== vertex),
      `${c.layout}: ${what}`,
    ).toEqual([])
    expected = rewrite(expected, last, now)
    saved = c.rewrite(saved, last, now)
    last = now
    expect(differences(c, expected, await shown.bytes(), before.mesh, [vertex]), `${c.layout}: ${what}`).toEqual([])
  }
  const [first, second] = rowOf(before, vertex)
  if (most === 1) {
    const to = (first.bone + 1) % before.bones.length
    await panel.getByLabel(`Bone 0 of vertex ${vertex}`).selectOption(String(to))
    await expectRow('another bone', [[to, 100]])
    for (const [i, x] of (await shown.positions()).entries()) expect(Math.abs(x - rest![i]), c.layout).toBeLessThan(1e-3)
  } else {
    const other = Math.round((1e4 * second.weight) / full) / 100
    const field = panel.getByLabel(`Weight 0 of vertex ${vertex}`, { exact: true })
    // off the full sum by more than a rounding
    const to = Math.abs(35 + other - 100) < 2 ? 55 : 35
    await field.fill(String((to / 100) * full))
    await field.press('Enter')
    // where the sum is no choice of the file's the other bone takes the rest
    await expectRow('a weight', [
      [first.bone, to],
      [second.bone, step ? 100 - to : other],
    ])
    const sum = to + (step ? 100 - to : other)
    if (sum !== 100) {
      await panel.getByRole('button', { name: 'Normalise', exact: true }).click()
      const k = 100 / sum
      const [a, b] = [to * k, other * k].map((x) => Math.round(100 * x) / 100)
      await expectRow('normalised', [
        [first.bone, a],
        [second.bone, b],
      ])
    }
    const two = plain(rowOf(last, vertex))
    if (most !== 2) {
      await panel.getByRole('button', { name: /^Add a bone to the vertex/ }).click()
      await expect.poll(shown.steps.bind(shown)).toBe(n + 1)
      const row = rowOf(await shown.weights(), vertex)
      const added = row.find((i) => i.bone !== first.bone && i.bone !== second.bone)!
      const largest = two.reduce((a, b) => (b[1] > a[1] ? b : a))
      const lessened = two.map(([b, w]): [number, number] => [b, b === largest[0] ? Math.round(100 * (w - 1)) / 100 : w])
      await expectRow('a bone more', [...lessened, [added.bone, 1]])
      await panel
        .getByRole('button', { name: 'Remove this bone from the vertex' })
        .nth(rowOf(last, vertex).findIndex((i) => i.bone === added.bone))
        .click()
      await expectRow('a bone less', lessened)
    } else {
      const slot = rowOf(last, vertex).findIndex((i) => i.bone === second.bone)
      await panel.getByRole('button', { name: 'Remove this bone from the vertex' }).nth(slot).click()
      await expectRow('a bone less', [[first.bone, 100]])
      await panel.getByRole('button', { name: /^Add a bone to the vertex/ }).click()
      await expectRow('a bone more', [
        [first.bone, 99],
        [second.bone, 1],
      ])
    }
    const row = rowOf(last, vertex)
    // a bone of the vertices listed around it: the palette of the split skin has it
    const near = Array.from({ length: 400 }, (_, i) => rowOf(before, vertex + (i % 2 ? 1 : -1) * (i >> 1)))
      .flat()
      .find((i) => !row.some((r) => r.bone === i.bone))!.bone
    const slot = row.findIndex((i) => i.bone === second.bone)
    const kept = plain(row)
    await panel.getByLabel(`Bone ${slot} of vertex ${vertex}`).selectOption(String(near))
    await expectRow(
      'another bone',
      kept.map(([b, w]): [number, number] => [b === second.bone ? near : b, w]),
    )
  }

  // --- the disk ---
  expect(Buffer.compare(readFileSync(path), onDisk), `${c.layout}: nothing is written before it is saved`).toBe(0)
  await saveEdits(page)
  expect(differences(c, saved, new Uint8Array(readFileSync(path)), before.mesh, [vertex]), `${c.layout}: on disk`).toEqual([])
  await undoAll(page, shown)
  await saveEdits(page)
  expect(Buffer.compare(readFileSync(path), onDisk), `${c.layout}: undone and saved`).toBe(0)
}

describe('weights', () => {
  test('in every layout: a stroke and each edit of the table change their own bytes, on disk too, and undo brings them back', async ({
    startApp,
  }) => {
    const app = await startApp({ folder: root })
    await app.page.getByText(/^Scanned /).waitFor({ timeout: 30_000 })
    for (const c of CASES) await checkCase(app, c)
  }, 240_000)
})
