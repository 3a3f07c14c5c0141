import { describe, expect, it } from 'vitest'
import { sameSurface } from '../../../src/renderer/core/same-scene.ts'
import { emptyScene } from '../../../src/shared/scene/types.ts'

describe('scenes that look the same', () => {
  const scene = (): ReturnType<typeof emptyScene> => {
    const s = emptyScene('a')
    s.skeleton.restLocal = Float32Array.of(1, 2, 3)
    s.skeleton.names = ['x']
    return s
  }

  it('may differ in slices', () => {
    const a = scene()
    const b = scene()
    b.slices.push({ clip: 0, name: '', start: 0, end: 1, speed: 1, loop: true, source: { ref: '', path: '' } })
    expect(sameSurface(a, b)).toBe(true)
  })

  it('differ by one number, one bit, one name or one type', () => {
    const b = scene()
    b.skeleton.restLocal[1] = 5
    expect(sameSurface(scene(), b)).toBe(false)
    const zero = scene()
    const minus = scene()
    zero.skeleton.restLocal[0] = 0
    minus.skeleton.restLocal[0] = -0
    expect(sameSurface(zero, minus)).toBe(false)
    const named = scene()
    named.skeleton.names = ['y']
    expect(sameSurface(scene(), named)).toBe(false)
    const roles = scene()
    roles.skeleton.roles = ['joint']
    expect(sameSurface(scene(), roles)).toBe(false)
  })

  it('compares arrays that stand at odd offsets', () => {
    const bytes = new Uint8Array([9, 1, 2, 3])
    const a = scene()
    const b = scene()
    a.textures.push({
      name: '',
      width: 1,
      height: 1,
      rgba: bytes.subarray(1),
      missing: false,
      hasAlpha: false,
      source: { ref: '', path: '' },
    })
    b.textures.push({ ...a.textures[0], rgba: new Uint8Array([1, 2, 3]) })
    expect(sameSurface(a, b)).toBe(true)
    b.textures[0].rgba[2] = 4
    expect(sameSurface(a, b)).toBe(false)
  })
})
