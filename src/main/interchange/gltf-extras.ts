/**
 * What the game has and glTF has no place for: under the one key `marrow` of `extras`, so that it is in nobody's way. Values
 * are numbers, texts and flat lists of one kind, which programs that keep extras can keep.
 */
import { uniqueNames } from '../../shared/scene/animation-names.ts'
import type { Clip, Helper, Material, Mesh, Scene } from '../../shared/scene/types.ts'

export type Extras = Record<string, unknown>

/** @returns what is set as `extras`; empty where there is nothing to say */
function named(values: Record<string, unknown>): Extras {
  const said = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== false && value !== ''))
  return Object.keys(said).length > 0 ? { marrow: said } : {}
}

export function materialExtras(material: Material): Extras {
  return named({
    blend: material.blend === 'opaque' || material.blend === 'alpha' ? undefined : material.blend,
    teamColor: material.teamColor,
    environment: material.environment,
    uvScroll: material.uvScroll && [...material.uvScroll],
    depthWrite: material.depthWrite ? undefined : 0,
    depthTest: material.depthTest ? undefined : 0,
    prelit: material.prelit,
  })
}

/** @param joint index in the skeleton */
export function jointExtras({ skeleton, helpers }: Scene, joint: number): Extras {
  const [role, billboard] = [skeleton.roles?.[joint], skeleton.billboards?.[joint]]
  return named({
    index: skeleton.nativeIndex[joint],
    role: role === 'joint' ? undefined : role,
    billboard: billboard === 'none' ? undefined : billboard,
    helpers: helpersOf(helpers, joint),
  })
}

export function meshExtras({ lods }: Scene, mesh: Mesh): Extras {
  return named({
    lod: lods[mesh.lod],
    hidden: !mesh.visible,
    billboard: mesh.billboard === 'none' ? undefined : mesh.billboard,
    sortLevel: mesh.sortLevel,
    vertices: mesh.nativeVertexCount,
  })
}

/** Native times of the window and of what happens in it. */
export function windowExtras(clip: Clip, from: number, to: number): Extras {
  const events = clip.events.filter(({ time }) => time >= from && time <= to)
  return named({
    start: from,
    end: to,
    rate: clip.rate,
    unit: clip.unit,
    loop: clip.loop === 'none' ? undefined : clip.loop,
    eventTimes: events.length > 0 ? events.map(({ time }) => time) : undefined,
    eventTypes: events.length > 0 ? events.map(({ type }) => type).join('\n') : undefined,
    eventInfos: events.length > 0 ? events.map(({ info }) => info).join('\n') : undefined,
  })
}

/** Boxes, points and spheres of a joint (-1: of the model) by name: kind, and place with half sizes in the joint's space. */
function helpersOf(helpers: readonly Helper[], joint: number): Record<string, { kind: string; box: number[] }> | undefined {
  const own = helpers.filter((helper) => helper.joint === joint)
  const names = uniqueNames(own.map(({ name, kind }) => name || kind))
  const finite = (value: number): number => (Number.isFinite(value) ? value : 0)
  if (own.length === 0) return undefined
  return Object.fromEntries(own.map(({ kind, center, extent }, i) => [names[i], { kind, box: [...center, ...extent].map(finite) }]))
}

export function sceneExtras({ unitsPerMetre, lods, helpers }: Scene): Extras {
  return named({ unitsPerMetre, lods: lods.length > 0 ? lods.join('\n') : undefined, helpers: helpersOf(helpers, -1) })
}
