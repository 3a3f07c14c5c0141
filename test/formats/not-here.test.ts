/** What a caller names and a model has not is answered by one code, whatever the family and the editor. */
import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { addressOf } from '../../src/main/formats/address.ts'
import { FormatError } from '../../src/main/binary/format-error.ts'
import { families, formatById, HEAD_BYTES, registry } from '../../src/main/formats/registry.ts'
import { sampleFiles } from '../support/sample.ts'
import { neighbourhoodOf } from '../fuzz/memory-store.ts'
import { memoryModel, type MemoryModel } from '../support/edit-session.ts'
import type { FamilyEditor } from '../../src/main/formats/editing.ts'
import type { Family } from '../../src/main/formats/family.ts'

const FILES = sampleFiles().flatMap(({ path, bytes }) => {
  const found = registry.identify(bytes.subarray(0, HEAD_BYTES), path.split('/').at(-1)!, bytes.length)?.format
  return found ? [{ ref: path, bytes, format: found.id }] : []
})

/** The model of the sample library with the most of everything: its skeleton, a skin and clips. */
function sampleModel(family: Family): MemoryModel {
  const own = FILES.filter((file) => formatById(file.format)!.family === family.id || formatById(file.format)!.family === 'common')
  const { around } = neighbourhoodOf(own)
  const folders = [...new Set(own.map((file) => dirname(file.ref)))]
  const bindings = folders.flatMap((folder) => family.bind(folder, around))
  const binding = bindings.sort((a, b) => b.members.length - a.members.length)[0]
  const files = Object.fromEntries(own.map((file) => [file.ref, { format: formatById(file.format)!, bytes: file.bytes }]))
  return memoryModel(family, binding, files)
}

const NOWHERE = 9999

/** Calls that name something that is not there, by what they are about. */
function calls(editor: FamilyEditor, model: MemoryModel): [string, () => unknown][] {
  const out: [string, () => unknown][] = []
  const { clips, weights, skeleton, events, points, submeshes, materials, textures, slices } = editor
  const refs = model.binding.members.map((member) => member.ref)
  const addresses = [
    'no address',
    addressOf('no file', 'tracks[0]'),
    ...refs.flatMap((ref) =>
      [
        '',
        `tracks[${NOWHERE}]`,
        `tracks[${NOWHERE}].rotation`,
        `animations[0].bones[${NOWHERE}].rotation`,
        `controlPoints[${NOWHERE}]`,
        `nodes[${NOWHERE}].mdt`,
        'nothing.here[3]',
      ].map((path) => addressOf(ref, path)),
    ),
  ]
  const add = (name: string, call: (() => unknown) | undefined): void => void (call && out.push([name, call]))
  if (clips) {
    add('clips.tracks of no clip', () => clips.tracks(model, NOWHERE))
    const { list } = clips
    add('clips.list.duplicate of no clip', list && (() => list.duplicate(model, NOWHERE, 'x')))
    add('clips.list.rename of no clip', list && (() => list.rename(model, NOWHERE, 'x')))
    add('clips.list.remove of no clip', list && (() => list.remove(model, NOWHERE)))
    add('clips.list.split of no clip', list && (() => list.split(model, NOWHERE, 1, 'x')))
    add('clips.list.add from no clip', list && (() => list.add(model, 'x', { clip: NOWHERE, start: 0, end: 1 })))
    add('clips.fields of no clip', clips.fields && (() => clips.fields!(model, NOWHERE)))
    add('clips.setField of no clip', clips.setField && (() => clips.setField!(model, NOWHERE, 'name', 'x')))
    add('clips.setField of no field', clips.setField && (() => clips.setField!(model, 0, 'no field', 1)))
    add('clips.addTrack to no clip', clips.addTrack && (() => clips.addTrack!(model, NOWHERE, 0, 'rotation')))
    add('clips.addTrack of no joint', clips.addTrack && (() => clips.addTrack!(model, 0, NOWHERE, 'rotation')))
    for (const track of addresses) {
      add(`clips.editKeys of ${track}`, () => clips.editKeys(model, [{ track, remove: Uint32Array.of(0) }]))
      add(`clips.removeTrack of ${track}`, clips.removeTrack && (() => clips.removeTrack!(model, track)))
    }
  }
  if (weights)
    for (const id of addresses) {
      add(`weights.read of ${id}`, () => weights.read(model, id))
      add(`weights.write of ${id}`, () =>
        weights.write(model, {
          id,
          vertices: Uint32Array.of(0),
          offsets: Uint32Array.of(0, 1),
          bone: Uint16Array.of(0),
          weight: Float32Array.of(1),
        }),
      )
    }
  if (skeleton) {
    for (const joint of [NOWHERE, -1]) {
      add(`skeleton.fields of joint ${joint}`, () => skeleton.fields(model, joint))
      add(`skeleton.references of joint ${joint}`, () => skeleton.references(model, joint))
      add(`skeleton.namedBy of joint ${joint}`, skeleton.namedBy && (() => skeleton.namedBy!(model, joint)))
      add(`skeleton.rename of joint ${joint}`, skeleton.rename && (() => skeleton.rename!(model, joint, 'x')))
      add(
        `skeleton.setField of joint ${joint}`,
        skeleton.setField && (() => skeleton.setField!(model, joint, 'translation', [0, 0, 0], { keepSkin: true })),
      )
      add(
        `skeleton.place of joint ${joint}`,
        skeleton.place && (() => skeleton.place!(model, joint, { translation: [0, 0, 0] }, { keepSkin: true })),
      )
      add(`skeleton.reparent of joint ${joint}`, skeleton.reparent && (() => skeleton.reparent!(model, joint, 0)))
    }
    add('skeleton.setField of no field', skeleton.setField && (() => skeleton.setField!(model, 1, 'no field', [0], { keepSkin: true })))
    add('skeleton.reparent to no joint', skeleton.reparent && (() => skeleton.reparent!(model, 2, NOWHERE)))
  }
  if (events) {
    const event = { time: 0, type: 'x', info: '' }
    add('events.add to no clip', () => events.add(model, NOWHERE, event))
    add('events.set of no clip', () => events.set(model, NOWHERE, 0, event))
    add('events.set of no event', () => events.set(model, 0, NOWHERE, event))
    add('events.remove of no event', () => events.remove(model, 0, NOWHERE))
  }
  if (points) {
    add('points.add to no file', () => points.add(model, 'no file', 0, [0, 0, 0]))
    add('points.add to no joint', () =>
      points.add(
        model,
        refs.find((ref) => ref.endsWith('.msh'))!,
        NOWHERE,
        [0, 0, 0],
      ),
    )
    for (const id of addresses) {
      add(`points.set of ${id}`, () => points.set(model, id, 'position', [0, 0, 0], { keepPlace: true }))
      add(`points.place of ${id}`, () => points.place(model, id, [0, 0, 0]))
      add(`points.remove of ${id}`, () => points.remove(model, id))
      add(`points.duplicate of ${id}`, () => points.duplicate(model, id))
    }
  }
  if (submeshes) {
    add('submeshes.list of no mesh', () => submeshes.list(model, NOWHERE))
    add('submeshes.set of no mesh', () => submeshes.set(model, NOWHERE, 0, 'texture', 'x'))
    add('submeshes.set of no submesh', () => submeshes.set(model, 0, NOWHERE, 'texture', 'x'))
    add('submeshes.set of no field', () => submeshes.set(model, 0, 0, 'no field', 'x'))
  }
  add('materials.places of no material', materials && (() => materials.places(model, NOWHERE)))
  if (textures) {
    add('textures.replace of no texture', () => textures.replace(model, NOWHERE, 1, 1, new Uint8Array(4)))
    add('textures.pixels of no texture', () => textures.pixels(model, NOWHERE, 0))
    add('textures.pixels of no level', () => textures.pixels(model, 0, NOWHERE))
  }
  if (slices) {
    const values = { name: 'x', start: 1, end: 2, speed: 1 }
    add('slices.add to no clip', () => slices.add(model, 0, NOWHERE, values))
    add('slices.set of no slice', () => slices.set(model, NOWHERE, values))
    add('slices.remove of no slice', () => slices.remove(model, NOWHERE))
    add('slices.move of no slice', () => slices.move(model, NOWHERE, 0))
    add('slices.duplicate of no slice', () => slices.duplicate(model, NOWHERE))
  }
  return out
}

describe.each(families.filter((family) => family.editor.skeleton).map((family) => [family.id, family] as const))('%s', (_, family) => {
  it('says not-found of whatever is not there', () => {
    const model = sampleModel(family)
    const answers = calls(family.editor, model).map(([name, call]) => {
      try {
        call()
        return `${name}: nothing`
      } catch (error) {
        return `${name}: ${error instanceof FormatError ? error.code : String(error)}`
      }
    })
    expect(answers.length).toBeGreaterThan(20)
    expect(answers.filter((answer) => !answer.endsWith(': not-found'))).toEqual([])
  })
})
