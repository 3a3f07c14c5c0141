/** The viewport alone in a real Chromium: its development page, built, with a figure made by code. Pixels are checked, not pictures. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import vue from '@vitejs/plugin-vue'
import { decode } from 'fast-png'
import type { Page } from 'playwright'
import { build, preview } from 'vite'
import type { PreviewServer } from 'vite'
import { projectRoot } from '../../scripts/lib/build.mjs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sharedBrowser } from './browser.ts'

// what functions given to the page find there; the tests themselves run without a DOM
declare const window: any, document: any, WebGL2RenderingContext: any

let page: Page
let server: PreviewServer
let base: string
let folder: string
const errors: string[] = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'marrow-viewport-'))
  const root = join(projectRoot, 'src', 'renderer')
  await build({
    configFile: false,
    root,
    plugins: [vue()],
    logLevel: 'error',
    build: { outDir: folder, emptyOutDir: true, minify: false, rollupOptions: { input: join(root, 'dev', 'viewport.html') } },
  })
  server = await preview({ configFile: false, root, logLevel: 'error', build: { outDir: folder }, preview: { host: '127.0.0.1', port: 0 } })
  base = `${server.resolvedUrls!.local[0]}dev/viewport.html`
  page = await (await sharedBrowser()).newPage({ viewport: { width: 640, height: 480 }, reducedMotion: 'reduce' })
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text())
  })
  page.on('pageerror', (error) => errors.push(String(error)))
})

afterAll(async () => {
  await page?.close()
  await server?.close()
  rmSync(folder, { recursive: true, force: true })
  expect(errors).toEqual([])
})

interface Picture {
  width: number
  height: number
  /** RGB */
  at(x: number, y: number): [r: number, g: number, b: number]
  /** share of pixels that a rule holds for */
  share(rule: (r: number, g: number, b: number) => boolean, box?: [number, number, number, number]): number
}

/** The picture shows all that was asked for. */
async function atRest(): Promise<void> {
  await page.waitForFunction(() => window.page.handle().atRest)
}

/** What is done makes another scene: until that one is drawn. */
async function drawnAnew(change: () => Promise<unknown>): Promise<void> {
  const before = await page.evaluate(() => window.page.ready as number)
  await change()
  await page.waitForFunction((n) => window.page.ready > n, before)
}

async function open(query: string): Promise<void> {
  await page.goto(`${base}?${query}`)
  await page.waitForFunction(() => window.page?.ready > 0)
}

/** Changes what is shown, and waits until it is. */
async function display(part: object): Promise<void> {
  await page.evaluate((d) => (window.page.display.value = { ...window.page.display.value, ...d }), part)
  await atRest()
}

/** The picture without HTML overlays, through the viewport's own screenshot. */
async function picture(): Promise<Picture> {
  const text = await page.evaluate(async () => {
    const bytes = new Uint8Array(await (await window.page.handle().screenshot()).arrayBuffer())
    let out = ''
    for (const byte of bytes) out += String.fromCharCode(byte)
    return btoa(out)
  })
  const { width, height, channels, data: raw } = decode(Buffer.from(text, 'base64'))
  const data = new Uint8Array(4 * width * height)
  for (let i = 0; i < width * height; i++) for (let c = 0; c < 3; c++) data[4 * i + c] = raw[channels * i + c]
  return {
    width,
    height,
    at(x, y) {
      const i = 4 * (y * width + x)
      return [data[i], data[i + 1], data[i + 2]]
    },
    share(rule, [x0, y0, x1, y1] = [0, 0, width, height]) {
      let n = 0
      for (let y = y0; y < y1; y++)
        for (let x = x0; x < x1; x++) if (rule(data[4 * (y * width + x)], data[4 * (y * width + x) + 1], data[4 * (y * width + x) + 2])) n++
      return n / ((x1 - x0) * (y1 - y0))
    },
  }
}

const tunic = (r: number, g: number, b: number): boolean => g > r * 1.4 && g > b && g > 40 && b > r
const magenta = (r: number, g: number, b: number): boolean => r > g * 2 && b > g * 1.6 && r > 120
const gold = (r: number, g: number, b: number): boolean => r > 130 && g > 90 && b < 110 && r > b * 1.6
const blue = (r: number, g: number, b: number): boolean => b > r * 1.5 && b > g * 1.25 && b > 80

describe('the viewport in Chromium', { timeout: 120_000 }, () => {
  it('shows the figure with its picture, upright and facing the front', async () => {
    await open('grid=false&view=front')
    const p = await picture()
    // background
    expect(p.at(5, 5)).toEqual([0x22, 0x26, 0x2b])
    expect(p.share(tunic)).toBeGreaterThan(0.01)
    // the crate at +X stands on the right when seen from the front; the team-coloured guard of the right hand on the left
    expect(p.share(magenta, [320, 0, 640, 480])).toBeGreaterThan(0.005)
    expect(p.share(magenta, [0, 0, 320, 480])).toBeLessThan(0.001)
    expect(p.share(blue, [0, 0, 320, 480])).toBeGreaterThan(0.001)
    // boots below the tunic
    const rows = (rule: typeof tunic): number => {
      let sum = 0,
        n = 0
      for (let y = 0; y < 480; y++)
        for (let x = 200; x < 400; x++) {
          const [r, g, b] = p.at(x, y)
          if (rule(r, g, b)) {
            sum += y
            n++
          }
        }
      return sum / n
    }
    expect(rows((r, g, b) => r > 30 && r < 100 && r > g * 1.3 && g >= b)).toBeGreaterThan(rows(tunic) + 40)
  })

  it('shows the back from the back', async () => {
    await open('grid=false&view=back')
    const p = await picture()
    expect(p.share(magenta, [0, 0, 320, 480])).toBeGreaterThan(0.005)
    // the golden seam runs down the front only
    const back = p.share(gold, [280, 140, 400, 220])
    await open('grid=false&view=front')
    expect((await picture()).share(gold, [200, 140, 330, 220])).toBeGreaterThan(back + 0.01)
  })

  it('shows the exact colours of a texture where nothing is lit', async () => {
    await open('grid=false&lit=false&view=front')
    const p = await picture()
    // the checker's own two colours
    const exact = (c: number[]) => p.share((r, g, b) => r === c[0] && g === c[1] && b === c[2], [320, 0, 640, 480])
    expect(exact([196, 64, 168])).toBeGreaterThan(0.004)
    expect(exact([92, 92, 98])).toBeGreaterThan(0.004)
  })

  it('shows clay in place of a missing picture, unless the checker is asked for', async () => {
    await open('grid=false&view=front&checker=false')
    const p = await picture()
    expect(p.share(magenta)).toBe(0)
    const clay = (r: number, g: number, b: number): boolean => r > 90 && Math.abs(r - g) < 16 && Math.abs(g - b) < 16
    expect(p.share(clay, [320, 0, 640, 480])).toBeGreaterThan(0.005)
    // other pictures stay
    expect(p.share(tunic)).toBeGreaterThan(0.01)
  })

  it('blends as the mode says, to the exact value', async () => {
    await open('grid=false&view=front')
    const wall = [0.4, 0.6, 0.8],
      pane = [0.8, 0.4, 0.2],
      a = 0.5
    const layer = [1, 128 / 255, 0],
      la = 128 / 255
    const each = (f: (d: number, s: number, l: number) => number): number[] =>
      wall.map((d, c) => Math.round(Math.max(0, Math.min(1, f(d, pane[c], layer[c]))) * 255))
    const cases: [what: unknown[], expected: number[]][] = [
      [['opaque'], each((_, s) => s)],
      [['alpha'], each((d, s) => s * a + d * (1 - a))],
      [['additive'], each((d, s) => d + s * a)],
      [['subtractive'], each((d, s) => d - s * a)],
      [['multiply'], each((d, s) => d * (1 - a + s * a))],
      [['screen'], each((d, s) => s * a + d * (1 - s * a))],
      [['opaque', { alphaTest: 0.6 }], each((d) => d)],
      [['opaque', { alphaTest: 0.4 }], each((_, s) => s)],
      [['opaque', {}, { texture: 0, uvSet: 0, blend: 'alpha' }], each((_, s, l) => s * (1 - la) + l * la)],
      [['opaque', {}, { texture: 0, uvSet: 0, blend: 'additive' }], each((_, s, l) => s + l * la)],
      [['opaque', {}, { texture: 0, uvSet: 0, blend: 'multiply' }], each((_, s, l) => s * (1 - la + l * la))],
      [['alpha', {}, { texture: 0, uvSet: 0, blend: 'subtractive' }], each((d, s, l) => Math.max(0, s - l * la) * a + d * (1 - a))],
    ]
    for (const [what, expected] of cases) {
      await drawnAnew(() =>
        page.evaluate((args) => {
          window.page.scene.value = window.page.markRaw(window.page.blendScene(...args))
        }, what),
      )
      await page.evaluate(() => window.page.handle().setView('front'))
      const p = await picture()
      p.at(320, 240).forEach((x, c) =>
        expect(
          Math.abs(x - expected[c]),
          `${JSON.stringify(what)}: ${p.at(320, 240).join()} is not ${expected.join()}`,
        ).toBeLessThanOrEqual(1),
      )
      // and the wall beside it is as it was
      expect(p.at(320 + 150, 240)).toEqual([102, 153, 204])
    }
  })

  it('moves when time moves, and draws nothing while nothing changes', async () => {
    await open('grid=false&clip=0&view=right')
    const before = await picture()
    await page.evaluate(() => (window.page.time.value = 8))
    await atRest()
    const after = await picture()
    let different = 0
    for (let y = 0; y < 480; y += 2) for (let x = 0; x < 640; x += 2) if (Math.abs(before.at(x, y)[0] - after.at(x, y)[0]) > 20) different++
    expect(different).toBeGreaterThan(300)
    const calls = await page.evaluate(async () => {
      let n = 0
      const draw = WebGL2RenderingContext.prototype.drawElements
      WebGL2RenderingContext.prototype.drawElements = function (this: any, ...args: unknown[]) {
        n++
        return draw.apply(this, args)
      }
      for (let i = 0; i < 40; i++) await new Promise((done) => requestAnimationFrame(done))
      WebGL2RenderingContext.prototype.drawElements = draw
      return n
    })
    expect(calls).toBe(0)
  })

  it('draws another model once to show it, where its shaders are there', async () => {
    await open('grid=false&key=a')
    await drawnAnew(() =>
      page.evaluate(() => {
        const p = window.page
        p.pictures = 0
        const clear = WebGL2RenderingContext.prototype.clear
        WebGL2RenderingContext.prototype.clear = function (this: any, mask: number) {
          p.pictures++
          return clear.call(this, mask)
        }
        p.scene.value = p.markRaw(p.devScene(10))
      }),
    )
    await atRest()
    await expect.poll(() => page.evaluate(() => window.page.pictures)).toBe(1)
  })

  it('obeys every switch', async () => {
    await open('grid=false&view=front')
    const share = async (): Promise<number> =>
      (await picture()).share((r, g, b) => Math.abs(r - 0x22) + Math.abs(g - 0x26) + Math.abs(b - 0x2b) > 6)
    const bare = await share()
    await display({ grid: true })
    expect(await share()).toBeGreaterThan(bare + 0.005)
    await display({ grid: false, textures: false })
    expect((await picture()).share(magenta)).toBe(0)
    await display({ textures: true, teamColor: '#20c040' })
    const green = (r: number, g: number, b: number): boolean => g > 100 && g > r * 2 && g > b * 1.6
    expect((await picture()).share(green, [0, 0, 320, 480])).toBeGreaterThan(0.001)
    await display({ background: 'light' })
    expect((await picture()).at(5, 5)).toEqual([0xdf, 0xe3, 0xe6])
    const plain = (await picture()).share((r, g, b) => r + g + b < 120)
    await display({ wireframe: true })
    expect((await picture()).share((r, g, b) => r + g + b < 120)).toBeGreaterThan(plain + 0.005)
    await display({ wireframe: false, hiddenMeshes: [0, 1, 2, 3, 4, 6] })
    const p = await picture()
    expect(p.share(tunic)).toBe(0)
    expect(p.share(magenta)).toBeGreaterThan(0.005)
  })

  it('follows a walk, also one that has left the picture, and shows it in place', async () => {
    await open('grid=false&view=right')
    await drawnAnew(() =>
      page.evaluate(() => {
        const p = window.page
        const scene = p.devScene()
        const root = scene.skeleton.parents.findIndex((parent: number) => parent < 0)
        const of = scene.clips[0].tracks.find((t: any) => t.target.kind === 'joint')
        const walk = {
          ...of,
          target: { kind: 'joint', index: root },
          property: 'translation',
          interpolation: 'linear',
          mode: 'absolute',
          times: Float32Array.of(0, 10),
          values: Float32Array.of(0, 0, 0, 40, 0, 90),
        }
        // what faces the viewer is posed with every frame: without it moments alone are
        const meshes = scene.meshes.filter((mesh: any) => !mesh.billboard)
        p.scene.value = p.markRaw({ ...scene, meshes, clips: [{ ...scene.clips[0], start: 0, end: 10, tracks: [walk] }] })
        p.clip.value = 0
      }),
    )
    const figure = async (): Promise<number> => (await picture()).share(tunic)
    const at = async (time: number): Promise<number> => {
      await page.evaluate((t) => (window.page.time.value = t), time)
      await atRest()
      return figure()
    }
    const near = await at(0)
    expect(near).toBeGreaterThan(0.005)
    expect(await at(10)).toBe(0)
    await display({ inPlace: true })
    expect(await figure()).toBeCloseTo(near, 3)
    // with a tool in the hand it is where the file has it, and stays in the picture
    for (const kind of ['move', 'none']) {
      await page.evaluate((k) => (window.page.tool.value = { kind: k, space: 'local' }), kind)
      await atRest()
      expect(await figure()).toBeCloseTo(near, 3)
    }
    await display({ inPlace: false })
    expect(await figure()).toBe(0)
    await display({ follow: true })
    const found = await figure()
    expect(found).toBeGreaterThan(0.005)
    // from the first moment on that comes after it
    for (const time of [0, 5, 10]) expect(await at(time)).toBeCloseTo(found, 3)
  })

  it('shows bones on a dark mesh in the light theme', async () => {
    await open('grid=false&view=front&background=light')
    await drawnAnew(() =>
      page.evaluate(() => {
        const scene = window.page.devScene()
        for (const material of scene.materials)
          Object.assign(material, { texture: -1, diffuse: [0.02, 0.02, 0.02, 1], specular: [0, 0, 0] })
        window.page.scene.value = window.page.markRaw(scene)
      }),
    )
    await atRest()
    const bare = await picture()
    const dark = (r: number, g: number, b: number): boolean => r + g + b < 120
    const mesh = bare.share(dark)
    expect(mesh).toBeGreaterThan(0.03)
    await display({ skeleton: true })
    const bones = await picture()
    let stand = 0
    for (let y = 0; y < bare.height; y++)
      for (let x = 0; x < bare.width; x++) if (dark(...bare.at(x, y)) && bones.at(x, y).reduce((sum, c) => sum + c) > 330) stand++
    // lines on the mesh that are brighter than all of it
    expect(stand / (mesh * bare.width * bare.height)).toBeGreaterThan(0.02)
  })

  it('shows ghosts beside the pose, and nothing of them on it', async () => {
    for (const background of ['dark', 'light']) {
      await open(`grid=false&view=front&clip=0&time=9&background=${background}`)
      // nothing that is seen through
      await display({ hiddenMeshes: [1, 2, 3, 4, 5, 6] })
      const bare = await picture()
      const empty = bare.at(5, 5)
      await display({ onion: { before: 2, after: 2, step: 3 } })
      const ghosts = await picture()
      const same = (a: number[], b: number[]): boolean => a.every((c, i) => Math.abs(c - b[i]) <= 2)
      const drawn = (x: number, y: number): boolean => !same(bare.at(x, y), empty)
      let [beside, on, pose] = [0, 0, 0]
      for (let y = 2; y < bare.height - 2; y++)
        for (let x = 2; x < bare.width - 2; x++) {
          const changed = !same(bare.at(x, y), ghosts.at(x, y))
          if (!drawn(x, y)) beside += Number(changed)
          // edges are mixed with what is behind them
          else if ([-2, 2].every((d) => drawn(x + d, y) && drawn(x, y + d))) {
            pose++
            on += Number(changed)
          }
        }
      expect(beside, background).toBeGreaterThan(500)
      expect(on / pose, background).toBeLessThan(0.01)
    }
  })

  it('draws what leads from the root to the body as a line, on both grounds', async () => {
    for (const background of ['dark', 'light']) {
      await open(`grid=false&view=front&background=${background}&skeleton=true`)
      await display({ hiddenMeshes: Array.from({ length: 20 }, (_, i) => i) })
      const p = await picture()
      const empty = p.at(5, 5)
      const widest = (left: number, right: number): number => {
        let most = 0
        // between knees and hips: the root stands on the floor, in the middle
        for (let y = 270; y < 300; y++) {
          let wide = 0
          for (let x = left; x < right; x++) wide += Number(p.at(x, y).some((c, i) => Math.abs(c - empty[i]) > 6))
          most = Math.max(most, wide)
        }
        return most
      }
      // a thigh beside it is a shape
      expect(widest(255, 280), background).toBeGreaterThan(6)
      expect(widest(280, 294), background).toBeGreaterThan(0)
      expect(widest(280, 294), background).toBeLessThan(4)
    }
  })

  it('colours the weights of a bone and no other', async () => {
    await open('grid=false&view=front&heatJoint=11')
    const p = await picture()
    const full = (r: number, g: number, b: number): boolean => r > 150 && g > 140 && b < 110
    // the right arm is on the left
    expect(p.share(full, [0, 0, 320, 480])).toBeGreaterThan(0.001)
    expect(p.share(full, [320, 0, 640, 480])).toBeLessThan(0.0005)
    await expect.poll(() => page.getByRole('group', { name: 'Weights of arm.R' }).isVisible()).toBe(true)
  })

  it('picks bones and vertices, and clears on the background', async () => {
    await open('grid=false&view=front&skeleton=true')
    const canvas = page.locator('canvas.picture')
    const joints = await page.evaluate(() => window.page.scene.value.skeleton.names)
    const last = async (): Promise<any> => page.evaluate(() => window.page.picks.at(-1))
    await canvas.click({ position: { x: 4, y: 400 } })
    expect(await last()).toEqual({})
    // somewhere on the figure there are bones; their own places are known to the page's model only by hovering
    let hit: any = {}
    for (let y = 60; y < 440 && hit.joint === undefined; y += 6) {
      await canvas.click({ position: { x: 272, y } })
      hit = await last()
    }
    expect(joints[hit.joint]).toBeTypeOf('string')
    await page.keyboard.press('b')
    await page.waitForFunction(() => !window.page.display.value.skeleton)
    await atRest()
    await canvas.click({ position: { x: 440, y: 380 } })
    const crate = await last()
    await expect.poll(() => page.evaluate((m) => window.page.scene.value.meshes[m].name, crate.mesh)).toBe('crate')
    expect(crate.vertex).toBeTypeOf('number')
  })

  it('is driven by keys', async () => {
    await open('grid=false')
    await page.locator('canvas.picture').focus()
    const before = await picture()
    for (const key of ['1', 'ArrowLeft', 'ArrowUp', '+', 'Shift+ArrowRight', '-', '7', '3', 'f']) {
      await page.keyboard.press(key)
      await atRest()
    }
    const after = await picture()
    expect(after.share(magenta)).toBeGreaterThan(0.002)
    expect(after.share(magenta)).not.toBe(before.share(magenta))
    const names = await page
      .getByRole('toolbar', { name: '3D view' })
      .getByRole('button')
      .evaluateAll((list) => list.map((b) => b.getAttribute('aria-label')))
    expect(names).toContain('Wireframe')
    expect(names.every((name) => name)).toBe(true)
  })

  it('lets go of what it no longer shows', async () => {
    await open('skeleton=true&wireframe=true&heatJoint=3&clip=0&time=9&joint=12&onion=3&trail=1&tool=rotate')
    const counts = (): Promise<unknown> => page.evaluate(() => window.page.counts())
    const swap = (): Promise<void> =>
      drawnAnew(() =>
        page.evaluate(() => {
          window.page.scene.value = window.page.markRaw(window.page.devScene(6))
        }),
      )
    await swap()
    const first = await counts()
    // and what the graphics card was asked for
    await page.evaluate(() => {
      const made: Record<string, number> = (window.page.onCard = {})
      const { prototype } = WebGL2RenderingContext as any
      for (const kind of ['Texture', 'Buffer', 'VertexArray', 'Framebuffer', 'Renderbuffer', 'Program', 'Shader']) {
        made[kind] = 0
        const [create, remove] = [prototype[`create${kind}`], prototype[`delete${kind}`]]
        prototype[`create${kind}`] = function (...args: unknown[]) {
          made[kind]++
          return create.apply(this, args)
        }
        prototype[`delete${kind}`] = function (what: unknown) {
          if (what) made[kind]--
          return remove.call(this, what)
        }
      }
    })
    for (let i = 0; i < 20; i++) await swap()
    expect(await counts()).toEqual(first)
    const onCard: Record<string, number> = await page.evaluate(() => window.page.onCard)
    // programs are kept for the next model: a few, never one for each
    for (const [kind, more] of Object.entries(onCard)) expect(more, kind).toBeLessThan(['Program', 'Shader'].includes(kind) ? 20 : 1)
    await page.evaluate(() => (window.page.scene.value = null))
    await atRest()
    expect(await counts()).toMatchObject({ textures: 0 })
  })

  it('goes over to an edited model without building it anew, and keeps the camera', async () => {
    await open('grid=false&key=a')
    const shot = await picture()
    const counts = (): Promise<unknown> => page.evaluate(() => window.page.counts())
    const before = await counts()
    await drawnAnew(() =>
      page.evaluate(() => {
        const p = window.page
        p.made = 0
        const create = WebGL2RenderingContext.prototype.createTexture
        WebGL2RenderingContext.prototype.createTexture = function (this: any) {
          p.made++
          return create.apply(this)
        }
        const next = p.devScene()
        const crate = next.meshes.findIndex((m: any) => m.name === 'crate')
        next.meshes[crate].positions = next.meshes[crate].positions.map((x: number, i: number) => (i % 3 === 1 ? x + 0.5 : x))
        p.scene.value = p.markRaw(next)
      }),
    )
    expect(await counts()).toEqual(before)
    await expect.poll(() => page.evaluate(() => window.page.made)).toBe(0)
    const after = await picture()
    // the crate has risen, the figure is where it was
    const middleOf = (p: Picture): number => {
      let sum = 0,
        n = 0
      for (let y = 0; y < 480; y++)
        for (let x = 320; x < 640; x++) {
          const [r, g, b] = p.at(x, y)
          if (magenta(r, g, b)) {
            sum += y
            n++
          }
        }
      return sum / n
    }
    expect(middleOf(after)).toBeLessThan(middleOf(shot) - 40)
    expect(after.share(tunic)).toBeCloseTo(shot.share(tunic), 2)
  })

  it('poses the chosen joint with handles, and puts it back on Escape', async () => {
    await open('grid=false&view=front&joint=12&tool=move&space=world')
    const canvas = page.locator('canvas.picture')
    const box = (await canvas.boundingBox())!
    const poses = (): Promise<any[]> => page.evaluate(() => window.page.poses)
    // the red arrow of the forearm: look for the cursor that tells of a handle
    let from: [number, number] | null = null
    for (let y = 120; y < 330 && !from; y += 3) {
      for (let x = 150; x < 400 && !from; x += 12) {
        await page.mouse.move(box.x + x, box.y + y)
        await atRest()
        if ((await canvas.evaluate((c: any) => c.style.cursor)) === 'grab') from = [box.x + x, box.y + y]
      }
    }
    expect(from).not.toBeNull()
    const before = await picture()
    await page.mouse.move(...from!)
    await page.mouse.down()
    await page.mouse.move(from![0] - 30, from![1] - 40, { steps: 4 })
    await page.mouse.up()
    const list = await poses()
    expect(list[0]).toMatchObject({ phase: 'start', joint: 12, kind: 'move' })
    expect(list.at(-1).phase).toBe('end')
    expect(list.filter((d) => d.phase === 'drag').length).toBeGreaterThan(1)
    const moved = Math.hypot(...[0, 1, 2].map((c) => list.at(-1).translation[c] - list[0].translation[c]))
    expect(moved).toBeGreaterThan(0.01)
    const differs = (a: Picture, b: Picture): number => {
      let n = 0
      for (let y = 0; y < 480; y += 2) for (let x = 0; x < 640; x += 2) if (Math.abs(a.at(x, y)[0] - b.at(x, y)[0]) > 20) n++
      return n
    }
    await atRest()
    expect(differs(before, await picture())).toBeGreaterThan(50)
    // another moment lets go of it
    await page.evaluate(() => (window.page.time.value = 1))
    await page.mouse.move(box.x + 2, box.y + 470)
    await atRest()
    const still = await picture()
    await page.mouse.move(...from!)
    await page.mouse.down()
    await page.mouse.move(from![0] + 40, from![1] + 30, { steps: 3 })
    await page.keyboard.press('Escape')
    await page.mouse.up()
    await page.mouse.move(box.x + 2, box.y + 470)
    expect((await poses()).at(-1).phase).toBe('cancel')
    await atRest()
    expect(differs(still, await picture())).toBeLessThan(10)
  })

  it('comes back after the driver lost the picture', async () => {
    await open('grid=false&view=front')
    await page.evaluate(() => {
      const canvas = document.querySelector('canvas.picture')
      window.lose = canvas.getContext('webgl2').getExtension('WEBGL_lose_context')
      window.lose.loseContext()
    })
    await page.getByRole('alert').waitFor()
    await page.evaluate(() => window.lose.restoreContext())
    await page.waitForFunction(() => window.page.ready > 1)
    await expect.poll(() => page.getByRole('alert').count()).toBe(0)
    expect((await picture()).share(tunic)).toBeGreaterThan(0.01)
  })
})
