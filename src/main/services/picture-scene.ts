/** What a small picture of a model needs of its scene: one pose, the highest detail, textures no larger than they can be seen. */
import { PICTURE_SIZE } from '../../shared/api/types/library.ts'
import { standingFirst } from '../../shared/scene/standing.ts'
import type { Mesh, Scene, Texture } from '../../shared/scene/types.ts'
import { say } from '../../shared/texts/say.ts'

/** Larger than the picture: a face takes a part of its texture only. */
const TEXTURE_SIDE = 256
/** Vertices of a scene that is drawn for a list. */
const MOST_VERTICES = 2_000_000

/** Why a scene has no picture, '' where it has one. */
export function notDrawable(scene: Scene): string {
  const shown = scene.meshes.filter((mesh) => isDrawn(scene, mesh))
  if (shown.length === 0)
    return scene.meshes.length > 0
      ? say('pictures.hiddenMeshes')
      : scene.skeleton.count > 0
        ? say('pictures.skeletonOnly')
        : say('pictures.noMesh')
  const vertices = shown.reduce((sum, mesh) => sum + mesh.positions.length / 3, 0)
  return vertices > MOST_VERTICES ? say('pictures.tooManyVertices', { n: vertices }) : ''
}

function isDrawn(scene: Scene, mesh: Mesh): boolean {
  return (
    mesh.visible &&
    mesh.indices.length >= 3 &&
    mesh.positions.length >= 3 &&
    (mesh.lod < 0 || scene.lods.length === 0 || mesh.lod === scene.lods.length - 1)
  )
}

/** The scene with all its indices, but without the bulk that is not seen. Textures stay where they are in the list. */
export function pictureScene(scene: Scene): Scene {
  const first = scene.slices[0]
  const clip = first ? scene.clips[first.clip] : standingFirst(scene.clips, (c) => c.name)[0]
  const used = new Set<number>()
  const meshes = scene.meshes.map((mesh) => {
    if (!isDrawn(scene, mesh))
      return {
        ...mesh,
        positions: new Float32Array(0),
        normals: new Float32Array(0),
        uvs: [],
        colors: new Float32Array(0),
        indices: new Uint32Array(0),
        groups: [],
        nativeVertex: new Uint32Array(0),
        nativeVertexCount: 0,
        skin: -1,
      }
    for (const { material } of mesh.groups) {
      const { texture = -1, layers = [] } = scene.materials[material] ?? {}
      for (const index of [texture, ...layers.map((layer) => layer.texture)]) used.add(index)
    }
    return mesh
  })
  const kept = new Set(meshes.map((mesh) => mesh.skin))
  return {
    ...scene,
    meshes,
    skins: scene.skins.map((skin, i) =>
      kept.has(i)
        ? skin
        : {
            ...skin,
            joints: new Uint32Array(0),
            inverseBind: new Float32Array(0),
            offsets: new Uint32Array(1),
            slots: new Uint16Array(0),
            weights: new Float32Array(0),
          },
    ),
    textures: scene.textures.map((texture, i) =>
      used.has(i) ? smaller(texture, TEXTURE_SIDE) : { ...texture, width: 0, height: 0, rgba: new Uint8Array(0) },
    ),
    clips: clip ? [{ ...clip, events: [] }] : [],
    slices: first ? [{ ...first, clip: 0 }] : [],
    helpers: [],
  }
}

/** RGBA, rows from the top. */
type Pixels = Pick<Texture, 'width' | 'height' | 'rgba'>

/** A texture by itself, in the middle of the square; undefined where there are no pixels. Straight RGBA. */
export function texturePicture(texture: Pixels): Uint8Array | undefined {
  const { width, height, rgba } = texture
  if (width < 1 || height < 1 || rgba.length < 4 * width * height) return undefined
  const small = smaller(texture, PICTURE_SIZE)
  // small pictures are enlarged by whole steps, so that their pixels stay square
  const zoom = Math.max(1, Math.floor(PICTURE_SIZE / Math.max(small.width, small.height)))
  const out = new Uint8Array(4 * PICTURE_SIZE * PICTURE_SIZE)
  const left = (PICTURE_SIZE - small.width * zoom) >> 1,
    top = (PICTURE_SIZE - small.height * zoom) >> 1
  for (let y = 0; y < small.height * zoom; y++) {
    for (let x = 0; x < small.width * zoom; x++) {
      const from = 4 * (small.width * Math.floor(y / zoom) + Math.floor(x / zoom))
      out.set(small.rgba.subarray(from, from + 4), 4 * (PICTURE_SIZE * (top + y) + left + x))
    }
  }
  return out
}

/** No side longer than `side`: the mean of what falls together, colours by their alpha. */
export function smaller<T extends Pixels>(texture: T, side: number): T {
  const { width, height, rgba } = texture
  const step = Math.ceil(Math.max(width, height) / side)
  if (step <= 1 || rgba.length < 4 * width * height) return texture
  const w = Math.max(1, Math.floor(width / step)),
    h = Math.max(1, Math.floor(height / step))
  const out = new Uint8Array(4 * w * h)
  for (let y = 0; y < h; y++) {
    for (let x = 0; x < w; x++) {
      let r = 0,
        g = 0,
        b = 0,
        a = 0,
        n = 0
      for (let v = y * step; v < Math.min(height, (y + 1) * step); v++) {
        for (let u = x * step; u < Math.min(width, (x + 1) * step); u++) {
          const at = 4 * (width * v + u)
          // pixels that nothing shows keep a little say, so that cut-outs keep a colour
          const weight = rgba[at + 3] + 1 / 256
          r += rgba[at] * weight
          g += rgba[at + 1] * weight
          b += rgba[at + 2] * weight
          a += weight
          n++
        }
      }
      const at = 4 * (w * y + x)
      out[at] = r / a
      out[at + 1] = g / a
      out[at + 2] = b / a
      out[at + 3] = a / n
    }
  }
  return { ...texture, width: w, height: h, rgba: out }
}
