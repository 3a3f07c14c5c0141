/** Animations of IFP and ANM files behind the interface that all families share. */
import { jointAt, notHere, numberIn, ofFormat } from '../../address.ts'
import { nameOf } from '../../../binary/reader.ts'
import { basisQuat, basisScale, basisVector } from '../scene/basis.ts'
import { ifpFormat } from '../codecs/ifp.ts'
import { placeOf, ifpTracks, anmTracks, trackPlace } from './clip-tracks.ts'
import { refuse } from '../../editing.ts'
import { editIfp } from './ifp-keys.ts'
import { editAnm } from './anm-keys.ts'
import { addBone, setTranslation } from './ifp-bones.ts'
import { drop } from './ifp-windows.ts'
import { clipList } from './clip-list.ts'
import { say } from '../texts/index.ts'
import type { AnmDocument } from '../codecs/anm.ts'
import type { IfpDocument } from '../codecs/ifp-bones.ts'
import type { ClipEditor } from '../../editing.ts'
import type { KeyEdit } from '../../../../shared/api/types/clips.ts'
import type { TrackPlace } from './clip-tracks.ts'

export const clips: ClipEditor = {
  tracks(model, clip) {
    const place = placeOf(model, clip)
    const document = model.document(place.ref)
    if (document?.format === 'renderware.ifp') return ifpTracks(document as IfpDocument, place.animation, clip, model)
    if (document?.format === 'renderware.anm') return anmTracks(document as AnmDocument, place.animation, clip, model)
    return []
  },
  editKeys(session, edits) {
    const byFile = new Map<string, { place: TrackPlace; edit: KeyEdit }[]>()
    for (const edit of edits) {
      const place = trackPlace(edit.track)
      byFile.set(place.ref, [...(byFile.get(place.ref) ?? []), { place, edit }])
    }
    for (const [ref, list] of byFile) {
      const document = session.edit(ref)
      if (document.format === 'renderware.ifp') editIfp(document as IfpDocument, list)
      else if (document.format === 'renderware.anm') editAnm(document as AnmDocument, list)
      else notHere('track', list[0].edit.track)
    }
  },
  addTrack(session, clip, joint, property) {
    const place = placeOf(session, clip)
    jointAt(session, joint)
    const document = session.edit<IfpDocument>(place.ref)
    if (document.format !== 'renderware.ifp') refuse(say('edit.bonesNotAdded'))
    const animation = document.animations[place.animation]
    const { skeleton, clips } = session.assembled.scene
    const path = clips[clip].tracks.find((t) => t.target.kind === 'joint' && t.target.index === joint)?.source.path
    const existing = path ? animation.bones[numberIn(path, 'bones') ?? -1] : undefined
    if (property === 'translation') {
      const bone = existing ?? addBone(session, document, animation, joint)
      setTranslation(document, animation, bone, skeleton.restTranslation.subarray(3 * joint, 3 * joint + 3))
    } else if (property === 'rotation') {
      if (existing) refuse(say('edit.boneMovedAlready'))
      addBone(session, document, animation, joint)
    } else refuse(say('edit.noSuchTracks', { property }))
  },
  removeTrack(session, track) {
    const place = trackPlace(track)
    const found = session.edit(place.ref)
    if (found.format === 'renderware.anm') refuse(say('edit.bonesNotTaken'))
    const document = ofFormat<IfpDocument>(found, ifpFormat.id, 'track', track)
    const animation = document.animations[place.animation]
    const bone = animation?.bones[place.bone]
    if (!bone) notHere('track', track)
    if (place.part === 'translation') {
      setTranslation(document, animation, bone, null)
      return
    }
    if (place.part === 'scale') refuse(say('edit.scaleAlone'))
    drop(document, animation, bone)
  },
  fields(model, clip) {
    const place = placeOf(model, clip)
    const document = model.document(place.ref)
    if (document?.format !== 'renderware.ifp') return []
    const animation = (document as IfpDocument).animations[place.animation]
    return [
      {
        key: 'name',
        label: say('edit.fields.name'),
        value: nameOf(animation.name),
        note: (document as IfpDocument).kind === 'ANPK' ? undefined : say('edit.atMostCharacters', { most: 23 }),
      },
    ]
  },
  setField(session, clip, key, value) {
    if (session.document(placeOf(session, clip).ref)?.format !== ifpFormat.id || key !== 'name') notHere('field', key)
    clipList.rename(session, clip, String(value))
  },
  fromScene(model, track, sceneValue) {
    const out = new Float32Array(track.components.length)
    const document = model.document(track.ref) as IfpDocument | undefined
    if (track.property === 'rotation') {
      basisQuat(out, 0, sceneValue, 0)
      if (document?.format === 'renderware.ifp' && document.kind === 'ANPK') for (let c = 0; c < 3; c++) out[c] = -out[c]
    } else if (track.property === 'scale') basisScale(out, 0, sceneValue, 0)
    else basisVector(out, 0, sceneValue, 0)
    return out
  },
  list: clipList,
}
