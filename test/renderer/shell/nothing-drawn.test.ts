/** Why a picture has no model in it. */
import { expect, it } from 'vitest'
import { nothingDrawn, saidOfNothing } from '../../../src/renderer/shell/nothing-drawn.ts'
import type { ModelFile } from '../../../src/shared/api/types/model.ts'
import {
  emptyScene,
  type Clip,
  type Helper,
  type Material,
  type Mesh,
  type Scene,
  type Texture,
  type Track,
  type TrackTarget,
} from '../../../src/shared/scene/types.ts'

const file = (error?: string): ModelFile => ({ ref: '/a.dff', name: 'a.dff', error }) as ModelFile
const scene = (parts: Partial<Scene> = {}): Scene => ({ ...emptyScene('a'), ...parts })
const bones = { ...emptyScene('a').skeleton, count: 1 }
const mesh = { visible: true } as Mesh
const said = (of: Scene, ...files: ModelFile[]): string => saidOfNothing(nothingDrawn(of, files), 'a')

it('is nothing to tell of where something is drawn', () => {
  expect(nothingDrawn(scene({ meshes: [mesh] }), [file('cut')])).toBeNull()
  expect(nothingDrawn(scene({ helpers: [{} as Helper] }), [])).toBeNull()
  expect(nothingDrawn(scene({ skeleton: bones }), [file()])).toBeNull()
  expect(said(scene({ skeleton: bones }), file())).toBe('')
})

it('is a file that cannot be read, else what the model has in the place of meshes', () => {
  expect(said(scene(), file(), file('cut short'))).toBe('a.dff cannot be read: cut short')
  // the bones are another file's
  expect(nothingDrawn(scene({ skeleton: bones }), [file(), file('cut short')])).toEqual({ why: 'unread', file: file('cut short') })
  expect(said(scene({ textures: [{} as Texture, {} as Texture] }), file())).toBe('No mesh here, 2 textures')
  expect(nothingDrawn(scene({ clips: [{} as Scene['clips'][number]] }), [file()])).toEqual({ why: 'motion' })
  expect(said(scene(), file())).toBe('Nothing in a can be drawn')
})

const track = (
  kind: TrackTarget['kind'],
  property: Track['property'],
  values: number[],
  interpolation: Track['interpolation'] = 'linear',
): Track => ({
  ...{ target: { kind, index: 0 }, property, interpolation, mode: 'absolute', label: '', source: { ref: 'a', path: '' } },
  times: Float32Array.from(values, (_, i) => 10 * i),
  values: Float32Array.from(property === 'scale' ? values.flatMap((v) => [v, v, v]) : values),
})
const faded = (...tracks: Track[]): Scene => {
  const { skeleton } = emptyScene('a')
  const identity = Float32Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)
  const joint = { restTranslation: new Float32Array(3), restRotation: Float32Array.of(0, 0, 0, 1), restScale: Float32Array.of(1, 1, 1) }
  const part = { visible: true, joint: 0, skin: -1, groups: [{ material: 0, start: 0, count: 3 }] } as unknown as Mesh
  return scene({
    skeleton: { ...skeleton, ...joint, count: 1, names: ['a'], parents: Int32Array.of(-1), restLocal: identity },
    meshes: [part],
    materials: [{} as Material],
    clips: [{ name: 'burn', start: 0, end: 20, unit: 'frame', loop: 'none', tracks } as unknown as Clip],
  })
}
const at = (time: number, start = 0, end = 20) => ({ clip: 0, time, start, end })

it.each([
  ['opacity of its material', track('material', 'opacity', [0, 0, 1]), 11],
  ['visibility of what it hangs on', track('joint', 'visibility', [0, 1], 'step'), 10],
  ['visibility of its own', track('mesh', 'visibility', [0, 1], 'step'), 10],
  ['size of what it hangs on', track('joint', 'scale', [0, 1]), 1],
])('is a mesh that is not seen yet, by the %s, and when it is', (_, fade, first) => {
  const burning = faded(fade)
  expect(nothingDrawn(burning, [], at(0))).toEqual({ why: 'faded', count: 1, at: first })
  expect(nothingDrawn(burning, [], at(20))).toBeNull()
  // in a window where it never is, the clip says
  expect(nothingDrawn(burning, [], at(0, 0, 0.5))).toEqual({ why: 'faded', count: 1, at: first })
  // while it plays
  expect(nothingDrawn(burning, [])).toBeNull()
})

it('is a mesh that is seen before, or nowhere', () => {
  expect(nothingDrawn(faded(track('material', 'opacity', [1, 0, 0])), [], at(15))).toEqual({ why: 'faded', count: 1, at: 0 })
  const never = nothingDrawn(faded(track('material', 'opacity', [0, 0, 0])), [], at(15))
  expect([never, saidOfNothing(never, 'a')]).toEqual([{ why: 'faded', count: 1, at: -1 }, 'One mesh, seen nowhere in this clip'])
  // what no track hides is as the file has it
  expect(nothingDrawn(faded(), [], at(15))).toBeNull()
})
