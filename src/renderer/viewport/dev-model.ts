/** A figure made by code, for developing and testing the viewport: skinned, textured, with one of each thing that a scene can have. Not in the product. */
import { compose, invertAffine } from '../../shared/scene/matrix.ts'
import { buildSkeleton, updateWorld } from '../../shared/scene/pose.ts'
import { packInfluences } from '../../shared/scene/skinning.ts'
import { emptyScene, plainMaterial } from '../../shared/scene/types.ts'
import type { Material, Mesh, Scene, Skin, Texture, Track } from '../../shared/scene/types.ts'

const source = { ref: 'made by code', path: '' }

const JOINTS: [name: string, parent: string, x: number, y: number, z: number][] = [
  ['root', '', 0, 0, 0],
  ['pelvis', 'root', 0, 0.98, 0],
  ['spine', 'pelvis', 0, 0.14, 0.005],
  ['chest', 'spine', 0, 0.18, -0.01],
  ['neck', 'chest', 0, 0.2, -0.005],
  ['head', 'neck', 0, 0.09, 0.02],
  ['shoulder.L', 'chest', 0.07, 0.14, 0],
  ['arm.L', 'shoulder.L', 0.13, 0, 0],
  ['forearm.L', 'arm.L', 0.1, -0.26, 0],
  ['hand.L', 'forearm.L', 0.06, -0.24, 0.04],
  ['shoulder.R', 'chest', -0.07, 0.14, 0],
  ['arm.R', 'shoulder.R', -0.13, 0, 0],
  ['forearm.R', 'arm.R', -0.1, -0.26, 0],
  ['hand.R', 'forearm.R', -0.06, -0.24, 0.04],
  ['thigh.L', 'pelvis', 0.1, -0.04, 0],
  ['shin.L', 'thigh.L', 0.015, -0.43, 0.015],
  ['foot.L', 'shin.L', 0, -0.42, -0.03],
  ['thigh.R', 'pelvis', -0.1, -0.04, 0],
  ['shin.R', 'thigh.R', -0.015, -0.43, 0.015],
  ['foot.R', 'shin.R', 0, -0.42, -0.03],
  ['武器', 'hand.R', -0.02, -0.06, 0.03],
  ['glow', '武器', 0, 0, 0.75],
]

/** Rings along a limb: place, half width, half depth, and the joints that move it. */
type Ring = [x: number, y: number, z: number, rx: number, rz: number, weights: [string, number][]]
/** Where a limb stands in the picture: left, top, right, bottom. */
type Patch = [number, number, number, number]

class Builder {
  positions: number[] = []
  normals: number[] = []
  uvs: number[] = []
  indices: number[] = []
  weights: [string, number][][] = []

  tube(rings: Ring[], patch: Patch, sides = 14): void {
    const first = this.positions.length / 3
    rings.forEach(([x, y, z, rx, rz, weights], r) => {
      const [px, py, pz] = rings[Math.max(0, r - 1)],
        [nx, ny, nz] = rings[Math.min(rings.length - 1, r + 1)]
      const along = [nx - px, ny - py, nz - pz]
      const far = Math.hypot(...along) || 1
      // the ring lies across the limb: its x axis stays near the scene's
      const d = along.map((v) => v / far)
      const bx = [1 - d[0] * d[0], -d[0] * d[1], -d[0] * d[2]]
      const bl = Math.hypot(...bx) || 1
      const u = bx.map((v) => v / bl)
      const w = [u[1] * d[2] - u[2] * d[1], u[2] * d[0] - u[0] * d[2], u[0] * d[1] - u[1] * d[0]]
      for (let s = 0; s <= sides; s++) {
        const a = (s / sides) * Math.PI * 2
        const ca = Math.sin(a),
          sa = Math.cos(a)
        for (let c = 0; c < 3; c++) this.positions.push([x, y, z][c] + u[c] * rx * ca - w[c] * rz * sa * Math.sign(w[2] || 1) * -1)
        const n = [0, 1, 2].map((c) => (u[c] * ca) / Math.max(rx, 1e-4) + (w[c] * sa * Math.sign(w[2] || 1)) / Math.max(rz, 1e-4))
        const nl = Math.hypot(...n) || 1
        this.normals.push(n[0] / nl, n[1] / nl, n[2] / nl)
        const v = r / (rings.length - 1)
        this.uvs.push(patch[0] + (patch[2] - patch[0]) * (s / sides), patch[1] + (patch[3] - patch[1]) * v)
        this.weights.push(weights)
      }
    })
    const row = sides + 1
    const down = rings[0][1] > rings[rings.length - 1][1]
    for (let r = 0; r + 1 < rings.length; r++) {
      for (let s = 0; s < sides; s++) {
        const a = first + r * row + s,
          b = a + 1,
          c = a + row,
          e = c + 1
        if (down) this.indices.push(a, c, b, b, c, e)
        else this.indices.push(a, b, c, b, e, c)
      }
    }
  }
}

/** Front of a tube is the middle of its patch turned by half: u = 0 and 1 meet at the front, so patches are painted with the seam at +Z. */
function paint(): Texture {
  const size = 256
  const rgba = new Uint8Array(size * size * 4)
  const noise = (x: number, y: number): number => {
    const n = Math.sin(x * 12.9898 + y * 78.233) * 43758.5453
    return n - Math.floor(n)
  }
  const put = (x: number, y: number, c: number[], shade = 1): void => {
    const k = shade * (0.97 + 0.06 * noise(x, y))
    rgba.set([Math.min(255, c[0] * k), Math.min(255, c[1] * k), Math.min(255, c[2] * k), 255], 4 * (y * size + x))
  }
  const skin = [226, 176, 138],
    hair = [92, 56, 34],
    tunic = [52, 106, 92],
    trim = [214, 176, 84],
    trousers = [98, 84, 72],
    boot = [70, 46, 34]
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const u = x / size,
        v = y / size
      if (v < 0.5 && u < 0.5) {
        // head: u is around it from the front, v from the crown down
        const around = Math.min(u * 2, 1 - u * 2)
        const down = v * 2
        const isHair = down < 0.3 + 0.05 * Math.sin(u * 90) || (around > 0.2 && down < 0.78)
        put(x, y, isHair ? hair : skin, isHair ? 0.85 + 0.3 * noise(x, 3) : 1)
        const side = Math.abs(around - 0.07)
        if (!isHair && side < 0.028 && Math.abs(down - 0.52) < 0.05) put(x, y, side < 0.012 ? [40, 60, 90] : [245, 245, 245])
        if (!isHair && side < 0.035 && Math.abs(down - 0.435) < 0.012) put(x, y, hair)
        if (!isHair && around < 0.045 && Math.abs(down - 0.76) < 0.012) put(x, y, [170, 92, 84])
      } else if (v < 0.5) {
        // tunic
        const down = v * 2
        const around = Math.min(u * 2 - 1, 2 - u * 2)
        const belt = Math.abs(down - 0.72) < 0.045
        const seam = around < 0.02 || Math.abs(down - 0.97) < 0.02 || (down < 0.12 && around < 0.09)
        put(x, y, belt ? boot : seam ? trim : tunic, 0.92 + 0.12 * Math.cos(around * 40))
        if (belt && around < 0.03) put(x, y, trim)
      } else if (u < 0.5) {
        // arm: sleeve, then skin
        const down = v * 2 - 1
        put(x, y, down < 0.5 ? tunic : down < 0.55 ? trim : skin, 1)
      } else {
        const down = v * 2 - 1
        put(x, y, down < 0.55 ? trousers : down < 0.6 ? trim : boot, 1)
      }
    }
  }
  return { name: 'figure', width: size, height: size, rgba, missing: false, hasAlpha: false, source }
}

function leaf(): Texture {
  const size = 64
  const rgba = new Uint8Array(size * size * 4)
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const u = (x + 0.5) / size - 0.5,
        v = (y + 0.5) / size - 0.5
      const inside = Math.abs(u) < 0.32 * Math.cos(v * Math.PI) * (0.85 + 0.15 * Math.cos(v * 60))
      rgba.set([70 + 60 * Math.abs(u), 130 + 50 * v, 40, inside ? 255 : 0], 4 * (y * size + x))
    }
  }
  return { name: 'leaf', width: size, height: size, rgba, missing: false, hasAlpha: true, source }
}

function glow(): Texture {
  const size = 64
  const rgba = new Uint8Array(size * size * 4)
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const d = Math.hypot((x + 0.5) / 32 - 1, (y + 0.5) / 32 - 1)
      const k = Math.max(0, 1 - d) ** 2
      rgba.set([255 * k, 190 * k, 90 * k, 255], 4 * (y * size + x))
    }
  }
  return { name: 'glow', width: size, height: size, rgba, missing: false, hasAlpha: false, source }
}

/** @param detail sides of a limb: 14 for a figure of the time, more for load tests */
export function devScene(detail = 14): Scene {
  const scene = emptyScene('figure')
  const index = new Map(JOINTS.map(([name], i) => [name, i]))
  const local = new Float32Array(16 * JOINTS.length)
  JOINTS.forEach(([, , x, y, z], i) => compose(local, 16 * i, [x, y, z], 0, [0, 0, 0, 1], 0, [1, 1, 1], 0))
  const { skeleton, jointOf } = buildSkeleton(
    JOINTS.map((j) => j[0]),
    JOINTS.map((j) => index.get(j[1]) ?? -1),
    local,
    (i) => ({ ref: 'figure', path: `joints[${i}]` }),
  )
  skeleton.roles = JOINTS.map(([name]) => (name === '武器' || name === 'glow' ? 'attach' : 'joint'))
  scene.skeleton = skeleton
  const world = new Float32Array(16 * skeleton.count)
  updateWorld(skeleton, skeleton.restLocal, world)
  const at = (name: string): [number, number, number] => {
    const j = jointOf[index.get(name)!]
    return [world[16 * j + 12], world[16 * j + 13], world[16 * j + 14]]
  }
  const joint = (name: string): number => jointOf[index.get(name)!]

  const b = new Builder()
  const [, py] = at('pelvis'),
    [, cy] = at('chest'),
    [, ny] = at('neck'),
    [, hy, hz] = at('head')
  b.tube(
    [
      [0, ny + 0.03, 0.005, 0.05, 0.05, [['neck', 1]]],
      [
        0,
        ny - 0.02,
        0,
        0.09,
        0.075,
        [
          ['neck', 0.4],
          ['chest', 0.6],
        ],
      ],
      [
        0,
        cy + 0.15,
        -0.005,
        0.19,
        0.105,
        [
          ['chest', 0.9],
          ['neck', 0.1],
        ],
      ],
      [0, cy + 0.06, -0.005, 0.195, 0.125, [['chest', 1]]],
      [
        0,
        cy - 0.06,
        0,
        0.17,
        0.115,
        [
          ['chest', 0.55],
          ['spine', 0.45],
        ],
      ],
      [
        0,
        py + 0.12,
        0,
        0.15,
        0.105,
        [
          ['spine', 0.8],
          ['pelvis', 0.2],
        ],
      ],
      [
        0,
        py + 0.02,
        0,
        0.165,
        0.115,
        [
          ['pelvis', 0.75],
          ['spine', 0.25],
        ],
      ],
      [0, py - 0.06, 0, 0.185, 0.13, [['pelvis', 1]]],
      [
        0,
        py - 0.17,
        0,
        0.215,
        0.155,
        [
          ['pelvis', 0.7],
          ['thigh.L', 0.15],
          ['thigh.R', 0.15],
        ],
      ],
      [
        0,
        py - 0.24,
        0,
        0.22,
        0.16,
        [
          ['pelvis', 0.6],
          ['thigh.L', 0.2],
          ['thigh.R', 0.2],
        ],
      ],
    ],
    [0.5, 0, 1, 0.5],
    detail + 4,
  )
  const head: Ring[] = []
  for (let i = 0; i <= 12; i++) {
    const t = i / 12
    const angle = t * Math.PI
    const jaw = t > 0.6 ? 1 - 0.35 * (t - 0.6) : 1
    head.push([
      0,
      hy + 0.09 + 0.135 * Math.cos(angle),
      hz - 0.01 + (t > 0.6 ? 0.02 * (t - 0.6) : 0),
      Math.max(0.002, 0.105 * Math.sin(angle) ** 0.8 * jaw),
      Math.max(0.002, 0.118 * Math.sin(angle) ** 0.8 * jaw),
      [['head', 1]],
    ])
  }
  b.tube(head, [0, 0, 0.5, 0.5], detail + 6)
  for (const side of ['L', 'R']) {
    const s = side === 'L' ? 1 : -1
    const [ax, ay, az] = at(`arm.${side}`),
      [fx, fy, fz] = at(`forearm.${side}`),
      [wx, wy, wz] = at(`hand.${side}`)
    const mix = (a: number, c: number, t: number): number => a + (c - a) * t
    b.tube(
      [
        [
          ax - 0.09 * s,
          ay + 0.03,
          az,
          0.05,
          0.05,
          [
            [`shoulder.${side}`, 0.7],
            ['chest', 0.3],
          ],
        ],
        [
          ax - 0.02 * s,
          ay + 0.015,
          az,
          0.072,
          0.07,
          [
            [`shoulder.${side}`, 0.5],
            [`arm.${side}`, 0.5],
          ],
        ],
        [mix(ax, fx, 0.25), mix(ay, fy, 0.25), mix(az, fz, 0.25), 0.064, 0.062, [[`arm.${side}`, 1]]],
        [
          mix(ax, fx, 0.75),
          mix(ay, fy, 0.75),
          mix(az, fz, 0.75),
          0.055,
          0.052,
          [
            [`arm.${side}`, 0.9],
            [`forearm.${side}`, 0.1],
          ],
        ],
        [
          fx,
          fy,
          fz,
          0.052,
          0.05,
          [
            [`arm.${side}`, 0.5],
            [`forearm.${side}`, 0.5],
          ],
        ],
        [
          mix(fx, wx, 0.3),
          mix(fy, wy, 0.3),
          mix(fz, wz, 0.3),
          0.05,
          0.048,
          [
            [`forearm.${side}`, 0.95],
            [`arm.${side}`, 0.05],
          ],
        ],
        [
          mix(fx, wx, 0.9),
          mix(fy, wy, 0.9),
          mix(fz, wz, 0.9),
          0.034,
          0.032,
          [
            [`forearm.${side}`, 0.7],
            [`hand.${side}`, 0.3],
          ],
        ],
        [wx + 0.012 * s, wy - 0.045, wz + 0.01, 0.03, 0.046, [[`hand.${side}`, 1]]],
        [wx + 0.016 * s, wy - 0.1, wz + 0.015, 0.024, 0.042, [[`hand.${side}`, 1]]],
        [wx + 0.018 * s, wy - 0.13, wz + 0.015, 0.004, 0.01, [[`hand.${side}`, 1]]],
      ],
      [0, 0.5, 0.5, 1],
      detail,
    )
    const [tx, ty, tz] = at(`thigh.${side}`),
      [kx, ky, kz] = at(`shin.${side}`),
      [ox, oy, oz] = at(`foot.${side}`)
    b.tube(
      [
        [
          tx,
          ty + 0.02,
          tz,
          0.09,
          0.1,
          [
            ['pelvis', 0.6],
            [`thigh.${side}`, 0.4],
          ],
        ],
        [
          mix(tx, kx, 0.2),
          mix(ty, ky, 0.2),
          tz,
          0.092,
          0.1,
          [
            [`thigh.${side}`, 0.9],
            ['pelvis', 0.1],
          ],
        ],
        [
          mix(tx, kx, 0.8),
          mix(ty, ky, 0.8),
          mix(tz, kz, 0.8),
          0.068,
          0.072,
          [
            [`thigh.${side}`, 0.9],
            [`shin.${side}`, 0.1],
          ],
        ],
        [
          kx,
          ky,
          kz,
          0.06,
          0.065,
          [
            [`thigh.${side}`, 0.5],
            [`shin.${side}`, 0.5],
          ],
        ],
        [mix(kx, ox, 0.3), mix(ky, oy, 0.3), mix(kz, oz, 0.3) - 0.01, 0.062, 0.068, [[`shin.${side}`, 1]]],
        [
          mix(kx, ox, 0.85),
          mix(ky, oy, 0.85),
          mix(kz, oz, 0.85),
          0.05,
          0.055,
          [
            [`shin.${side}`, 0.8],
            [`foot.${side}`, 0.2],
          ],
        ],
        [ox, oy - 0.01, oz + 0.03, 0.052, 0.09, [[`foot.${side}`, 1]]],
        [ox, oy - 0.06, oz + 0.06, 0.056, 0.135, [[`foot.${side}`, 1]]],
        [ox, oy - 0.085, oz + 0.06, 0.05, 0.125, [[`foot.${side}`, 1]]],
      ],
      [0.5, 0.5, 1, 1],
      detail,
    )
  }
  const material = (name: string, more: Partial<Material>): number => scene.materials.push({ ...plainMaterial(name, source), ...more }) - 1
  scene.textures.push(paint(), leaf(), glow(), {
    name: 'lost',
    width: 0,
    height: 0,
    rgba: new Uint8Array(0),
    missing: true,
    hasAlpha: false,
    source,
  })
  const body = material('body', { texture: 0 })
  const steel = material('steel', { diffuse: [0.62, 0.66, 0.72, 1], specular: [0.5, 0.5, 0.5], shininess: 24 })
  const foliage = material('leaf', { texture: 1, alphaTest: 0.5, doubleSided: true })
  const light = material('glow', { texture: 2, blend: 'additive', depthWrite: false, lit: false, doubleSided: true })
  const lost = material('lost', { texture: 3 })
  const glass = material('glass', { diffuse: [0.45, 0.65, 0.9, 0.4], blend: 'alpha', depthWrite: false, doubleSided: true })
  const team = material('team', { diffuse: [0.9, 0.9, 0.9, 1], teamColor: true, doubleSided: true })

  const used = JOINTS.map(([name]) => name)
  const inverseBind = new Float32Array(16 * used.length)
  used.forEach((name, i) => invertAffine(inverseBind, 16 * i, world, 16 * joint(name)))
  const slot = new Map(used.map((name, i) => [name, i]))
  const skin: Skin = {
    name: 'figure',
    joints: Uint32Array.from(used, joint),
    inverseBind,
    ...packInfluences(b.weights.length, (v, push) => b.weights[v].forEach(([name, w]) => push(slot.get(name)!, w))),
    source,
  }
  scene.skins.push(skin)
  scene.meshes.push(meshOf('figure', joint('root'), b.positions, b.normals, b.uvs, b.indices, body, { skin: 0 }))
  scene.meshes.push(box('blade', joint('武器'), [0, 0, 0.42], [0.012, 0.035, 0.42], steel))
  scene.meshes.push(box('guard', joint('武器'), [0, 0, 0.02], [0.03, 0.1, 0.02], team))
  scene.meshes.push(quad('leaf', joint('head'), [0.11, 0.17, 0.02], 0.1, foliage))
  scene.meshes.push(quad('glow', joint('glow'), [0, 0, 0], 0.22, light, { billboard: 'full' }))
  scene.meshes.push(box('crate', joint('root'), [0.75, 0.2, -0.1], [0.2, 0.2, 0.2], lost))
  scene.meshes.push(box('glass', joint('root'), [0.75, 0.5, -0.1], [0.1, 0.1, 0.1], glass))
  scene.helpers.push({
    name: 'reach',
    kind: 'box',
    joint: joint('root'),
    center: [0, 0.9, 0],
    extent: [0.45, 0.9, 0.4],
    color: [0.9, 0.7, 0.2],
    label: 'reach',
    source,
  })

  scene.clips.push(walk(scene, joint))
  scene.slices.push({ clip: 0, name: '歩く', start: 0, end: 30, speed: 1, loop: true, source })
  return scene
}

function walk(scene: Scene, joint: (name: string) => number): Scene['clips'][number] {
  const tracks: Track[] = []
  const swing = (name: string, axis: 0 | 1 | 2, size: number, phase: number, offset = 0): void => {
    const times: number[] = [],
      values: number[] = []
    for (let f = 0; f <= 30; f += 3) {
      const a = (offset + size * Math.sin((f / 30) * Math.PI * 2 + phase)) / 2
      const q = [0, 0, 0, Math.cos(a)]
      q[axis] = Math.sin(a)
      times.push(f)
      values.push(...q)
    }
    tracks.push({
      target: { kind: 'joint', index: joint(name) },
      property: 'rotation',
      interpolation: 'slerp',
      mode: 'absolute',
      times: Float32Array.from(times),
      values: Float32Array.from(values),
      label: 'rotation',
      source,
    })
  }
  swing('thigh.L', 0, 0.55, 0)
  swing('thigh.R', 0, 0.55, Math.PI)
  swing('shin.L', 0, 0.45, -1.4, 0.45)
  swing('shin.R', 0, 0.45, Math.PI - 1.4, 0.45)
  swing('arm.L', 0, 0.5, Math.PI)
  swing('arm.R', 0, 0.5, 0)
  swing('forearm.L', 0, 0.2, Math.PI, -0.4)
  swing('forearm.R', 0, 0.2, 0, -0.4)
  swing('chest', 1, 0.12, 0)
  swing('pelvis', 1, 0.1, Math.PI)
  return {
    name: 'walk',
    tracks,
    start: 0,
    end: 30,
    rate: 30,
    unit: 'frame',
    loop: 'wrap',
    fit: { matched: tracks.length, total: tracks.length },
    events: [],
    source: { ref: scene.name, path: '' },
  }
}

function meshOf(
  name: string,
  joint: number,
  positions: number[],
  normals: number[],
  uvs: number[],
  indices: number[],
  material: number,
  more: Partial<Mesh> = {},
): Mesh {
  return {
    name,
    joint,
    positions: Float32Array.from(positions),
    normals: Float32Array.from(normals),
    uvs: uvs.length ? [Float32Array.from(uvs)] : [],
    colors: new Float32Array(0),
    indices: Uint32Array.from(indices),
    groups: [{ start: 0, count: indices.length, material }],
    skin: -1,
    nativeVertex: Uint32Array.from({ length: positions.length / 3 }, (_, i) => i),
    nativeVertexCount: positions.length / 3,
    visible: true,
    lod: -1,
    source,
    ...more,
  }
}

export function box(name: string, joint: number, c: number[], h: number[], material: number): Mesh {
  const positions: number[] = [],
    normals: number[] = [],
    uvs: number[] = [],
    indices: number[] = []
  for (let axis = 0; axis < 3; axis++) {
    for (const sign of [1, -1]) {
      const n = [0, 0, 0]
      n[axis] = sign
      const u = (axis + 1) % 3,
        v = (axis + 2) % 3
      const first = positions.length / 3
      for (const [a, b] of [
        [-1, -1],
        [1, -1],
        [1, 1],
        [-1, 1],
      ]) {
        const p = [...c]
        p[axis] += sign * h[axis]
        p[u] += a * sign * h[u]
        p[v] += b * h[v]
        positions.push(...p)
        normals.push(...n)
        uvs.push((a + 1) / 2, (1 - b) / 2)
      }
      indices.push(first, first + 1, first + 2, first, first + 2, first + 3)
    }
  }
  return meshOf(name, joint, positions, normals, uvs, indices, material)
}

export function quad(name: string, joint: number, c: number[], h: number, material: number, more: Partial<Mesh> = {}): Mesh {
  const [x, y, z] = c
  return meshOf(
    name,
    joint,
    [x - h, y - h, z, x + h, y - h, z, x + h, y + h, z, x - h, y + h, z],
    [0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1],
    [0, 1, 1, 1, 1, 0, 0, 0],
    [0, 1, 2, 0, 2, 3],
    material,
    more,
  )
}

/** A wall of one colour and a pane before it in a blend mode: what a pixel must be can be worked out by hand. */
export function blendScene(blend: Material['blend'], more: Partial<Material> = {}, layer?: Material['layers'][number]): Scene {
  const scene = emptyScene(blend)
  scene.textures.push({ name: 'layer', width: 1, height: 1, rgba: Uint8Array.of(255, 128, 0, 128), missing: false, hasAlpha: true, source })
  scene.materials.push({ ...plainMaterial('wall', source), lit: false, diffuse: [0.4, 0.6, 0.8, 1] })
  scene.materials.push({
    ...plainMaterial('pane', source),
    lit: false,
    diffuse: [0.8, 0.4, 0.2, 0.5],
    blend,
    layers: layer ? [layer] : [],
    ...more,
  })
  scene.meshes.push(quad('wall', -1, [0, 0, 0], 1, 0), quad('pane', -1, [0, 0, 0.1], 0.5, 1))
  return scene
}
