/** Models of the sample library on their way to Blender and back: what real runs and recorded ones share. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeGltf } from '../../../src/main/interchange/gltf-writer.ts'
import { createServices } from '../../../src/main/services/create-services.ts'
import { dispatch } from '../../../src/main/services/dispatch.ts'
import type { CallArgs, CallName, CallResult } from '../../../src/shared/api/contract.ts'
import type { OpenedModel } from '../../../src/shared/api/types/model.ts'
import type { Clip, Scene, Track } from '../../../src/shared/scene/types.ts'
import type { Turn } from './blender.ts'

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

/** The shortest slice or clip in which something turns. */
function stretchOf({ slices, clips }: Scene): { name: string; clip: number; start: number; end: number; rate: number } {
  const all =
    slices.length > 0
      ? slices.map(({ name, clip, start, end, speed }) => ({ name, clip, start, end, rate: speed * 30 }))
      : clips.map(({ name, start, end, rate }, clip) => ({ name, clip, start, end, rate }))
  const turning = all.filter(({ clip, start, end }) => turningTrack(clips[clip], start, end))
  return turning.reduce((best, one) => ((one.end - one.start) / one.rate < (best.end - best.start) / best.rate ? one : best))
}

function turningTrack({ tracks }: Clip, start: number, end: number): Track | undefined {
  return tracks.find(
    (t) => t.property === 'rotation' && t.target.kind === 'joint' && t.times.filter((time) => time > start && time < end).length > 2,
  )
}

/** A joint that has a key at a whole frame in the midst of the animation, and what turns it there by 20 degrees. */
export function turnOf(scene: Scene, fps: number): Turn {
  const { name, clip, start, end, rate } = stretchOf(scene)
  const track = turningTrack(scene.clips[clip], start, end)!
  const frameOf = (time: number): number => ((time - start) / rate) * fps
  const middle = track.times.findLast(
    (time) => time > start && time < (start + 2 * end) / 3 && Math.abs(frameOf(time) - Math.round(frameOf(time))) < 1e-3,
  )!
  return { animation: name, joint: scene.skeleton.names[track.target.index], frame: Math.round(frameOf(middle)), degrees: 20 }
}
