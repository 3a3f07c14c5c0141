/** Motions as clips of the scene. */
import { baseName, stemOf } from '../../../../shared/ref.ts'
import { transformPoint } from '../../../../shared/scene/matrix.ts'
import { kept } from '../../kept.ts'
import { rotationToScene } from './basis.ts'
import { checkTrackNodes } from './checks.ts'
import { meshOf } from '../codecs/mds.ts'
import { frameRange } from '../codecs/mot.ts'
import { SHOWN_FROM, shownFromOf, shownFromOption, type40Of, type40Option, type51Of, type51Option } from './options.ts'
import { KEY_WORDS, keyFloats, keyTotal } from '../codecs/tracks.ts'
import { TRACK_TYPE, typeComponents, typeLabel } from '../codecs/track-types.ts'
import { say } from '../texts/index.ts'
import type { ModelChoices, ModelOption } from '../../binding.ts'
import type { Diagnostics } from '../../format.ts'
import type { Clip, Scene, Track, TrackTarget } from '../../../../shared/scene/types.ts'
import type { MdsDocument } from '../codecs/mds.ts'
import type { MdsInScene } from './skeleton.ts'
import type { TrackListDocument, TrackNode } from '../codecs/tracks.ts'
import type { ShownFrom, Type40 } from './options.ts'

/** most scene tracks that tracks of type 51 are spread over */
const MAX_SPREAD = 100_000

/** A clip for each MOT; tracks of nodes that are not there are left out. */
export function addClips(
  scene: Scene,
  model: MdsDocument,
  place: MdsInScene,
  motions: readonly TrackListDocument[],
  rate: number,
  choices: ModelChoices,
  options: ModelOption[],
  diagnostics: Diagnostics,
): void {
  const chosen = type40Of(choices)
  const reading51 = type51Of(choices)
  const shownFrom = shownFromOf(choices)
  let between = 0
  const both = new Set<number>()
  const budget = { left: MAX_SPREAD }
  let type40 = 0
  let transparent = 0
  for (const list of motions) {
    const range = frameRange(list) ?? { start: 1, end: 1 }
    const clip: Clip = {
      name: stemOf(baseName(list.ref)),
      tracks: [],
      start: range.start,
      end: range.end,
      rate,
      unit: 'frame',
      loop: 'wrap',
      fit: { matched: 0, total: list.tracks.length },
      events: [],
      source: { ref: list.ref, path: '' },
    }
    const own = ownVisibility(list, place)
    list.tracks.forEach((track, index) => {
      if (track.node < 0 || track.node >= model.nodes.length) return
      clip.fit.matched++
      let reading: Type40 | undefined
      if (track.type === TRACK_TYPE.transparency) {
        const evidence = type40Evidence(model, track)
        type40++
        if (evidence === 'transparency') transparent++
        reading = chosen === 'auto' ? evidence : chosen
      }
      if (track.type === TRACK_TYPE.visibilityTree && keyTotal(track) > 0 && own.size > 0 && budget.left > 0)
        for (const mesh of meshesBelow(scene, place.jointOf[track.node])) if (own.has(mesh)) both.add(mesh)
      if (track.type === TRACK_TYPE.visibility || track.type === TRACK_TYPE.visibilityTree) between += betweenReadings(track)
      const apart = reading51 === 'own' ? own : NONE
      clip.tracks.push(...sceneTracks(scene, model, place, track, `tracks[${index}]`, list, { type40: reading, shownFrom, apart }, budget))
    })
    diagnostics.list.push(...checkTrackNodes(list, model))
    scene.clips.push(clip)
  }
  // The stored alpha of an animated material is one pose of the animation, not its rest: the track's value replaces it.
  for (const clip of scene.clips) {
    for (const track of clip.tracks) {
      if (track.property !== 'opacity' || track.target.kind !== 'material') continue
      const material = scene.materials[track.target.index]
      material.diffuse[3] = 1
      if (material.blend === 'opaque') material.blend = 'alpha'
    }
  }
  if (between) options.push(shownFromOption(shownFrom, between))
  if (both.size) options.push(type51Option(reading51, both.size))
  if (type40) options.push(type40Option(chosen, transparent, type40))
}

/** Does the evidence say transparency? The target is a material of a node with a mesh, and values stay within 0 to 1. */
function type40Evidence(model: MdsDocument, track: TrackNode): Type40 {
  const n = model.nodes[track.node]
  const mdt = n && meshOf(model, n)
  if (!mdt || track.target < 0 || track.target >= Math.max(1, mdt.materials.length)) return 'scale'
  const floats = keyFloats(track)
  for (let i = 4; i < floats.length; i += KEY_WORDS) if (!(floats[i] >= -1e-4 && floats[i] <= 1 + 1e-4)) return 'scale'
  return 'transparency'
}

/** Keys that show or hide by the reading. */
function betweenReadings(track: TrackNode): number {
  const floats = keyFloats(track)
  let n = 0
  for (let i = 4; i < floats.length; i += KEY_WORDS) if (floats[i] >= SHOWN_FROM.half && floats[i] < SHOWN_FROM.one) n++
  return n
}

/** How what is disputed is read. */
interface Readings {
  type40: Type40 | undefined
  shownFrom: ShownFrom
  /** meshes that a track of type 51 does not move */
  apart: ReadonlySet<number>
}

interface Columns {
  times: Float32Array
  values: Float32Array
}

const NONE: ReadonlySet<number> = new Set()

/** Meshes with a visibility of their own: the engine keeps it in another word than that of the branch, so that neither stands in for the other. */
function ownVisibility({ tracks }: TrackListDocument, place: MdsInScene): ReadonlySet<number> {
  const own = tracks.filter((track) => track.type === TRACK_TYPE.visibility && keyTotal(track) > 0)
  return new Set(own.map((track) => place.meshOfNode[track.node] ?? -1).filter((mesh) => mesh >= 0))
}

/** Tracks of the scene for one track of the file: one, or for type 51 one per mesh below the node. */
function sceneTracks(
  scene: Scene,
  model: MdsDocument,
  place: MdsInScene,
  track: TrackNode,
  path: string,
  list: TrackListDocument,
  { type40, shownFrom, apart }: Readings,
  budget: { left: number },
): Track[] {
  const joint: TrackTarget = { kind: 'joint', index: place.jointOf[track.node] }
  const mesh = place.meshOfNode[track.node]
  const materials = mesh >= 0 ? (meshOf(model, model.nodes[track.node])?.materials.length ?? 0) : 0
  const material: TrackTarget | undefined =
    materials > 0 && track.target >= 0 && track.target < materials
      ? { kind: 'material', index: place.materialOfNode[track.node] + track.target }
      : undefined
  const base = {
    mode: 'absolute' as const,
    source: { ref: list.ref, path },
    label: say('codecs.tracks.typed', { number: track.type, type: typeLabel(track.type) }),
  }
  const one = (
    property: Track['property'],
    interpolation: Track['interpolation'],
    target: TrackTarget,
    width: number,
    convert?: (values: Float32Array, at: number) => void,
    extra: Partial<Track> = {},
  ): Track[] => {
    const made = (): Columns => {
      const { times, values } = columns(track, width)
      if (convert) for (let i = 0; i < values.length; i += width) convert(values, i)
      return { times, values }
    }
    // vertices stand where their mesh has them
    const { times, values } =
      property === 'vertex' ? made() : kept(list, track.range, `scene ${property} ${width} ${track.keys.length} ${shownFrom}`, made)
    return [{ ...base, property, interpolation, target, times, values, ...extra }]
  }
  const onOrOff = (v: Float32Array, i: number): void => {
    v[i] = v[i] >= SHOWN_FROM[shownFrom] ? 1 : 0
  }
  switch (track.type) {
    case TRACK_TYPE.rotation:
      return one('rotation', 'slerp', joint, 4, (v, i) => rotationToScene(v, i, v, i))
    case TRACK_TYPE.scale:
      return one('scale', 'linear', joint, 3)
    case TRACK_TYPE.translation:
      return one('translation', 'linear', joint, 3)
    case TRACK_TYPE.transparency:
      if (type40 === 'scale') {
        const narrow = columns(track, 1)
        const values = new Float32Array(3 * narrow.times.length)
        for (let i = 0; i < values.length; i++) values[i] = narrow.values[Math.floor(i / 3)]
        return [
          {
            ...base,
            label: say('scene.type40.uniformScale'),
            property: 'scale',
            interpolation: 'linear',
            target: joint,
            times: narrow.times,
            values,
          },
        ]
      }
      if (!material) return one('unknown', 'linear', joint, 1, undefined, { label: say('scene.type40.ofNoMaterial') })
      return one('opacity', 'linear', material, 1, (v, i) => (v[i] = 1 - v[i]), { label: say('scene.type40.transparency') })
    case TRACK_TYPE.color:
      return material ? one('color', 'linear', material, 3) : one('unknown', 'linear', joint, 3)
    case TRACK_TYPE.vertex: {
      const vertex = track.target - 1
      if (mesh < 0 || vertex < 0 || vertex >= scene.meshes[mesh].nativeVertexCount) return one('unknown', 'linear', joint, 3)
      return one('vertex', 'linear', { kind: 'mesh', index: mesh }, 3, skinnedPoint(place, mesh), { vertex })
    }
    case TRACK_TYPE.visibility:
      return one('visibility', 'step', mesh >= 0 ? { kind: 'mesh', index: mesh } : joint, 1, onOrOff)
    case TRACK_TYPE.visibilityTree: {
      const made = one('visibility', 'step', joint, 1, onOrOff)
      // a damaged file may hide every mesh thousands of times: the budget keeps memory bounded
      const all = keyTotal(track) > 0 && budget.left > 0 ? meshesBelow(scene, joint.index) : []
      budget.left -= all.length
      const below = all.filter((index) => !apart.has(index))
      // each of them has a visibility of its own: the track is there, and moves none
      if (all.length > 0 && below.length === 0) return one('unknown', 'step', joint, 1)
      return below.length ? below.map((index) => ({ ...made[0], target: { kind: 'mesh' as const, index } })) : made
    }
    case TRACK_TYPE.cameraPosition:
    case TRACK_TYPE.cameraTarget:
    case TRACK_TYPE.cameraRoll:
    case TRACK_TYPE.cameraFov:
      return one('camera', 'linear', joint, typeComponents(track.type).length)
    default:
      return one('unknown', 'step', joint, typeComponents(track.type).length)
  }
}

/** A skinned mesh stands in scene space at bind; its morphed vertices go there too. */
function skinnedPoint(place: MdsInScene, mesh: number): ((v: Float32Array, i: number) => void) | undefined {
  const bind = place.ownerBind.get(mesh)
  return bind && ((v, i) => transformPoint(v, i, bind, 0, v[i], v[i + 1], v[i + 2]))
}

function meshesBelow(scene: Scene, joint: number): number[] {
  const below = new Uint8Array(scene.skeleton.count)
  for (let j = joint; j < scene.skeleton.count; j++)
    below[j] = j === joint || (scene.skeleton.parents[j] >= 0 && below[scene.skeleton.parents[j]]) ? 1 : 0
  return scene.meshes.flatMap((mesh, i) => (below[mesh.joint] ? [i] : []))
}

/** Times and the first `width` values of each key, ascending; a key with a value that is no number is left out. */
function columns(track: TrackNode, width: number): Columns {
  const n = keyTotal(track)
  const floats = keyFloats(track)
  const { keys } = track
  // as it mostly is: each key counts, and they stand in order
  const times = new Float32Array(n)
  const values = new Float32Array(width * n)
  let plain = true
  for (let k = 0, from = 4, to = 0; k < n; k++, from += KEY_WORDS) {
    if (k > 0 && keys[from - 4] < keys[from - 4 - KEY_WORDS]) plain = false
    times[k] = keys[from - 4]
    for (let c = 0; c < width; c++) {
      const value = floats[from + c]
      // what is no finite number makes no zero
      if (value - value !== 0) plain = false
      values[to++] = value
    }
  }
  return plain ? { times, values } : sortedColumns(track, width)
}

function sortedColumns(track: TrackNode, width: number): Columns {
  const floats = keyFloats(track)
  const keep: number[] = []
  for (let k = 0; k < keyTotal(track); k++)
    if (floats.subarray(KEY_WORDS * k + 4, KEY_WORDS * k + 4 + width).every(Number.isFinite)) keep.push(k)
  keep.sort((a, b) => track.keys[KEY_WORDS * a] - track.keys[KEY_WORDS * b] || a - b)
  const times = new Float32Array(keep.length)
  const values = new Float32Array(width * keep.length)
  keep.forEach((k, i) => {
    times[i] = track.keys[KEY_WORDS * k]
    for (let c = 0; c < width; c++) values[width * i + c] = floats[KEY_WORDS * k + 4 + c]
  })
  return { times, values }
}
