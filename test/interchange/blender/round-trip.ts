/** Models of the sample library on their way to Blender and back: what real runs and recorded ones share. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { clipRate, sliceRate } from '../../../src/main/interchange/clip-window.ts'
import { writeGltf } from '../../../src/main/interchange/gltf-writer.ts'
import { createServices } from '../../../src/main/services/create-services.ts'
import { dispatch } from '../../../src/main/services/dispatch.ts'
import type { CallArgs, CallName, CallResult } from '../../../src/shared/api/contract.ts'
import type { OpenedModel } from '../../../src/shared/api/types/model.ts'
import { animationNames } from '../../../src/shared/scene/animation-names.ts'
import { createPose } from '../../../src/shared/scene/pose.ts'
import type { Clip, Mesh, Scene, Track } from '../../../src/shared/scene/types.ts'
import type { Painted, Rested, Turn } from './blender.ts'

/** Frames per second that every key of a clip stands on. */
export const FAMILIES = { level5: 30, w3d: 30, renderware: 60, lostsaga: 100 } as const
export type FamilyName = keyof typeof FAMILIES

export class SampleLibrary {
  private readonly state = mkdtempSync(join(tmpdir(), 'marrow-blender-test-'))
  private readonly services = createServices({ stateFolder: this.state, host: 'web', watchEvery: 0 })

  async call<K extends CallName>(name: K, args: CallArgs<K>): Promise<CallResult<K>> {
    const answer = await dispatch(this.services, name, args, new AbortController().signal)
    if (!answer.ok) throw Object.assign(new Error(`${name}: ${answer.error.message}`), answer.error)
    return answer.value as CallResult<K>
  }

  /** One skinned, animated model of each family. */
  async open(): Promise<Record<FamilyName, OpenedModel>> {
    const library = (await this.call('library.openSample', {})).id
    await this.call('library.scan', { library })
    const { rows } = await this.call('library.query', { library, show: 'models', sort: 'name', offset: 0, limit: 200 })
    const found: Partial<Record<FamilyName, OpenedModel>> = {}
    for (const { family, ref } of rows) {
      const name = family as FamilyName
      if (found[name]) continue
      const model = await this.call('model.open', { ref, library })
      if (model.scene.clips.some((c) => c.tracks.length > 2) && model.scene.meshes.some((mesh) => mesh.skin >= 0)) found[name] = model
      else await this.call('model.close', { model: model.info.id })
    }
    return found as Record<FamilyName, OpenedModel>
  }

  async close(): Promise<void> {
    await this.services.close()
    rmSync(this.state, { recursive: true, force: true })
  }
}

/** What is exported for a trip: the whole skeleton, one animation, and of each mesh one triangle, so that files stay small. */
export async function exported(scene: Scene): Promise<Uint8Array> {
  const light: Scene = {
    ...scene,
    textures: [],
    materials: [],
    meshes: scene.meshes.flatMap((mesh) =>
      mesh.skin >= 0 ? [{ ...mesh, indices: mesh.indices.slice(0, 3), groups: [{ start: 0, count: 3, material: -1 }] }] : [],
    ),
  }
  const { files } = await writeGltf(light, {
    format: 'glb',
    name: 'trip',
    animations: [stretchOf(scene).name],
  })
  return files[0].bytes
}

/** Triangles of a mesh that go on a trip for weights and rest. */
const SHAPE_TRIANGLES = 60

/** The first skinned mesh in part and the whole skeleton, without animations. */
export async function exportedShape(scene: Scene): Promise<Uint8Array> {
  const mesh = shapeOf(scene)
  const corners = 3 * SHAPE_TRIANGLES
  const light: Scene = {
    ...scene,
    textures: [],
    materials: [],
    meshes: [{ ...mesh, indices: mesh.indices.slice(0, corners), groups: [{ start: 0, count: corners, material: -1 }] }],
  }
  const { files } = await writeGltf(light, { format: 'glb', name: 'trip', animations: [] })
  return files[0].bytes
}

function shapeOf({ meshes, lods }: Scene): Mesh {
  return meshes.find((mesh) => mesh.skin >= 0 && mesh.indices.length > 0 && (mesh.lod < 0 || mesh.lod === lods.length - 1))!
}

/** Of the joint that carries most of the shape a half onto the joint above it, or below where none above is in the skin. */
export function paintedOf(scene: Scene): Painted {
  const { skeleton, skins } = scene
  const mesh = shapeOf(scene)
  const skin = skins[mesh.skin]
  const carried = new Map<number, number>()
  for (const vertex of new Set(mesh.indices.slice(0, 3 * SHAPE_TRIANGLES)))
    for (let i = skin.offsets[vertex]; i < skin.offsets[vertex + 1]; i++) {
      const joint = skin.joints[skin.slots[i]]
      carried.set(joint, (carried.get(joint) ?? 0) + skin.weights[i])
    }
  const joints = new Set(skin.joints)
  const near = (joint: number): number =>
    joints.has(skeleton.parents[joint]) ? skeleton.parents[joint] : skeleton.parents.findIndex((p, i) => p === joint && joints.has(i))
  const [most] = [...carried].filter(([joint]) => near(joint) >= 0).sort((a, b) => b[1] - a[1])[0]
  return { joint: skeleton.names[most], onto: skeleton.names[near(most)], share: 0.75 }
}

/** One bone with a child that is moved, and one on another branch that is turned. */
export function restedOf(scene: Scene): Rested[] {
  const { skeleton, skins } = scene
  const { parents, names } = skeleton
  const joints = new Set(skins[shapeOf(scene).skin].joints)
  const childOf = (joint: number): number => parents.findIndex((p, i) => p === joint && joints.has(i))
  const chains = [...joints].filter((joint) => joints.has(parents[joint]) && childOf(joint) >= 0)
  const moved = chains.at(-1)!
  const above = (joint: number, of: number): boolean => {
    for (let p = of; p >= 0; p = parents[p]) if (p === joint) return true
    return false
  }
  const turned = chains.find((joint) => !above(joint, moved) && !above(moved, joint))!
  const world = createPose(scene).world
  const height =
    Math.max(...[...joints].map((joint) => world[16 * joint + 13])) - Math.min(...[...joints].map((joint) => world[16 * joint + 13]))
  return [
    { joint: names[moved], by: Number((0.05 * height).toPrecision(2)), degrees: 0 },
    { joint: names[turned], by: 0, degrees: 15 },
  ]
}

/** A slice or clip under the name that an export gives it; native times, and how many of them pass in a second. */
export interface Stretch {
  name: string
  clip: number
  start: number
  end: number
  rate: number
}

/** Slices and clips in which something turns, the shortest first. */
export function stretchesOf(scene: Scene): Stretch[] {
  const { slices, clips } = scene
  const names = animationNames(scene)
  const all = [
    ...slices.map((slice, i) => ({ ...slice, name: names.slices[i], rate: sliceRate(slice, clips[slice.clip]) })),
    ...clips.map((clip, i) => ({ name: names.clips[i], clip: i, start: clip.start, end: clip.end, rate: clipRate(clip) })),
  ]
  const length = ({ start, end, rate }: Stretch): number => (end - start) / rate
  return all
    .filter(({ clip, start, end }) => end > start && turningTracks(clips[clip], start, end).length > 0)
    .sort((a, b) => length(a) - length(b))
}

/** A slice where there are slices. */
function stretchOf(scene: Scene): Stretch {
  const all = stretchesOf(scene)
  return all.find(({ name }) => scene.slices.length === 0 || scene.slices.some((slice) => slice.name === name)) ?? all[0]
}

function turningTracks({ tracks }: Clip, start: number, end: number): Track[] {
  return tracks.filter(
    (t) => t.property === 'rotation' && t.target.kind === 'joint' && t.times.filter((time) => time > start && time < end).length > 2,
  )
}

/** A joint that has a key at a whole frame in the midst of an animation, and what turns it there by 20 degrees. */
export function turnOf(scene: Scene, fps: number, { name, clip, start, end, rate }: Stretch = stretchOf(scene)): Turn | undefined {
  const frameOf = (time: number): number => ((time - start) / rate) * fps
  for (const track of turningTracks(scene.clips[clip], start, end)) {
    const middle = track.times.findLast(
      (time) => time > start && time < (start + 2 * end) / 3 && Math.abs(frameOf(time) - Math.round(frameOf(time))) < 1e-3,
    )
    if (middle === undefined) continue
    return { animation: name, joint: scene.skeleton.names[track.target.index], frame: Math.round(frameOf(middle)), degrees: 20 }
  }
  return undefined
}
