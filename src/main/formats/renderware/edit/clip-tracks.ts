/** Tracks of IFP and ANM animations as editors show them: a part of a bone each, by the place that it has in the file. */
import { refuse } from '../../editing.ts'
import { kept } from '../../kept.ts'
import { addressOf, clipAt, lastStep, notHere, numberIn, readAddress } from '../../address.ts'
import { nameOf } from '../../../binary/reader.ts'
import { ANIM_TYPE, animKey, animNodes } from '../codecs/rt-anim.ts'
import { keyScale } from '../scene/clips.ts'
import { keyLayout } from '../codecs/ifp-bones.ts'
import { sayList } from '../../../../shared/texts/say.ts'
import { say } from '../texts/index.ts'
import type { AnmDocument } from '../codecs/anm.ts'
import type { RtAnim } from '../codecs/rt-anim.ts'
import type { IfpBone, IfpDocument, KeyColumns } from '../codecs/ifp-bones.ts'
import type { OpenDocuments } from '../../editing.ts'
import type { NativeTrack, TrackLimits } from '../../../../shared/api/types/clips.ts'

const PARTS = ['rotation', 'translation', 'scale'] as const

export type Part = (typeof PARTS)[number]

const isPart = (name: string): name is Part => PARTS.some((part) => part === name)

export const COMPONENTS: Readonly<Record<Part, string[]>> = {
  rotation: ['x', 'y', 'z', 'w'],
  translation: ['x', 'y', 'z'],
  scale: ['x', 'y', 'z'],
}

interface Place {
  ref: string
  /** animation of an IFP, or root chunk of an ANM */
  animation: number
}

/** What holds the animations: an IFP, or the root chunks of an ANM. */
const ANIMATIONS = ['animations', 'animAnimation']

export function placeOf(model: OpenDocuments, clip: number): Place {
  const { source } = clipAt(model, clip)
  const animation = numberIn(source.path, ...ANIMATIONS)
  if (animation === undefined) refuse(say('edit.clipNotEdited'))
  return { ref: source.ref, animation }
}

export interface TrackPlace extends Place {
  bone: number
  part: Part
}

/** `ref#animations[1].bones[2].rotation` */
export function trackPlace(id: string): TrackPlace {
  const { ref, path } = readAddress(id, 'track')
  const animation = numberIn(path, ...ANIMATIONS)
  const bone = numberIn(path, 'bones', 'nodes')
  const part = lastStep(path).name
  if (animation === undefined || bone === undefined || !isPart(part)) notHere('track', id)
  return { ref, animation, bone, part }
}

function jointOf(model: OpenDocuments, clip: number, path: string): number {
  return model.assembled.scene.clips[clip]?.tracks.find((t) => t.source.path === path)?.target.index ?? -1
}

export function partOffset(layout: KeyColumns, part: Part): number {
  return part === 'rotation' ? layout.rotation : part === 'translation' ? layout.translation : layout.scale
}

/** Most that a stored value can be. */
function limitsOf(document: IfpDocument, bone: IfpBone, part: Part): TrackLimits {
  const shorts = bone.shorts !== null
  const others = ['rotation', 'translation', 'scale'].filter(
    (p) => p !== part && keyLayout(document, bone) && partOffset(keyLayout(document, bone)!, p as Part) >= 0,
  )
  const shared = others.length ? say('edit.keysShared', { parts: sayList(others) }) : ''
  const packed = shorts ? (part === 'rotation' ? say('edit.stepsOfRotation') : say('edit.stepsOfTranslation')) : ''
  return {
    timeStep: shorts ? 1 : 0,
    minTime: 0,
    maxTime: shorts ? 32767 : document.kind === 'ANPK' ? 1e6 : 6e7,
    dense: false,
    stepped: false,
    packed: [packed, shared].filter(Boolean).join('; '),
    readOnly: '',
  }
}

/** Undefined for a bone without keys that can be read. */
function columnsOf(document: IfpDocument, bone: IfpBone): { times: Float64Array; values: Partial<Record<Part, Float32Array>> } | undefined {
  const layout = keyLayout(document, bone)
  const column = bone.shorts ?? bone.floats
  if (!layout || !column) return undefined
  const unit = keyScale(document, bone)
  const times = Float64Array.from({ length: bone.numKeys }, (_, k) => column[layout.stride * k + layout.time] * unit.time)
  const values: Partial<Record<Part, Float32Array>> = {}
  for (const part of PARTS) {
    const at = partOffset(layout, part)
    if (at < 0) continue
    const width = COMPONENTS[part].length
    const scale = part === 'rotation' ? unit.rotation : part === 'translation' ? unit.translation : 1
    const own = (values[part] = new Float32Array(width * bone.numKeys))
    for (let k = 0; k < bone.numKeys; k++) for (let c = 0; c < width; c++) own[width * k + c] = column[layout.stride * k + at + c] * scale
  }
  return { times, values }
}

export function ifpTracks(document: IfpDocument, a: number, clip: number, model: OpenDocuments): NativeTrack[] {
  const animation = document.animations[a]
  const columns = kept(document, animation, `tracks ${document.kind}`, () => animation.bones.map((bone) => columnsOf(document, bone)))
  const out: NativeTrack[] = []
  animation.bones.forEach((bone, b) => {
    const own = columns[b]
    if (!own) return
    const path = `animations[${a}].bones[${b}]`
    const joint = jointOf(model, clip, path)
    for (const part of PARTS) {
      const values = own.values[part]
      if (!values) continue
      const components = COMPONENTS[part]
      out.push({
        id: addressOf(document.ref, `${path}.${part}`),
        sharedKeys: addressOf(document.ref, path),
        ref: document.ref,
        clip: nameOf(animation.name),
        target: nameOf(bone.name),
        joint,
        property: part,
        label: bone.anpk ? `${bone.anpk.keyTag} ${part}` : say('scene.trackOfType', { type: bone.type, part }),
        components,
        times: own.times,
        values,
        limits: limitsOf(document, bone, part),
      })
    }
  })
  return out
}

export function anmTracks(document: AnmDocument, r: number, clip: number, model: OpenDocuments): NativeTrack[] {
  const anim = document.roots[r]?.value as RtAnim
  const out: NativeTrack[] = []
  const key = new Float32Array(8)
  animNodes(anim).forEach((node, i) => {
    const path = `animAnimation[${r}].nodes[${i}]`
    const joint = jointOf(model, clip, path)
    const times = new Float64Array(node.keys.length)
    const rotation = new Float32Array(4 * node.keys.length)
    const translation = new Float32Array(3 * node.keys.length)
    node.keys.forEach((k, at) => {
      animKey(anim, k, key)
      times[at] = key[0]
      rotation.set(key.subarray(1, 5), 4 * at)
      translation.set(key.subarray(5, 8), 3 * at)
    })
    const target = joint >= 0 ? model.assembled.scene.skeleton.names[joint] : say('edit.ofNode', { number: i })
    const limits: TrackLimits = {
      timeStep: 0,
      minTime: 0,
      maxTime: 1e6,
      dense: true,
      stepped: false,
      packed: anim.type === ANIM_TYPE.compressed ? say('edit.halvesFixed') : say('edit.countFixed'),
      readOnly: '',
    }
    for (const [part, values] of [
      ['rotation', rotation],
      ['translation', translation],
    ] as const) {
      out.push({
        id: addressOf(document.ref, `${path}.${part}`),
        sharedKeys: addressOf(document.ref, path),
        ref: document.ref,
        clip: model.assembled.scene.clips[clip].name,
        target,
        joint,
        property: part,
        label: say('scene.trackOfType', { type: anim.type, part }),
        components: COMPONENTS[part],
        times,
        values,
        limits,
      })
    }
  })
  return out
}
