/** What a user does, by chance: each step is a call of the contract with all of its arguments, so that it can be done again. */
import type { CallArgs, CallName, CallResult } from '../../src/shared/api/contract.ts'
import type { NativeTrack } from '../../src/shared/api/types/clips.ts'
import type { ModelInfo } from '../../src/shared/api/types/model.ts'
import type { Scene } from '../../src/shared/scene/types.ts'
import type { Random } from '../fuzz/random.ts'

export type Call = <K extends CallName>(name: K, args: CallArgs<K>) => Promise<CallResult<K>>

export type Step =
  | { kind: 'edit'; name: CallName; args: Record<string, unknown> }
  | { kind: 'undo' | 'redo' | 'save' | 'restore' | 'scan' | 'rescan' | 'export' | 'build' | 'reopen' | 'settings' | 'picture' }

/** How often each kind comes. */
const WEIGHTS: [Step['kind'], number][] = [
  ['edit', 10],
  ['undo', 2],
  ['redo', 1],
  ['save', 6],
  ['restore', 1],
  ['scan', 1],
  ['rescan', 1],
  ['export', 1],
  ['build', 1],
  ['reopen', 1],
  ['settings', 1],
  ['picture', 1],
]

export function pickKind(random: Random): Step['kind'] {
  let at = random.below(WEIGHTS.reduce((sum, [, weight]) => sum + weight, 0))
  for (const [kind, weight] of WEIGHTS) if ((at -= weight) < 0) return kind
  return 'edit'
}

/** An edit that the model can take. The model itself is not named: it has another id in the next run. */
export async function pickEdit(call: Call, model: ModelInfo, scene: Scene, random: Random): Promise<Step> {
  const ways: (() => Promise<Step | undefined> | Step | undefined)[] = [
    () => keyEdit(call, model, scene, random),
    () => markerEdit(scene, random),
  ]
  // keys are what makes files grow and shrink
  ways.push(ways[0], ways[0])
  if (model.abilities.slices) ways.push(() => sliceEdit(scene, random))
  for (let i = 0; i < 20; i++) {
    const step = await random.pick(ways)()
    if (step) return step
  }
  return { kind: 'edit', name: 'markers.add', args: { clip: 0, name: 'mark', time: 1 } }
}

function markerEdit(scene: Scene, random: Random): Step | undefined {
  const { markers, clips } = scene
  if (clips.length === 0) return undefined
  const what = random.below(3)
  const name = `mark ${random.below(1000)} ${'x'.repeat(random.below(200))}`
  if (what === 0 || markers.length === 0)
    return { kind: 'edit', name: 'markers.add', args: { clip: random.below(clips.length), name, time: random.below(10) } }
  const marker = random.below(markers.length)
  if (what === 1) return { kind: 'edit', name: 'markers.remove', args: { marker } }
  return { kind: 'edit', name: 'markers.set', args: { marker, values: { name } } }
}

function sliceEdit(scene: Scene, random: Random): Step | undefined {
  const { slices } = scene
  const what = random.below(3)
  const values = {
    name: `s${random.below(1000)}${'y'.repeat(random.below(20))}`,
    start: 1 + random.below(5),
    end: 6 + random.below(5),
    speed: 0.5,
  }
  if (what === 0 || slices.length === 0)
    return { kind: 'edit', name: 'slices.add', args: { at: random.below(slices.length + 1), clip: 0, values } }
  const slice = random.below(slices.length)
  if (what === 1 && slices.length > 2) return { kind: 'edit', name: 'slices.remove', args: { slice } }
  return { kind: 'edit', name: 'slices.set', args: { slice, values: { end: slices[slice].end + 1 + random.below(3) } } }
}

async function keyEdit(call: Call, model: ModelInfo, scene: Scene, random: Random): Promise<Step | undefined> {
  if (!model.abilities.clips || scene.clips.length === 0) return undefined
  const tracks = await call('clips.tracks', { model: model.id, clip: random.below(scene.clips.length) })
  const free = tracks.filter((track) => track.limits.readOnly === '' && track.times.length > 0)
  if (free.length === 0) return undefined
  const track = random.pick(free)
  const edit = changeOf(track, random)
  return edit && { kind: 'edit', name: 'clips.editKeys', args: { label: 'Keys', edits: [{ track: track.id, ...edit }] } }
}

function changeOf(track: NativeTrack, random: Random): Record<string, unknown> | undefined {
  const width = track.components.length
  const count = track.times.length
  const { dense, timeStep, maxTime } = track.limits
  const what = dense ? 2 : random.below(3)
  if (what === 0) {
    // some hundred keys at once fill more than a sector of an archive
    const step = timeStep > 0 ? timeStep : 1 / 64
    const last = track.times[count - 1]
    const room = Math.floor((Math.min(maxTime, last + 500 * step) - last) / step)
    const n = Math.min(room, 1 + random.small(200))
    if (n < 1 || count > 1500) return undefined
    const times = Float64Array.from({ length: n }, (_, i) => last + (i + 1) * step)
    const values = new Float32Array(n * width)
    for (let i = 0; i < n; i++) values.set(track.values.subarray(width * (i % count), width * ((i % count) + 1)), width * i)
    return { insert: { times, values } }
  }
  if (what === 1 && count > 2) {
    const n = 1 + random.below(count - 2)
    return { remove: Uint32Array.from({ length: n }, (_, i) => count - n + i) }
  }
  const key = random.below(count)
  const values = track.values.slice(width * key, width * (key + 1))
  values[0] += (1 + random.below(50)) / 64
  return { set: { keys: Uint32Array.of(key), times: track.times.slice(key, key + 1), values } }
}
