/**
 * What is chosen is named by its place in the scene. After an edit, an undo or a file from outside the same thing may stand at another place: this
 * says where.
 */
import type { Scene } from '../../shared/scene/types.ts'

/** Place of a thing after a change, of its place before it; -1 where it is gone. */
export type Follow = (place: number) => number

const stays: Follow = (place) => place

/**
 * @param before names of the things of a list, in their order; @param after the same after a change
 * @returns where each stands now. A list of the same length that has other names was edited in place: there each stays what it was
 */
export function follow(before: readonly string[], after: readonly string[]): Follow {
  if (before.length === after.length && before.every((name, i) => name === after[i])) return stays
  const now = new Map<string, number[]>()
  after.forEach((name, i) => {
    const own = now.get(name)
    if (own) own.push(i)
    else now.set(name, [i])
  })
  // of several with one name the first stays the first
  const places = before.map((name) => now.get(name)?.shift() ?? -1)
  if (before.length === after.length && places.includes(-1)) return stays
  return (place) => places[place] ?? -1
}

/** Lists of a scene that something can be chosen in, each with what its things are told apart by. */
const NAMES = {
  joint: ({ skeleton }: Scene) => skeleton.names,
  mesh: ({ meshes }: Scene) => meshes.map(({ name }) => name),
  material: ({ materials }: Scene) => materials.map(({ name }) => name),
  texture: ({ textures }: Scene) => textures.map(({ name }) => name),
  helper: ({ helpers }: Scene) => helpers.map(({ name }) => name),
  clip: ({ clips }: Scene) => clips.map(({ name, source }) => `${source.ref}\n${name}`),
  slice: ({ slices }: Scene) => slices.map(({ name, start, end, clip }) => `${clip} ${start} ${end} ${name}`),
}
export type Followed = keyof typeof NAMES
export const FOLLOWED = Object.keys(NAMES) as Followed[]

/** What tells a thing of a list apart from the others; '' for none. */
export const nameIn = (list: Followed, scene: Scene, place: number): string => NAMES[list](scene)[place] ?? ''
/** Place of the thing that was called so (`nameIn`), -1 where there is none. */
export const placeIn = (list: Followed, scene: Scene, name: string): number => (name === '' ? -1 : NAMES[list](scene).indexOf(name))

export function followIn(list: Followed, before: Scene, after: Scene): Follow {
  return before === after ? stays : follow(NAMES[list](before), NAMES[list](after))
}
