/**
 * Animations as clips of the scene. A channel's values are deltas in the space of its pivot at rest: local = rest * T(x, y, z) * R(q).
 * Frames blend, the last one towards frame 0; positions are lerped, rotations slerped [engine]. Zero Hour and Generals show
 * uncompressed animations frame by frame without blending: the model's option `rawFrames` does the same.
 */
import { Diagnostics } from '../../format.ts'
import { kept } from '../../kept.ts'
import { channelsIn, keysOf, pivotOf, propertyOf, restsOutside } from '../codecs/channels.ts'
import { rotationToScene, vectorToScene } from './basis.ts'
import { clipsOf } from '../codecs/file.ts'
import { say } from '../texts/index.ts'
import { unitQuaternion } from '../../../../shared/scene/length.ts'
import type { Diagnostic } from '../../../../shared/api/errors.ts'
import type { ModelBinding } from '../../binding.ts'
import type { Document, SourceRange } from '../../format.ts'
import type { Clip, Scene, Track } from '../../../../shared/scene/types.ts'
import type { ChannelChunk, Keys } from '../codecs/channels.ts'
import type { Chunk } from '../codecs/chunk.ts'
import type { ClipInfo } from '../codecs/file.ts'
import type { File } from './objects.ts'
import type { PlacedHierarchy } from './skeleton.ts'

interface ClipContext {
  ref: string
  document: Document
  paths: ReadonlyMap<Chunk, string>
  /** joint of a pivot number; -1 where the skeleton has none */
  jointOf(pivot: number): number
  /** materials of the meshes that hang on a joint, for opacity */
  materialsOn(joint: number): readonly number[]
  /** uncompressed frames are shown one by one */
  snap: boolean
  diagnostics: Diagnostics
}

/** Longest clip that a time line is asked to show; a header may claim four thousand million frames. */
const MOST_FRAMES = 1_000_000

/** Clips of the animations that are for the skeleton of the model. @returns whether one of them is uncompressed */
export function addClips(
  scene: Scene,
  binding: ModelBinding,
  files: readonly File[],
  main: PlacedHierarchy,
  snap: boolean,
  diagnostics: Diagnostic[],
): boolean {
  const wanted = main.hierarchy?.name.toLowerCase() ?? ''
  const materials = new Map<number, number[]>()
  for (const mesh of scene.meshes) {
    const list = materials.get(mesh.joint) ?? []
    for (const group of mesh.groups) if (group.material >= 0 && !list.includes(group.material)) list.push(group.material)
    materials.set(mesh.joint, list)
  }
  const roles = new Map(binding.members.map((member) => [member.ref, member.role]))
  let raw = false
  for (const file of files) {
    for (const info of clipsOf(file.document)) {
      // a file that the binder or the user took for an animation plays whatever skeleton it names
      if (info.hierarchyName.toLowerCase() !== wanted && roles.get(file.ref) !== 'animation') continue
      if (!info.compressed) raw = true
      scene.clips.push(
        clipOf(info, {
          ref: file.ref,
          document: file.document,
          paths: file.paths,
          jointOf: (pivot) => main.joints[pivot + main.nativeShift] ?? -1,
          materialsOn: (joint) => materials.get(joint) ?? [],
          snap,
          diagnostics: new Diagnostics(file.ref, diagnostics),
        }),
      )
    }
  }
  return raw
}

function clipOf(info: ClipInfo, context: ClipContext): Clip {
  const { ref, document, paths, diagnostics } = context
  const path = paths.get(info.chunk) ?? ''
  const channels = channelsIn(info.chunk)
  const tracks: Track[] = []
  const end = Math.min(Math.max(0, info.frames - 1), MOST_FRAMES)
  let matched = 0
  const outside = new Set<number>()
  /** translation channels of a joint, by axis */
  const moves = new Map<number, (ChannelChunk | undefined)[]>()
  const where = (channel: ChannelChunk): string => paths.get(channel.chunk) ?? ''

  for (const channel of channels) {
    const joint = context.jointOf(pivotOf(channel))
    if (joint < 0) {
      outside.add(pivotOf(channel))
      continue
    }
    matched++
    const property = propertyOf(channel)
    const interpolation = channel.coding === 'raw' && context.snap ? 'step' : undefined
    if (property === 'x' || property === 'y' || property === 'z') {
      const axes = moves.get(joint) ?? [undefined, undefined, undefined]
      axes['xyz'.indexOf(property)] = channel
      moves.set(joint, axes)
    } else if (property === 'rotation') {
      const turns = kept(document, channel.chunk, `rotation ${channel.coding} ${info.frames}`, () => {
        const keys = bounded(channel, keysOf(channel), info.frames)
        const values = new Float32Array(keys.values.length)
        for (let i = 0; i < 4 * keys.times.length; i += 4) {
          rotationToScene(values, i, keys.values, i)
          unitQuaternion(values, i, 1e-6)
        }
        return columnsOf(keys, values)
      })
      tracks.push(track(joint, 'rotation', interpolation ?? 'slerp', turns, say('scene.tracks.rotation'), where(channel)))
    } else if (property === 'visibility') {
      const keys = keysOf(channel)
      const held = withDefault(channel, keys, info.frames)
      tracks.push(track(joint, 'visibility', 'step', columnsOf(held, held.values), say('scene.tracks.visibility'), where(channel)))
    } else if (property === 'opacity') {
      const keys = keysOf(channel)
      for (const material of context.materialsOn(joint)) {
        tracks.push({
          ...track(joint, 'opacity', 'linear', columnsOf(keys, keys.values.slice()), say('scene.tracks.opacity'), where(channel)),
          mode: 'absolute',
          target: { kind: 'material', index: material },
        })
      }
    } else diagnostics.add('info', 'w3d.channel-unknown', say('scene.channelKept'), where(channel), channel.chunk.start)
  }
  for (const [joint, axes] of moves) {
    const first = axes.find((channel) => channel)!
    const range = spanOf(axes)
    const place = axes.map((channel) => (channel ? `${channel.coding} ${channel.chunk.start - range.start}` : '')).join()
    const united = kept(document, range, `translation ${place} ${info.frames}`, () => {
      const keys = uniteAxes(axes.map((channel) => channel && bounded(channel, keysOf(channel), info.frames)))
      return columnsOf(keys, keys.values)
    })
    const snap = first.coding === 'raw' && context.snap
    tracks.push(
      track(joint, 'translation', snap ? 'step' : 'linear', united, axes.map((c, i) => (c ? 'XYZ'[i] : '')).join(''), where(first)),
    )
  }
  if (outside.size) {
    const list = [...outside].sort((a, b) => a - b)
    diagnostics.add(
      'warning',
      'w3d.channel-pivot',
      say('scene.pivotsOutside', { name: info.name, pivots: list.slice(0, 8).join(', ') + (list.length > 8 ? ' …' : '') }),
      path,
      info.chunk.start,
    )
  }
  return {
    name: info.name,
    tracks,
    start: 0,
    end,
    rate: info.rate > 0 ? info.rate : 30,
    unit: 'frame',
    loop: 'blend',
    fit: { matched, total: channels.length },
    events: [],
    source: { ref, path },
  }

  function track(
    joint: number,
    property: Track['property'],
    interpolation: Track['interpolation'],
    { times, values, steps }: Columns,
    label: string,
    source: string,
  ): Track {
    return {
      target: { kind: 'joint', index: joint },
      property,
      interpolation,
      mode: property === 'translation' || property === 'rotation' ? 'delta' : 'absolute',
      times,
      values,
      ...(steps ? { stepInto: steps } : {}),
      label,
      source: { ref, path: source },
    }
  }
}

interface Columns {
  times: Float32Array
  values: Float32Array
  steps?: Uint8Array
}

function columnsOf({ times, steps }: Keys, values: Float32Array): Columns {
  return { times: Float32Array.from(times), values, steps }
}

/** From the first to the last of the channels that are there. */
function spanOf(axes: readonly (ChannelChunk | undefined)[]): SourceRange {
  const chunks = axes.flatMap((channel) => channel?.chunk ?? [])
  return { start: Math.min(...chunks.map(({ start }) => start)), end: Math.max(...chunks.map(({ end }) => end)) }
}

/**
 * An uncompressed channel counts as no movement on frames that it has no value for: said with a key on each side, since the engine blends
 * between neighbouring frames whether or not a channel has them.
 */
function bounded(channel: ChannelChunk, keys: Keys, numFrames: number): Keys {
  if (!restsOutside(channel.coding) || keys.times.length === 0) return sorted(keys)
  const first = keys.times[0]
  const last = keys.times[keys.times.length - 1]
  const before = first > 0 ? 1 : 0
  const after = last + 1 < numFrames ? 1 : 0
  if (!before && !after) return keys
  const n = keys.times.length + before + after
  const times = new Float64Array(n)
  const values = new Float32Array(n * keys.width)
  times.set(keys.times, before)
  values.set(keys.values, before * keys.width)
  if (before) times[0] = first - 1
  if (after) times[n - 1] = last + 1
  if (keys.width === 4) {
    if (before) values[3] = 1
    if (after) values[4 * n - 1] = 1
  }
  return { times, values, width: keys.width }
}

/** A bit channel says nothing outside its frames: its default value does. */
function withDefault(channel: ChannelChunk, keys: Keys, numFrames: number): Keys {
  const { data } = channel.chunk
  const value = 'defaultValue' in data ? (data.defaultValue ? 1 : 0) : 1
  if (keys.times.length === 0) return { times: Float64Array.of(0), values: Float32Array.of(value), width: 1 }
  const before = keys.times[0] > 0
  const last = keys.times[keys.times.length - 1]
  const after = channel.coding === 'bits' && last + 1 < numFrames
  const ordered = sorted(keys)
  return {
    times: Float64Array.from([...(before ? [0] : []), ...ordered.times, ...(after ? [last + 1] : [])]),
    values: Float32Array.from([...(before ? [value] : []), ...ordered.values, ...(after ? [value] : [])]),
    width: 1,
  }
}

/** Keys in ascending order; a damaged file may have others. Of several at one time the last counts. */
function sorted(keys: Keys): Keys {
  const { times, values, width, steps } = keys
  let ascending = true
  for (let k = 1; k < times.length && ascending; k++) ascending = times[k] >= times[k - 1]
  if (ascending) return keys
  const order = Array.from(times.keys()).sort((a, b) => times[a] - times[b] || a - b)
  const out = new Float32Array(values.length)
  order.forEach((k, i) => out.set(values.subarray(k * width, k * width + width), i * width))
  return {
    times: Float64Array.from(order, (k) => times[k]),
    values: out,
    width,
    ...(steps ? { steps: Uint8Array.from(order, (k) => steps[k]) } : {}),
  }
}

/** Value of one number at a time: `left` as it is come to from before, otherwise as it is from then on. */
function valueAt(keys: Keys, time: number, left: boolean): number {
  const { times, values, steps } = keys
  let lo = 0
  let hi = times.length
  while (lo < hi) {
    const mid = (lo + hi) >> 1
    if (left ? times[mid] < time : times[mid] <= time) lo = mid + 1
    else hi = mid
  }
  const k = lo - 1
  if (k < 0) return values[0]
  if (k === times.length - 1 || steps?.[k + 1]) return values[k]
  const span = times[k + 1] - times[k]
  return span > 0 ? values[k] + ((values[k + 1] - values[k]) * (time - times[k])) / span : values[k]
}

/**
 * One translation from up to three channels with times of their own. Where one of them jumps there are two keys at that time, the value
 * come to and the value gone on with, so that the others still blend. Scene axes.
 */
function uniteAxes(axes: readonly (Keys | undefined)[]): Keys {
  const given = axes.filter((keys): keys is Keys => keys !== undefined && keys.times.length > 0)
  if (
    given.length > 0 &&
    given.every((keys) => !keys.steps && keys.times.length === given[0].times.length && keys.times.every((t, k) => t === given[0].times[k]))
  ) {
    const n = given[0].times.length
    const values = new Float32Array(3 * n)
    const xyz = [0, 0, 0]
    for (let k = 0; k < n; k++) {
      for (let c = 0; c < 3; c++) xyz[c] = axes[c]?.times.length ? axes[c]!.values[k] : 0
      vectorToScene(values, 3 * k, xyz, 0)
    }
    return { times: given[0].times, values, width: 3 }
  }
  const jumps = new Set(given.flatMap((keys) => (keys.steps ? Array.from(keys.times).filter((_, k) => keys.steps![k]) : [])))
  const union = [...new Set(given.flatMap((keys) => Array.from(keys.times)))].sort((a, b) => a - b)
  const times: number[] = []
  const values: number[] = []
  const put = (time: number, left: boolean): void => {
    const xyz = axes.map((keys) => (keys?.times.length ? valueAt(keys, time, left) : 0))
    const out = [0, 0, 0]
    vectorToScene(out, 0, xyz, 0)
    times.push(time)
    values.push(...out)
  }
  for (const time of union) {
    if (jumps.has(time)) put(time, true)
    put(time, false)
  }
  return { times: Float64Array.from(times), values: Float32Array.from(values), width: 3 }
}
