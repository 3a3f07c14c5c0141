/**
 * What a change of a model's list of clips is: checked, with the words of its undo step. Window and command line make the same steps; what
 * Marrow keeps of its own for these clips, slices and markers, goes along in the same step.
 */
import { FormatError } from '../binary/format-error.ts'
import type { ClipListEditor, EditSession } from '../formats/editing.ts'
import type { Document } from '../formats/format.ts'
import type { Registry } from '../formats/registry.ts'
import type { ClipSource, ListedClip } from '../../shared/api/types/clips.ts'
import { baseName } from '../../shared/ref.ts'
import { followClips } from '../workspace/follow-clips.ts'
import type { OpenModel } from '../workspace/open-model.ts'
import { can } from './calls/checks.ts'
import { say } from '../../shared/texts/say.ts'

/** Numbers count within the list of the model's editor. */
export type ClipChange =
  | { kind: 'add'; name: string; from?: ClipSource }
  | { kind: 'duplicate'; clip: number; name: string }
  | { kind: 'rename'; clip: number; name: string }
  | { kind: 'remove'; clip: number }
  | { kind: 'move'; clip: number; to: number }
  | { kind: 'split'; clip: number; time: number; name: string }
  | { kind: 'join'; clip: number; other: number }
  | { kind: 'merge'; file: Document; only?: string }
  | { kind: 'moveTo'; clip: number; ref: string }
  | { kind: 'unpack'; clip: number }

export interface ClipStep {
  label: string
  body(session: EditSession): void
}

/** @throws FormatError unsupported */
export function clipListOf(model: OpenModel): ClipListEditor {
  return can(model.family.editor.clips?.list, 'changeClipList')
}

/** @throws FormatError invalid-argument, and invalid-edit where the format or the game does not allow it */
export function clipStep(model: OpenModel, change: ClipChange): ClipStep {
  const editor = clipListOf(model)
  const list = editor.list(model)
  const file = model.binding.primary
  const at = (index: number): ListedClip => {
    const found = list[index]
    if (!found) throw new FormatError('invalid-argument', say('formats.missing.clip', { name: index }), { file })
    const why = found.refused[change.kind]
    if (why !== undefined) throw new FormatError('invalid-edit', why, { file: found.ref, path: found.path })
    return found
  }
  const made = (label: string, edit: (session: EditSession) => ReturnType<ClipListEditor['remove']>): ClipStep => ({
    label,
    body: (session) => followClips(session, model.slicesFile, edit(session)),
  })
  switch (change.kind) {
    case 'add': {
      const { name, from } = change
      if (from) at(from.clip)
      return made(say('steps.add', { what: name }), (session) => editor.add(session, name, from))
    }
    case 'duplicate': {
      const { name } = at(change.clip)
      return made(say('steps.duplicate', { name }), (session) => editor.duplicate(session, change.clip, change.name))
    }
    case 'rename': {
      const { name } = at(change.clip)
      return made(say('steps.rename', { name, newName: change.name }), (session) => editor.rename(session, change.clip, change.name))
    }
    case 'remove': {
      const { name } = at(change.clip)
      return made(say('steps.delete', { name }), (session) => editor.remove(session, change.clip))
    }
    case 'move': {
      const { name } = at(change.clip)
      at(change.to)
      return made(say('steps.move', { name }), (session) => editor.move(session, change.clip, change.to))
    }
    case 'split': {
      const { name } = at(change.clip)
      const { time } = change
      return made(say('steps.splitClip', { name, time }), (session) => editor.split(session, change.clip, time, change.name))
    }
    case 'join': {
      const [{ name }, { name: other }] = [at(change.clip), at(change.other)]
      return made(say('steps.joinClips', { name, other }), (session) => editor.join(session, change.clip, change.other))
    }
    case 'merge':
      return made(say('steps.mergeClips', { file: baseName(change.file.ref) }), (session) =>
        editor.merge(session, change.file, change.only),
      )
    case 'unpack': {
      const { name } = at(change.clip)
      const unpack = can(editor.unpack, 'unpackClips')
      return made(say('steps.unpackClip', { name }), (session) => unpack.call(editor, session, change.clip))
    }
    case 'moveTo': {
      const { name } = at(change.clip)
      return made(say('steps.moveClipTo', { name, file: baseName(change.ref) }), (session) =>
        editor.moveTo(session, change.clip, model.member(change.ref)),
      )
    }
  }
}

/** A file whose bytes somebody gave. @throws FormatError unsupported, and what its decoder says */
export function decodeGiven(registry: Registry, name: string, bytes: Uint8Array): Document {
  const found = registry.identify(bytes.subarray(0, 4096), name, bytes.length)
  if (!found?.format) throw new FormatError('unsupported', say('given.noFormat'), { file: name, offset: 0 })
  return found.format.decode(bytes, name)
}
