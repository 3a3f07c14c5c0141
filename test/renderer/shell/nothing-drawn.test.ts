/** Why a picture has no model in it. */
import { expect, it } from 'vitest'
import { nothingDrawn, saidOfNothing } from '../../../src/renderer/shell/nothing-drawn.ts'
import type { ModelFile, ModelInfo } from '../../../src/shared/api/types/model.ts'
import { emptyScene, type Helper, type Mesh, type Scene, type Texture } from '../../../src/shared/scene/types.ts'

const file = (error?: string): ModelFile => ({ ref: '/a.dff', name: 'a.dff', error }) as ModelFile
const scene = (parts: Partial<Scene> = {}): Scene => ({ ...emptyScene('a'), ...parts })
const bones = { ...emptyScene('a').skeleton, count: 1 }
const mesh = { visible: true } as Mesh
const info = (...files: ModelFile[]): ModelInfo => ({ name: 'a', files }) as ModelInfo

it('is nothing to tell of where something is drawn', () => {
  expect(nothingDrawn(scene({ meshes: [mesh] }), [file('cut')])).toBeNull()
  expect(nothingDrawn(scene({ helpers: [{} as Helper] }), [])).toBeNull()
  expect(nothingDrawn(scene({ skeleton: bones }), [file()])).toBeNull()
  expect(saidOfNothing(scene({ skeleton: bones }), info(file()))).toBe('')
})

it('is a file that cannot be read, else what the model has in the place of meshes', () => {
  expect(saidOfNothing(scene(), info(file(), file('cut short')))).toBe('a.dff cannot be read: cut short')
  // the bones are another file's
  expect(nothingDrawn(scene({ skeleton: bones }), [file(), file('cut short')])).toEqual({ why: 'unread', file: file('cut short') })
  expect(saidOfNothing(scene({ textures: [{} as Texture, {} as Texture] }), info(file()))).toBe('No mesh here, 2 textures')
  expect(nothingDrawn(scene({ clips: [{} as Scene['clips'][number]] }), [file()])).toEqual({ why: 'motion' })
  expect(saidOfNothing(scene(), info(file()))).toBe('Nothing in a can be drawn')
})
