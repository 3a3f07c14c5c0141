/** What the texture viewer shows: channels, edges of meshes on the picture, and where a pixel is however the picture is zoomed. */
import { describe, expect, it } from 'vitest'
import { channelOf, meshesWith, uvLines } from '../../../src/renderer/features/textures/texture-view.ts'
import { fitView, inSight, PICTURE_ZOOM, pixelAt, zoomAbout } from '../../../src/renderer/ui/picture-view.ts'
import { changedTextures, samePicture } from '../../../src/renderer/features/changes/changed-textures.ts'
import type { ChangeRow } from '../../../src/renderer/features/changes/change-rows.ts'
import { emptyScene } from '../../../src/shared/scene/types.ts'
import type { Material, Mesh, Scene, Texture } from '../../../src/shared/scene/types.ts'

const size = { width: 64, height: 32 }
const box = { width: 400, height: 300 }

describe('the view of a picture', () => {
  it('fits in the middle, larger or smaller', () => {
    for (const room of [box, { width: 40, height: 600 }, { width: 3000, height: 90 }]) {
      const { zoom, x, y } = fitView(size, room)
      expect(x + (zoom * size.width) / 2).toBeCloseTo(room.width / 2)
      expect(y + (zoom * size.height) / 2).toBeCloseTo(room.height / 2)
      expect(Math.max((zoom * size.width) / (room.width - 24), (zoom * size.height) / (room.height - 24))).toBeCloseTo(1)
    }
    // a panel without room has a picture all the same
    expect(fitView(size, { width: 0, height: 0 }).zoom).toBe(1 / 64)
    expect(fitView({ width: 1, height: 1 }, box).zoom).toBe(PICTURE_ZOOM.most)
  })

  it('keeps what is under the pointer there, up to its limits', () => {
    let view = fitView(size, box)
    const at = { x: 133.5, y: 171.25 }
    const under = pixelAt(view, size, size, at)
    expect(under).not.toBeNull()
    for (const factor of [1.3, 1.3, 0.5, 7, 1000, 0.02]) {
      view = zoomAbout(view, factor, at, size)
      expect(pixelAt(view, size, size, at)).toEqual(under)
    }
    expect(zoomAbout(view, 1e9, at, size).zoom).toBe(PICTURE_ZOOM.most)
    // a picture that is small is not made a speck
    expect(zoomAbout(view, 1e-9, at, size).zoom).toBe(32 / 64)
    expect(zoomAbout(view, 1e-9, at, { width: 8, height: 4 }).zoom).toBe(1)
    expect(zoomAbout(view, 1e-9, at, { width: 8192, height: 64 }).zoom).toBe(PICTURE_ZOOM.least)
    // one that a small panel made smaller stays so
    expect(zoomAbout({ zoom: 0.25, x: 0, y: 0 }, 0.5, at, size).zoom).toBe(0.25)
  })

  it('never leaves the picture behind', () => {
    for (const x of [-1e5, -200, 0, 1e5]) {
      const view = inSight({ zoom: 2, x, y: -x }, size, box)
      expect(view.x + 128).toBeGreaterThanOrEqual(24)
      expect(view.x).toBeLessThanOrEqual(box.width - 24)
      expect(view.y + 64).toBeGreaterThanOrEqual(24)
      expect(view.y).toBeLessThanOrEqual(box.height - 24)
    }
    const inside = { zoom: 2, x: 10, y: 20 }
    expect(inSight(inside, size, box)).toEqual(inside)
  })

  it('tells the pixel, of a smaller level too, and none beside the picture', () => {
    const view = { zoom: 4, x: 10, y: 20 }
    expect(pixelAt(view, size, size, { x: 10, y: 20 })).toEqual({ x: 0, y: 0 })
    expect(pixelAt(view, size, size, { x: 13.9, y: 24 })).toEqual({ x: 0, y: 1 })
    expect(pixelAt(view, size, size, { x: 265.9, y: 147.9 })).toEqual({ x: 63, y: 31 })
    expect(pixelAt(view, size, { width: 16, height: 8 }, { x: 265.9, y: 147.9 })).toEqual({ x: 15, y: 7 })
    for (const [x, y] of [
      [9.9, 30],
      [266, 30],
      [30, 19.9],
      [30, 148],
    ])
      expect(pixelAt(view, size, size, { x, y })).toBeNull()
  })
})

describe('channels', () => {
  const rgba = Uint8Array.of(1, 2, 3, 4, 250, 240, 230, 0)
  it.each([
    ['rgb', [1, 2, 3, 255, 250, 240, 230, 255]],
    ['r', [1, 1, 1, 255, 250, 250, 250, 255]],
    ['g', [2, 2, 2, 255, 240, 240, 240, 255]],
    ['b', [3, 3, 3, 255, 230, 230, 230, 255]],
    ['a', [4, 4, 4, 255, 0, 0, 0, 255]],
  ] as const)('%s', (channel, expected) => {
    expect([...channelOf(rgba, channel)]).toEqual(expected)
    expect([...rgba]).toEqual([1, 2, 3, 4, 250, 240, 230, 0])
  })
  it('all are the picture itself', () => expect(channelOf(rgba, 'rgba')).toBe(rgba))
})

function material(texture: number, more: Partial<Material> = {}): Material {
  return { name: '', texture, uvSet: 0, layers: [], ...more } as Material
}

/** A square of two triangles, a second set of coordinates, and a triangle of another material. */
function scene(): Scene {
  const mesh = {
    name: 'square',
    indices: Uint32Array.of(0, 1, 2, 2, 1, 3, 0, 2, 3),
    uvs: [Float32Array.of(0, 0, 1, 0, 0, 1, 1, 1), Float32Array.of(0, 0, 0.5, 0, 0, 0.5, 0.5, 0.5)],
    groups: [
      { start: 0, count: 6, material: 0 },
      { start: 6, count: 3, material: 1 },
    ],
  } as unknown as Mesh
  return {
    ...emptyScene('x'),
    meshes: [mesh],
    materials: [material(0), material(1, { layers: [{ texture: 2, uvSet: 1, blend: 'opaque' }] })],
  }
}

describe('edges on a texture', () => {
  it('are those of the submeshes that show it, each once', () => {
    const { lines, triangles } = uvLines(scene(), [0], 0)
    expect(triangles).toBe(2)
    // 0-1 0-2 1-2 1-3 2-3: the diagonal is one edge
    expect([...lines]).toEqual([0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 1, 1, 0, 1, 1, 0, 1, 1, 1])
  })

  it('lie where the layer that shows it has its coordinates', () => {
    const { lines, triangles } = uvLines(scene(), [0], 2)
    expect(triangles).toBe(1)
    expect([...lines]).toEqual([0, 0, 0, 0.5, 0, 0, 0.5, 0.5, 0, 0.5, 0.5, 0.5])
  })

  it('lie on the picture where their coordinates are on a repeat of it', () => {
    const own = [...uvLines(scene(), [0], 0).lines]
    const moved = (u: number, v: number, wrap: Partial<Material> = {}): number[] => {
      const { meshes, materials, ...rest } = scene()
      meshes[0].uvs[0] = meshes[0].uvs[0].map((at, i) => at + (i % 2 ? v : u))
      return [...uvLines({ ...rest, meshes, materials: [{ ...materials[0], ...wrap }, materials[1]] }, [0], 0).lines]
    }
    expect(moved(0, 1)).toEqual(own)
    expect(moved(-3, 7)).toEqual(own)
    // a picture that does not repeat is not there
    expect(moved(0, 1, { wrapV: 'clamp' })).toEqual(own.map((at, i) => at + (i % 2)))
    // and every other one of these stands on its head
    expect(moved(2, 1, { wrapU: 'mirror', wrapV: 'mirror' })).toEqual(own.map((at, i) => (i % 2 ? 1 - at : at)))
    // over an edge each triangle is where most of it is
    expect(moved(0.25, 0)).toEqual(own.map((at, i) => (i % 2 ? at : at + 0.25)))
    expect(moved(0.75, 0)).toEqual(own.map((at, i) => (i % 2 ? at : at - 0.25)))
  })

  it('are none of meshes that do not show it, of environment maps, of numbers that lead nowhere', () => {
    expect(meshesWith(scene(), 0)).toEqual([0])
    expect(meshesWith(scene(), 3)).toEqual([])
    expect(uvLines(scene(), [0, 7], 3)).toEqual({ lines: new Float32Array(0), triangles: 0 })
    const shiny = scene()
    shiny.materials[0].environment = true
    expect(meshesWith(shiny, 0)).toEqual([])
    const odd = scene()
    odd.meshes[0].indices[1] = 4_000_000_000
    odd.meshes[0].groups[0].count = 7
    expect(uvLines(odd, [0], 0).lines.every(Number.isFinite)).toBe(true)
    odd.meshes[0].uvs = []
    expect(uvLines(odd, [0], 0)).toEqual({ lines: new Float32Array(0), triangles: 0 })
  })
})

describe('textures of a change', () => {
  const texture = (ref: string, path: string, missing = false): Texture => ({ missing, source: { ref, path } }) as Texture
  const textures = [texture('a', 't[1]'), texture('a', 't[10]'), texture('b', ''), texture('a', 't[2]', true)]
  const row = (kind: string, ref: string, paths: string[]): ChangeRow =>
    ({
      kind,
      file: { ref, nodes: [{ path: '' }, ...paths.map((path) => ({ path }))], changes: [] },
      changes: paths.map((path) => ({ path })),
    }) as unknown as ChangeRow

  it('are those whose place in the file has changes', () => {
    expect(changedTextures(row('file', 'a', ['t[1].levels[0]', 't[2]']), textures)).toEqual([0])
    expect(changedTextures(row('file', 'a', ['t[10]']), textures)).toEqual([1])
    expect(changedTextures(row('field', 'a', ['t[10].name']), textures)).toEqual([1])
    expect(changedTextures(row('field', 'a', ['version']), textures)).toEqual([])
    expect(changedTextures(row('file', 'b', ['header']), textures)).toEqual([2])
    expect(changedTextures(row('file', 'c', ['header']), textures)).toEqual([])
  })

  it('look the same where size and pixels are', () => {
    const picture = { width: 2, height: 1, rgba: Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8) }
    expect(samePicture(picture, { ...picture, rgba: picture.rgba.slice() })).toBe(true)
    expect(samePicture(picture, { ...picture, width: 1, height: 2 })).toBe(false)
    expect(samePicture(picture, { ...picture, rgba: Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 9) })).toBe(false)
  })
})
