/** Clips as files hold them, their names and lengths: what is the same in all families. */
import { refuse } from './editing.ts'
import type { OpenDocuments } from './editing.ts'
import type { ListedClip } from '../../shared/api/types/clips.ts'
import { say } from '../../shared/texts/say.ts'

/** Clips of the scene as a list of their own, where each is one. @param refused what cannot be done with those of a file, and why */
export function listedClips(model: OpenDocuments, refused: (ref: string) => ListedClip['refused']): ListedClip[] {
  return model.assembled.scene.clips.map(({ name, start, end, rate, unit, source }, clip) => ({
    name,
    clip,
    start,
    end,
    rate,
    unit,
    ref: source.ref,
    path: source.path,
    refused: refused(source.ref),
  }))
}

/**
 * A name as ASCII bytes.
 * @param most characters that the format has room for
 * @param taken names beside it: games find clips without regard to case
 * @throws FormatError invalid-edit
 */
export function plainClipName(name: string, most: number, taken: Iterable<string>): Uint8Array {
  if (!/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(name)) refuse(say('formats.clips.plainName', { name }), 'name')
  if (name.length > most) refuse(say('formats.clips.longName', { name, count: name.length, most }), 'name')
  free(name, taken)
  return Uint8Array.from(name, (c) => c.charCodeAt(0))
}

/** @throws FormatError invalid-edit where another clip has the name, in any case */
function free(name: string, taken: Iterable<string>): void {
  const wanted = name.toLowerCase()
  for (const other of taken) if (other.toLowerCase() === wanted) refuse(say('formats.clips.nameTaken', { name: other }), 'name')
}

/** A time within a clip, at neither of its ends. @throws FormatError invalid-edit */
export function inside(time: number, start: number, end: number): void {
  if (!(time > start && time < end)) refuse(say('formats.clips.notInside', { time, start, end }), 'time')
}

/** A range of a clip; a pose where both are the same. @throws FormatError invalid-edit */
export function rangeWithin(from: { start: number; end: number }, start: number, end: number): void {
  if (!(from.start >= start && from.end <= end && from.start <= from.end))
    refuse(say('formats.clips.outside', { from: from.start, to: from.end, start, end }), 'range')
}

/** Frames of a clip that takes so long, its last one included. */
export function framesIn(seconds: number, rate: number): number {
  return Math.max(0, Math.floor(seconds * rate + 1e-6)) + 1
}
