/** Slices and markers: windows on a clip, and named moments of it. */
import type { EditResult } from '../../../shared/api/types/model.ts'
import { ownMarkers } from '../../workspace/slices-file.ts'
import type { OpenModel } from '../../workspace/open-model.ts'
import { addSlice, nameOfSlice, prepareOwnList, prepareSlices, removeSlice, setSlice, sliceOf } from '../slice-steps.ts'
import type { SliceStep } from '../slice-steps.ts'
import { withIn } from './checks.ts'
import type { StepOptions } from './context.ts'
import type { CallContext, HandlersOf } from './context.ts'
import { say } from '../../../shared/texts/say.ts'

export function sliceCalls({ workspace, store, edit }: CallContext): HandlersOf<'slices' | 'markers'> {
  const editSlices = async (model: OpenModel, label: string, body: SliceStep['body'], step: StepOptions = {}): Promise<EditResult> => {
    await prepareSlices(store, model)
    return edit(model.id, label, body, step)
  }

  const make = (model: OpenModel, { label, body }: SliceStep, step?: StepOptions): Promise<EditResult> =>
    editSlices(model, label, body, step)

  return {
    'slices.check': ({ model, values }) => workspace.model(model).slices.check(workspace.model(model), values),
    'slices.add': ({ model, at, clip, values, ...step }) => {
      const open = workspace.model(model)
      return make(open, addSlice(open, at, clip, values), step)
    },
    'slices.set': ({ model, slice, values, ...step }) => {
      const open = workspace.model(model)
      return make(open, setSlice(open, slice, values), step)
    },
    'slices.remove': ({ model, slice }) => {
      const open = workspace.model(model)
      return make(open, removeSlice(open, slice))
    },
    'slices.move': ({ model, from, to, ...step }) => {
      const open = workspace.model(model)
      const { name } = sliceOf(open, from)
      withIn(open.assembled.scene.slices, to, 'slice')
      return editSlices(open, say('steps.move', { name: nameOfSlice(name, from) }), (session) => open.slices.move(session, from, to), step)
    },
    'slices.duplicate': ({ model, slice }) => {
      const open = workspace.model(model)
      const { name } = sliceOf(open, slice)
      return editSlices(open, say('steps.duplicate', { name: nameOfSlice(name, slice) }), (session) =>
        open.slices.duplicate(session, slice),
      )
    },
    'slices.extract': ({ model, slice }) => {
      const open = workspace.model(model)
      const { name, bytes } = open.slices.extract(open, sliceOf(open, slice))
      return { name, bytes }
    },
    'slices.replaceWindow': ({ model, slice, bytes }) => {
      const open = workspace.model(model)
      const found = sliceOf(open, slice)
      return editSlices(open, say('steps.replaceWindow', { name: nameOfSlice(found.name, slice) }), (session) =>
        open.slices.replaceWindow(session, found, bytes),
      )
    },

    'markers.add': async ({ model, clip, name, time }) => {
      withIn(workspace.model(model).assembled.scene.clips, clip, 'clip')
      await prepareOwnList(store, workspace.model(model))
      return edit(model, say('steps.addMarker', { name }), (session, open) => ownMarkers(open.slicesFile).add(session, clip, name, time))
    },
    'markers.set': ({ model, marker, values, ...step }) => {
      const { markers } = workspace.model(model).assembled.scene
      withIn(markers, marker, 'marker')
      return edit(
        model,
        values.name !== undefined
          ? say('steps.renameMarker', { name: markers[marker].name, newName: values.name })
          : say('steps.moveMarker', { name: markers[marker].name }),
        (session, open) => ownMarkers(open.slicesFile).set(session, marker, values),
        step,
      )
    },
    'markers.remove': ({ model, marker }) => {
      const { markers } = workspace.model(model).assembled.scene
      withIn(markers, marker, 'marker')
      return edit(model, say('steps.deleteMarker', { name: markers[marker].name }), (session, open) =>
        ownMarkers(open.slicesFile).remove(session, marker),
      )
    },
  }
}
