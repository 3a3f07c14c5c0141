/** Slices and markers: windows on a clip, and named moments of it. */
import { FormatError } from '../../binary/format-error.ts'
import type { EditResult } from '../../../shared/api/contract.ts'
import type { EditSession, SliceEditor } from '../../formats/editing.ts'
import type { Slice } from '../../../shared/scene/types.ts'
import { ownMarkers } from '../../workspace/slices-file.ts'
import type { OpenModel } from '../../workspace/open-model.ts'
import { withIn } from './checks.ts'
import type { StepOptions } from './context.ts'
import type { CallContext, HandlersOf } from './context.ts'

export function sliceCalls({ workspace, models, edit }: CallContext): HandlersOf<'slices' | 'markers'> {
  const sliceOf = (model: OpenModel, index: number): Slice => {
    const slice = model.assembled.scene.slices[index]
    if (!slice) throw new FormatError('invalid-argument', `there is no slice ${index}`)
    return slice
  }

  const slicesOf = (id: string): SliceEditor => models.slices(workspace.model(id))

  const editSlices = async (
    id: string,
    label: string,
    body: (slices: SliceEditor, session: EditSession) => void,
    step: StepOptions = {},
  ): Promise<EditResult> => {
    if (!workspace.model(id).family.editor.slices) await models.prepareOwn(workspace.model(id))
    return edit(id, label, (session) => body(slicesOf(id), session), step)
  }

  const checkSlice = (id: string, values: { name: string; start: number; end: number; speed: number }): void => {
    const error = slicesOf(id)
      .check(workspace.model(id), values)
      .find((found) => found.severity === 'error')
    if (error) throw new FormatError('invalid-edit', error.message)
  }

  return {
    'slices.check': ({ model, values }) => slicesOf(model).check(workspace.model(model), values),
    'slices.add': ({ model, at, clip, values, ...step }) => {
      withIn(workspace.model(model).assembled.scene.clips, clip, 'clip')
      checkSlice(model, values)
      return editSlices(
        model,
        `Add ${values.name || 'slice'}`,
        (slices, session) => slices.add(session, Math.min(at, session.assembled.scene.slices.length), clip, values),
        step,
      )
    },
    'slices.set': ({ model, slice, values, ...step }) => {
      const { name, start, end, speed } = sliceOf(workspace.model(model), slice)
      checkSlice(model, { name, start, end, speed, ...values })
      return editSlices(
        model,
        values.name !== undefined ? `Rename ${name} to ${values.name}` : `Change ${name || `slice ${slice}`}`,
        (slices, session) => slices.set(session, slice, values),
        step,
      )
    },
    'slices.remove': ({ model, slice }) => {
      const { name } = sliceOf(workspace.model(model), slice)
      return editSlices(model, `Delete ${name || `slice ${slice}`}`, (slices, session) => slices.remove(session, slice))
    },
    'slices.move': ({ model, from, to, ...step }) => {
      const { name } = sliceOf(workspace.model(model), from)
      withIn(workspace.model(model).assembled.scene.slices, to, 'slice')
      return editSlices(model, `Move ${name || `slice ${from}`}`, (slices, session) => slices.move(session, from, to), step)
    },
    'slices.duplicate': ({ model, slice }) => {
      const { name } = sliceOf(workspace.model(model), slice)
      return editSlices(model, `Duplicate ${name || `slice ${slice}`}`, (slices, session) => slices.duplicate(session, slice))
    },
    'slices.extract': ({ model, slice }) => {
      const open = workspace.model(model)
      const { name, bytes } = slicesOf(model).extract(open, sliceOf(open, slice))
      return { name, bytes }
    },
    'slices.replaceWindow': ({ model, slice, bytes }) => {
      const found = sliceOf(workspace.model(model), slice)
      return editSlices(model, `Replace the window of ${found.name || `slice ${slice}`}`, (slices, session) =>
        slices.replaceWindow(session, found, bytes),
      )
    },

    'markers.add': async ({ model, clip, name, time }) => {
      withIn(workspace.model(model).assembled.scene.clips, clip, 'clip')
      await models.prepareOwn(workspace.model(model))
      return edit(model, `Add marker ${name}`, (session, open) => ownMarkers(open.slicesFile).add(session, clip, name, time))
    },
    'markers.set': ({ model, marker, values, ...step }) => {
      const { markers } = workspace.model(model).assembled.scene
      withIn(markers, marker, 'marker')
      return edit(
        model,
        values.name !== undefined ? `Rename marker ${markers[marker].name} to ${values.name}` : `Move marker ${markers[marker].name}`,
        (session, open) => ownMarkers(open.slicesFile).set(session, marker, values),
        step,
      )
    },
    'markers.remove': ({ model, marker }) => {
      const { markers } = workspace.model(model).assembled.scene
      withIn(markers, marker, 'marker')
      return edit(model, `Delete marker ${markers[marker].name}`, (session, open) => ownMarkers(open.slicesFile).remove(session, marker))
    },
  }
}
