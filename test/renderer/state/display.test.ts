import { describe, expect, it } from 'vitest'
import { displayOfOther } from '../../../src/renderer/core/display.ts'
import { devScene } from '../../../src/renderer/dev/figure.ts'
import { defaultDisplay } from '../../../src/renderer/viewport/types.ts'

describe('another model in the second picture', () => {
  const options = { ...defaultDisplay, heatJoint: 3, lod: 1, hiddenMeshes: [0], hiddenGroups: ['0:1'] }
  const scene = devScene()

  it('has what is chosen for the picture, and nothing of the meshes and joints of the first', () => {
    const shown = { heatJoint: -1, lod: -1, hiddenMeshes: [], hiddenGroups: [] }
    expect(displayOfOther({ ...options, wireframe: true }, scene)).toEqual({ ...options, ...shown, wireframe: true, skeleton: false })
    expect(displayOfOther({ ...options, skeleton: true }, scene).skeleton).toBe(true)
  })

  it('shows its bones where it has nothing else', () => {
    expect(displayOfOther(options, { ...scene, meshes: [] }).skeleton).toBe(true)
    expect(displayOfOther(options, { ...scene, meshes: scene.meshes.map((mesh) => ({ ...mesh, visible: false })) }).skeleton).toBe(true)
    expect(displayOfOther(options, null).skeleton).toBe(false)
  })
})
