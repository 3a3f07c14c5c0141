/**
 * The one sampler: evaluates a clip at a native time into a pose. Viewport, thumbnails, glTF and tests use it.
 */
import { compose, decompose, multiply, slerp } from './matrix.ts'
import type { Clip, Scene, Skeleton, Track } from './types.ts'

/** Everything that a clip can move, at one instant. Buffers are reused from frame to frame. */
export interface Pose {
  /** 16 per joint */
  local: Float32Array
  world: Float32Array
  /** per joint: 1 shown, 0 hidden: meshes on this joint are not drawn. Joints below are not touched */
  visible: Uint8Array
  meshVisible: Uint8Array
  /** per material: opacity factor 0..1, and colour when `materialColored` is 1 */
  materialOpacity: Float32Array
  materialColor: Float32Array
  materialColored: Uint8Array
  /** vertex positions that tracks replace: mesh, native vertex, x, y, z */
  vertices: { mesh: number; vertex: number; x: number; y: number; z: number }[]
  /** scratch: parts of joints that a track touched */
  parts: {
    translation: Float32Array
    rotation: Float32Array
    scale: Float32Array
    touched: Uint8Array
    delta: Float32Array
    hasDelta: Uint8Array
  }
}

export function createPose(scene: Scene): Pose {
  const n = scene.skeleton.count
  const pose: Pose = {
    local: new Float32Array(16 * n),
    world: new Float32Array(16 * n),
    visible: new Uint8Array(n),
    meshVisible: new Uint8Array(scene.meshes.length),
    materialOpacity: new Float32Array(scene.materials.length),
    materialColor: new Float32Array(3 * scene.materials.length),
    materialColored: new Uint8Array(scene.materials.length),
    vertices: [],
    parts: {
      translation: new Float32Array(3 * n),
      rotation: new Float32Array(4 * n),
      scale: new Float32Array(3 * n),
      touched: new Uint8Array(n),
      delta: new Float32Array(7 * n),
      hasDelta: new Uint8Array(n),
    },
  }
  poseRest(scene, pose)
  return pose
}

/** The rest pose: bind matrices, everything visible as the file says. */
export function poseRest(scene: Scene, pose: Pose): void {
  reset(scene, pose)
  finish(scene.skeleton, pose)
}

/** Evaluates `clip` at native time `time`. */
export function sampleClip(scene: Scene, clip: Clip, time: number, pose: Pose): void {
  reset(scene, pose)
  for (const track of clip.tracks) applyTrack(track, clip, time, pose)
  finish(scene.skeleton, pose)
}

/** One joint as `sampleClip` poses it, in the space of its parent: translation 3, rotation 4 (x, y, z, w), scale 3. */
export function sampleJoint(
  scene: Scene,
  clip: Clip,
  time: number,
  joint: number,
): { translation: Float32Array; rotation: Float32Array; scale: Float32Array } {
  const pose = createPose(scene)
  const tracks = clip.tracks.filter(({ target }) => target.kind === 'joint' && target.index === joint)
  sampleClip(scene, { ...clip, tracks }, time, pose)
  const [translation, rotation, scale] = [new Float32Array(3), new Float32Array(4), new Float32Array(3)]
  decompose(pose.local, 16 * joint, translation, 0, rotation, 0, scale, 0)
  return { translation, rotation, scale }
}

function reset(scene: Scene, pose: Pose): void {
  const s = scene.skeleton
  pose.visible.fill(1)
  for (let i = 0; i < scene.meshes.length; i++) pose.meshVisible[i] = scene.meshes[i].visible ? 1 : 0
  pose.materialOpacity.fill(1)
  pose.materialColored.fill(0)
  pose.vertices.length = 0
  pose.parts.translation.set(s.restTranslation)
  pose.parts.rotation.set(s.restRotation)
  pose.parts.scale.set(s.restScale)
  pose.parts.touched.fill(0)
  pose.parts.hasDelta.fill(0)
  pose.local.set(s.restLocal)
}

const deltaMatrix = new Float32Array(16)
const one = new Float32Array([1, 1, 1])

function finish(skeleton: Skeleton, pose: Pose): void {
  const { translation, rotation, scale, touched, delta, hasDelta } = pose.parts
  for (let i = 0; i < skeleton.count; i++) {
    if (touched[i]) compose(pose.local, 16 * i, translation, 3 * i, rotation, 4 * i, scale, 3 * i)
    if (hasDelta[i]) {
      compose(deltaMatrix, 0, delta, 7 * i, delta, 7 * i + 3, one, 0)
      multiply(pose.local, 16 * i, pose.local, 16 * i, deltaMatrix, 0)
    }
  }
  updateWorld(skeleton, pose.local, pose.world)
}

/** world[i] = world[parent] * local[i]; parents stand before children. */
export function updateWorld(skeleton: Skeleton, local: Float32Array, world: Float32Array): void {
  for (let i = 0; i < skeleton.count; i++) {
    const p = skeleton.parents[i]
    if (p < 0) world.set(local.subarray(16 * i, 16 * i + 16), 16 * i)
    else multiply(world, 16 * i, world, 16 * p, local, 16 * i)
  }
}

/**
 * Index of the last key at or before `time`, or -1 before the first.
 * Of several keys at one time the last counts.
 */
export function keyBefore(times: ArrayLike<number>, time: number): number {
  let lo = 0
  let hi = times.length
  while (lo < hi) {
    const mid = (lo + hi) >> 1
    if (times[mid] <= time) lo = mid + 1
    else hi = mid
  }
  return lo - 1
}

const WIDTH = { translation: 3, rotation: 4, scale: 3, visibility: 1, opacity: 1, color: 3, vertex: 3, camera: 1, unknown: 1 } as const

/** Values per key of a track. */
export function trackWidth(track: Pick<Track, 'property' | 'times' | 'values'>): number {
  if (track.property === 'unknown' || track.property === 'camera')
    return track.times.length ? Math.max(1, Math.round(track.values.length / track.times.length)) : 1
  return WIDTH[track.property]
}

/** What a delta track says where it is absent: no move, no turn. */
const noTurn = [0, 0, 0, 1]

/**
 * Value of one track at a native time into out[0..width-1]. False where the track has nothing to say
 * (no keys, or outside its keys with `outside: 'rest'`). A time that is no number counts as the first.
 *
 * Games with `outside: 'rest'` have a value on every whole frame, none (0, identity) outside a channel's own range, and blend
 * neighbouring frames: so a delta that is absent outside fades over one frame beside its first and last key.
 */
export function sampleTrack(track: Track, clip: Pick<Clip, 'loop' | 'start' | 'end'>, time: number, out: Float32Array | number[]): boolean {
  const { times, values } = track
  const n = times.length
  if (n === 0) return false
  const width = trackWidth(track)
  const k = keyBefore(times, time)
  const last = times[n - 1]
  // such games play their last frame towards the first one
  const wraps = k === n - 1 && clip.loop === 'blend' && time > last && last >= clip.end && n > 1
  if (track.outside === 'rest' && !wraps && (k < 0 || (k === n - 1 && time > last))) {
    const away = k < 0 ? times[0] - time : time - last
    if (!(away < 1) || track.mode !== 'delta' || track.interpolation === 'step') return false
    blend(track, values, (k < 0 ? 0 : k) * width, noTurn, 0, away, width, out)
    return true
  }
  const next = wraps ? 0 : k + 1
  if (k < 0 || (k === n - 1 && !wraps) || track.interpolation === 'step' || track.stepInto?.[next]) {
    const at = Math.max(0, k) * width
    for (let i = 0; i < width; i++) out[i] = values[at + i]
    if (track.property === 'rotation') slerp(out, 0, values, at, values, at, 0)
    return true
  }
  const span = wraps ? 1 : times[next] - times[k]
  blend(track, values, k * width, values, next * width, span > 0 ? Math.min(1, (time - times[k]) / span) : 1, width, out)
  return true
}

function blend(
  track: Track,
  a: Float32Array,
  ao: number,
  b: Float32Array | number[],
  bo: number,
  t: number,
  width: number,
  out: Float32Array | number[],
): void {
  if (track.property === 'rotation') slerp(out, 0, a, ao, b, bo, t)
  else for (let i = 0; i < width; i++) out[i] = a[ao + i] + (b[bo + i] - a[ao + i]) * t
}

const scratch = new Float32Array(64)

function applyTrack(track: Track, clip: Clip, time: number, pose: Pose): void {
  if (track.property === 'unknown' || track.property === 'camera') return
  if (!sampleTrack(track, clip, time, scratch)) return
  const { target } = track
  const i = target.index
  const parts = pose.parts
  if (target.kind === 'joint') {
    if (i < 0 || i >= parts.touched.length) return
    if (track.mode === 'delta' && (track.property === 'translation' || track.property === 'rotation')) {
      if (!parts.hasDelta[i]) {
        parts.hasDelta[i] = 1
        parts.delta.fill(0, 7 * i, 7 * i + 6)
        parts.delta[7 * i + 6] = 1
      }
      if (track.property === 'translation') for (let c = 0; c < 3; c++) parts.delta[7 * i + c] = scratch[c]
      else for (let c = 0; c < 4; c++) parts.delta[7 * i + 3 + c] = scratch[c]
      return
    }
    switch (track.property) {
      case 'translation':
        for (let c = 0; c < 3; c++) parts.translation[3 * i + c] = scratch[c]
        parts.touched[i] = 1
        break
      case 'rotation':
        for (let c = 0; c < 4; c++) parts.rotation[4 * i + c] = scratch[c]
        parts.touched[i] = 1
        break
      case 'scale':
        for (let c = 0; c < 3; c++) parts.scale[3 * i + c] = scratch[c]
        parts.touched[i] = 1
        break
      case 'visibility':
        pose.visible[i] = scratch[0] >= 0.5 ? 1 : 0
        break
    }
  } else if (target.kind === 'material') {
    if (i < 0 || i >= pose.materialOpacity.length) return
    if (track.property === 'opacity') pose.materialOpacity[i] = Math.max(0, Math.min(1, scratch[0]))
    else if (track.property === 'color') {
      pose.materialColored[i] = 1
      for (let c = 0; c < 3; c++) pose.materialColor[3 * i + c] = scratch[c]
    }
  } else if (i >= 0 && i < pose.meshVisible.length) {
    if (track.property === 'visibility') pose.meshVisible[i] = scratch[0] >= 0.5 ? 1 : 0
    else if (track.property === 'vertex' && track.vertex !== undefined)
      pose.vertices.push({ mesh: i, vertex: track.vertex, x: scratch[0], y: scratch[1], z: scratch[2] })
  }
}

/**
 * Makes a skeleton from names, parents (a parent may stand anywhere; -1 root) and local rest matrices
 * in native order. Joints are put in an order where parents come first; a cycle or a parent out of
 * range makes a root. Returns the skeleton and native index -> joint.
 */
export function buildSkeleton(
  names: string[],
  parents: ArrayLike<number>,
  restLocal: Float32Array,
  source: (native: number) => { ref: string; path: string },
): { skeleton: Skeleton; jointOf: Int32Array } {
  const n = names.length
  const order: number[] = []
  const state = new Uint8Array(n)
  const parentOf = Int32Array.from({ length: n }, (_, i) => (parents[i] >= 0 && parents[i] < n && parents[i] !== i ? parents[i] : -1))
  for (let i = 0; i < n; i++) {
    const stack: number[] = []
    let j = i
    while (j >= 0 && state[j] === 0) {
      state[j] = 1
      stack.push(j)
      const p = parentOf[j]
      if (p >= 0 && state[p] === 1) parentOf[j] = -1 // a cycle is cut where it closes
      j = parentOf[j]
    }
    while (stack.length) {
      const k = stack.pop()!
      state[k] = 2
      order.push(k)
    }
  }
  const jointOf = new Int32Array(n)
  order.forEach((native, joint) => (jointOf[native] = joint))
  const skeleton: Skeleton = {
    count: n,
    names: order.map((i) => names[i]),
    parents: Int32Array.from(order, (i) => (parentOf[i] < 0 ? -1 : jointOf[parentOf[i]])),
    restLocal: new Float32Array(16 * n),
    restTranslation: new Float32Array(3 * n),
    restRotation: new Float32Array(4 * n),
    restScale: new Float32Array(3 * n),
    nativeIndex: Int32Array.from(order),
    sources: order.map(source),
  }
  order.forEach((native, joint) => {
    skeleton.restLocal.set(restLocal.subarray(16 * native, 16 * native + 16), 16 * joint)
    decompose(
      skeleton.restLocal,
      16 * joint,
      skeleton.restTranslation,
      3 * joint,
      skeleton.restRotation,
      4 * joint,
      skeleton.restScale,
      3 * joint,
    )
  })
  return { skeleton, jointOf }
}

/** out = the rotation of a quaternion product; re-exported for editors that pose joints. */
