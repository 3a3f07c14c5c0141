/**
 * Addresses of what stands in a file: `ref#tracks[3].rotation` names a track, a skin or a point to the window; the path alone names
 * a node in descriptions, sources and diagnostics. They are made and read here and nowhere else.
 */
import { FormatError } from '../binary/format-error.ts'
import { say } from '../../shared/texts/say.ts'
import type { formats } from '../../shared/texts/en/formats.ts'
import type { Document } from './format.ts'
import type { Clip, Material, Scene } from '../../shared/scene/types.ts'

/** What callers name, as the texts have it. */
export type Thing = keyof typeof formats.missing

/** One step of a path: `frames[2]` is `{name: 'frames', number: 2}`. */
export interface PathStep {
  name: string
  number?: number
}

/** @param ref file or member, may hold any character @param path steps parted by dots */
export function addressOf(ref: string, path: string): string {
  return `${ref}#${path}`
}

/**
 * @param what what the address names, for the error: `track`
 * @throws FormatError not-found
 */
export function readAddress(address: string, what: Thing): { ref: string; path: string } {
  const cut = address.lastIndexOf('#')
  if (cut < 0) notHere(what, address)
  return { ref: address.slice(0, cut), path: address.slice(cut + 1) }
}

export function stepsOf(path: string): PathStep[] {
  return path.split('.').map((text) => {
    const found = /^(.*)\[(-?\d+)\]$/.exec(text)
    return found ? { name: found[1], number: Number(found[2]) } : { name: text }
  })
}

/** Number of the first step that goes by one of `names`: 3 of `tracks[3].rotation`, `tracks`. Undefined where there is none. */
export function numberIn(path: string, ...names: string[]): number | undefined {
  return stepsOf(path).find((step) => step.number !== undefined && names.includes(step.name))?.number
}

export function lastStep(path: string): PathStep {
  return stepsOf(path).at(-1)!
}

/** The path without its last step; '' for a path of one. */
export function parentPath(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('.')))
}

/**
 * The one way to say that something named by a caller does not exist (any more).
 * @throws FormatError not-found
 */
export function notHere(what: Thing, name: string | number, ref = ''): never {
  notFound(say(`formats.missing.${what}`, { name }), ref)
}

/**
 * The same of what one family alone has, in its own words.
 * @throws FormatError not-found
 */
export function notFound(message: string, ref = ''): never {
  throw new FormatError('not-found', message, { file: ref })
}

/**
 * The document that an address names, as its format's: an address may come from another model.
 * @throws FormatError not-found where the file is of another format, or not there
 */
export function ofFormat<D extends Document>(document: Document | undefined, format: string, what: Thing, address: string): D {
  if (document?.format !== format) notHere(what, address)
  return document as D
}

/** What of the scene callers name by number. */
interface Assembled {
  readonly assembled: { readonly scene: Scene }
}

/** @throws FormatError not-found */
export function clipAt(model: Assembled, clip: number): Clip {
  return model.assembled.scene.clips[clip] ?? notHere('clip', clip)
}

/** @throws FormatError not-found */
export function materialAt(model: Assembled, material: number): Material {
  return model.assembled.scene.materials[material] ?? notHere('material', material)
}

/**
 * The number of a joint, if the scene has it.
 * @throws FormatError not-found
 */
export function jointAt(model: Assembled, joint: number): number {
  return joint in model.assembled.scene.skeleton.names ? joint : notHere('joint', joint)
}
