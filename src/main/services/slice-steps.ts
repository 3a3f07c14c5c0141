/**
 * What a change of a model's slices is: checked, with the words of its undo step. Window and command line make the same steps, in the
 * game's own files or in Marrow's list where the game keeps no slices.
 */
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { FormatError } from '../binary/format-error.ts'
import type { FileStore } from '../files/store.ts'
import type { EditSession, SliceValues } from '../formats/editing.ts'
import type { Slice } from '../../shared/scene/types.ts'
import { replaceFile, writeAll } from '../workspace/atomic.ts'
import type { OpenModel } from '../workspace/open-model.ts'
import { EMPTY_SLICES } from '../workspace/slices-file.ts'
import { say } from '../../shared/texts/say.ts'

export interface SliceStep {
  label: string
  /** what may be meant otherwise; nothing that keeps the step from being made */
  warnings: string[]
  body(session: EditSession): void
}

/** @throws FormatError invalid-argument */
export function sliceOf(model: OpenModel, index: number): Slice {
  const slice = model.assembled.scene.slices[index]
  if (!slice) throw new FormatError('invalid-argument', say('formats.missing.slice', { name: index }), { file: model.binding.primary })
  return slice
}

/** What a slice is called where the game gives it no name. */
export function nameOfSlice(name: string, index: number): string {
  return name || say('steps.slice', { index })
}

/** @param at its place, at most behind the last one @throws FormatError invalid-argument, invalid-edit */
export function addSlice(model: OpenModel, at: number, clip: number, values: SliceValues): SliceStep {
  const { clips, slices } = model.assembled.scene
  if (!clips[clip]) throw new FormatError('invalid-argument', say('formats.missing.clip', { name: clip }), { file: model.binding.primary })
  const place = Math.min(at, slices.length)
  return {
    label: say('steps.add', { what: values.name || say('steps.aSlice') }),
    warnings: checked(model, values),
    body: (session) => model.slices.add(session, place, clip, values),
  }
}

/** @throws FormatError invalid-argument, invalid-edit */
export function setSlice(model: OpenModel, index: number, values: Partial<SliceValues>): SliceStep {
  const { name, start, end, speed } = sliceOf(model, index)
  return {
    label:
      values.name !== undefined
        ? say('steps.rename', { name, newName: values.name })
        : say('steps.change', { what: nameOfSlice(name, index) }),
    warnings: checked(model, { name, start, end, speed, ...values }),
    body: (session) => model.slices.set(session, index, values),
  }
}

/** @throws FormatError invalid-argument */
export function removeSlice(model: OpenModel, index: number): SliceStep {
  const { name } = sliceOf(model, index)
  return {
    label: say('steps.delete', { name: nameOfSlice(name, index) }),
    warnings: [],
    body: (session) => model.slices.remove(session, index),
  }
}

/** @returns warnings @throws FormatError invalid-edit */
function checked(model: OpenModel, values: SliceValues): string[] {
  const found = model.slices.check(model, values)
  const error = found.find(({ severity }) => severity === 'error')
  if (error) throw new FormatError('invalid-edit', error.message, { file: model.binding.primary })
  return found.map(({ message }) => message)
}

/** Marrow's own list of slices and markers comes into being with the first one. */
export async function prepareOwnList(store: FileStore, model: OpenModel): Promise<void> {
  if (!model.slicesFile || store.exists(model.slicesFile)) return
  await mkdir(dirname(model.slicesFile), { recursive: true })
  await replaceFile(model.slicesFile, (handle) => writeAll(handle, EMPTY_SLICES))
}

/** Before a step is made: where the game keeps no slices, there is a list for them. */
export async function prepareSlices(store: FileStore, model: OpenModel): Promise<void> {
  if (!model.family.editor.slices) await prepareOwnList(store, model)
}
