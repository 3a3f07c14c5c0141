/** Keys, tracks, fields and events of clips. */
import { FormatError } from '../../binary/format-error.ts'
import type { EditSession } from '../../formats/editing.ts'
import type { CallArgs } from '../../../shared/api/contract.ts'
import type { NativeTrack } from '../../../shared/api/types/clips.ts'
import type { EditResult } from '../../../shared/api/types/model.ts'
import { ownMarkers } from '../../workspace/slices-file.ts'
import { ModelPreview } from '../../workspace/model-preview.ts'
import type { OpenModel } from '../../workspace/open-model.ts'
import { clipListOf, clipStep, decodeGiven } from '../clip-steps.ts'
import type { ClipChange } from '../clip-steps.ts'
import { keyPoses } from '../key-poses.ts'
import { offsetKeys } from '../offset-keys.ts'
import { SentTracks } from '../sent-tracks.ts'
import { nameOfSlice } from '../slice-steps.ts'
import { can, withIn } from './checks.ts'
import type { CallContext, HandlersOf } from './context.ts'
import { say } from '../../../shared/texts/say.ts'

/** the field of a clip that is its name, in every family whose clips have one */
const NAME = 'name'

export function clipCalls({ workspace, store, edit, editorOf }: CallContext): HandlersOf<'clips' | 'events'> {
  /** Slices, events and markers that move in time with the keys of a clip. They are counted as before the edit. */
  const editBeside = (
    id: string,
    session: EditSession,
    open: OpenModel,
    clip: number,
    { slices, events, markers }: NonNullable<CallArgs<'clips.editKeys'>['beside']>,
  ): void => {
    const { scene } = session.assembled
    for (const { slice, start, end } of slices) {
      const known = scene.slices[slice]
      if (!known) throw new FormatError('invalid-argument', say('formats.missing.slice', { name: slice }))
      const error = open.slices
        .check(open, { name: known.name, speed: known.speed, start, end })
        .find((found) => found.severity === 'error')
      if (error) throw new FormatError('invalid-edit', say('edits.ofSlice', { name: nameOfSlice(known.name, slice), why: error.message }))
      open.slices.set(session, slice, { start, end })
    }
    for (const { event, time } of events) {
      withIn(scene.clips[clip]?.events ?? [], event, 'event')
      editorOf(id, 'events').set(session, clip, event, { time })
    }
    for (const { marker, time } of markers) ownMarkers(open.slicesFile).set(session, marker, { time })
  }

  const sent = new SentTracks()
  const tracksOf = (id: string, clip: number): NativeTrack[] => {
    const model = workspace.model(id)
    withIn(model.assembled.scene.clips, clip, 'clip')
    return editorOf(id, 'clips').tracks(model, clip)
  }

  /** One step on the list of clips; what Marrow keeps of them in its own files follows. */
  const listed = (id: string, change: ClipChange): Promise<EditResult> => {
    const { label, body } = clipStep(workspace.model(id), change)
    return edit(id, label, body)
  }

  return {
    'clips.list': ({ model }) => {
      const open = workspace.model(model)
      const list = clipListOf(open)
      return { clips: list.list(open), limits: list.limits(open) }
    },
    'clips.add': ({ model, ...change }) => listed(model, { kind: 'add', ...change }),
    'clips.duplicate': ({ model, ...change }) => listed(model, { kind: 'duplicate', ...change }),
    'clips.rename': ({ model, ...change }) => listed(model, { kind: 'rename', ...change }),
    'clips.remove': ({ model, ...change }) => listed(model, { kind: 'remove', ...change }),
    'clips.move': ({ model, from, to }) => listed(model, { kind: 'move', clip: from, to }),
    'clips.split': ({ model, ...change }) => listed(model, { kind: 'split', ...change }),
    'clips.join': ({ model, ...change }) => listed(model, { kind: 'join', ...change }),
    'clips.merge': ({ model, name, bytes, only }) => listed(model, { kind: 'merge', file: decodeGiven(store.registry, name, bytes), only }),
    'clips.unpack': ({ model, ...change }) => listed(model, { kind: 'unpack', ...change }),
    'clips.moveTo': ({ model, ...change }) => listed(model, { kind: 'moveTo', ...change }),
    'clips.tracks': ({ model, clip }) => sent.whole(workspace.model(model), clip, tracksOf(model, clip)),
    'clips.changedTracks': ({ model, clip, since }) => sent.changed(workspace.model(model), clip, since, tracksOf(model, clip)),
    'clips.editKeys': ({ model, label, edits, clip, beside, ...step }) =>
      edit(
        model,
        label,
        (session, open) => {
          editorOf(model, 'clips').editKeys(session, edits)
          if (beside) editBeside(model, session, open, clip ?? 0, beside)
        },
        step,
      ),
    'clips.preview': ({ model, edits }) => {
      const preview = new ModelPreview(workspace.model(model))
      preview.edit((session) => editorOf(model, 'clips').editKeys(session, edits))
      return preview.change()
    },
    'clips.pose': ({ model, clip, label, poses, ...step }) => {
      withIn(workspace.model(model).assembled.scene.clips, clip, 'clip')
      return edit(model, label, (session) => keyPoses(editorOf(model, 'clips'), session, clip, poses), step)
    },
    'clips.offset': ({ model, clip, label, offsets, start, end, easeIn, easeOut, ...step }) => {
      withIn(workspace.model(model).assembled.scene.clips, clip, 'clip')
      const wish = { offsets, start, end, easeIn, easeOut }
      return edit(model, label, (session) => offsetKeys(editorOf(model, 'clips'), session, clip, wish), step)
    },
    'clips.addTrack': ({ model, clip, joint, property }) =>
      edit(model, say('steps.addTrack'), (session) =>
        can(editorOf(model, 'clips').addTrack, 'addTracks').call(editorOf(model, 'clips'), session, clip, joint, property),
      ),
    'clips.removeTrack': ({ model, track }) =>
      edit(model, say('steps.deleteTrack'), (session) =>
        can(editorOf(model, 'clips').removeTrack, 'deleteTracks').call(editorOf(model, 'clips'), session, track),
      ),
    'clips.fields': ({ model, clip }) => {
      withIn(workspace.model(model).assembled.scene.clips, clip, 'clip')
      return editorOf(model, 'clips').fields?.(workspace.model(model), clip) ?? []
    },
    'clips.setField': ({ model, clip, key, value }) => {
      // a name is given as in the list: what Marrow keeps of the clip by its name follows
      if (key === NAME && editorOf(model, 'clips').list?.of === 'clips') return listed(model, { kind: 'rename', clip, name: String(value) })
      return edit(model, say('steps.change', { what: key }), (session) =>
        can(editorOf(model, 'clips').setField, 'changeClipFields').call(editorOf(model, 'clips'), session, clip, key, value),
      )
    },
    'events.add': ({ model, clip, event }) =>
      edit(model, say('steps.addEvent', { type: event.type }), (session) => editorOf(model, 'events').add(session, clip, event)),
    'events.set': ({ model, clip, event, values, ...step }) =>
      edit(model, say('steps.changeEvent'), (session) => editorOf(model, 'events').set(session, clip, event, values), step),
    'events.remove': ({ model, clip, event }) =>
      edit(model, say('steps.deleteEvent'), (session) => editorOf(model, 'events').remove(session, clip, event)),
  }
}
