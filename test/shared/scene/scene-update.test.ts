import { describe, expect, it } from 'vitest'
import { applyUpdate, sameNumbers, sceneUpdate, shareEntries } from '../../../src/shared/scene/scene-update.ts'
import { sameData, sharedWith } from '../../../src/shared/scene/same.ts'
import { emptyScene, plainMaterial } from '../../../src/shared/scene/types.ts'
import type { Scene } from '../../../src/shared/scene/types.ts'

const source = { ref: 'a', path: '' }

function scene(shade = 1, start = 0): Scene {
  const s = emptyScene('s')
  s.textures = [1, 2].map((v) => ({
    name: `t${v}`,
    width: 1,
    height: 1,
    rgba: Uint8Array.of(v * shade, 0, 0, 255),
    missing: false,
    hasAlpha: false,
    source,
  }))
  s.materials = [plainMaterial('m', source)]
  s.clips = [
    { name: 'c', tracks: [], start, end: 9, rate: 30, unit: 'frame', loop: 'none', fit: { matched: 0, total: 0 }, events: [], source },
  ]
  return s
}

describe('numbers of things', () => {
  it('are the same as long as there are as many of each kind, and the joints are those', () => {
    const known = scene()
    expect(sameNumbers(scene(2, 3), known)).toBe(true)
    expect(sameNumbers({ ...scene(), clips: [] }, known)).toBe(false)
    expect(sameNumbers({ ...scene(), lods: ['far'] }, known)).toBe(false)
    const [one, other] = ['a', 'b'].map((name) => ({ ...scene(), skeleton: { ...known.skeleton, names: [name] } }))
    expect([sameNumbers(one, known), sameNumbers(one, other)]).toEqual([false, false])
  })
})

describe('scene update', () => {
  it('leaves out what is equal, and shares it', () => {
    const known = scene()
    const next = scene(1, 3)
    shareEntries(next, known)
    expect(next.textures[0]).toBe(known.textures[0])
    const update = sceneUpdate(next, known)
    expect(update.textures).toEqual([null, null])
    expect(update.materials).toEqual([null])
    expect(update.clips[0]).toMatchObject({ start: 3 })
    expect(applyUpdate(update, known)).toEqual(scene(1, 3))
    expect(known).toEqual(scene())
  })

  it('sends what changed, came and went', () => {
    const known = scene()
    const next = scene(2)
    next.textures.push({ ...next.textures[0], name: 't3' })
    next.materials = []
    const whole = structuredClone(next)
    shareEntries(next, known)
    const update = sceneUpdate(next, known)
    expect(update.textures.every((t) => t !== null)).toBe(true)
    expect(update.clips).toEqual([null])
    expect(applyUpdate(update, known)).toEqual(whole)
  })

  it('does not fit a scene that lacks what was left out', () => {
    const known = scene()
    const next = scene()
    shareEntries(next, known)
    const update = sceneUpdate(next, known)
    expect(applyUpdate(update, { ...known, textures: known.textures.slice(0, 1) })).toBeUndefined()
  })

  it('keeps what did not change as the same objects: where nothing did, the same list', () => {
    const known = scene()
    const next = scene(1, 3)
    shareEntries(next, known)
    // as after the way to the window
    const now = applyUpdate(structuredClone(sceneUpdate(next, known)), known)!
    const { clips, ...rest } = known
    expect(now.clips).not.toBe(clips)
    for (const [key, part] of Object.entries(rest)) expect(now[key as keyof Scene]).toBe(part)
    const marked = structuredClone(sceneUpdate(next, known))
    marked.skeleton.names.push('another')
    marked.textures.pop()
    const other = applyUpdate(marked, known)!
    expect(other.skeleton.names).toEqual([...known.skeleton.names, 'another'])
    expect(other.skeleton.parents).toBe(known.skeleton.parents)
    expect(other.textures).toEqual(known.textures.slice(0, 1))
  })

  it('shares what two states have in common, and says what the new one says', () => {
    const known = {
      list: [{ a: 1 }, { a: 2 }],
      bytes: Uint8Array.of(1, 2),
      text: 'x',
      gone: 1,
      none: null as null | object,
      of: [1] as unknown,
    }
    const now = { list: [{ a: 1 }, { a: 3 }, { a: 4 }], bytes: Uint8Array.of(1, 2), text: 'y', none: {}, of: { 0: 1 } as unknown }
    const copy = structuredClone(now)
    const shared = sharedWith(now, known)
    expect(shared).toEqual(copy)
    expect(now).toEqual(copy)
    expect(shared.list[0]).toBe(known.list[0])
    expect(shared.bytes).toBe(known.bytes)
    expect(sharedWith(structuredClone(known), known)).toBe(known)
    expect(sharedWith([1, 2], [1, 2, 3])).toEqual([1, 2])
    expect(sharedWith({ a: 1 }, { a: 1, b: undefined })).toEqual({ a: 1 })
    expect(Object.keys(sharedWith({ a: 1, b: undefined }, { a: 1 }))).toEqual(['a', 'b'])
    expect(sharedWith(0, -0)).toBe(0)
    for (const [one, two] of [
      [null, {}],
      [[], {}],
      [{}, Uint8Array.of()],
      [Int8Array.of(1), Uint8Array.of(1)],
    ]) {
      expect(sharedWith(one, two)).toBe(one)
      expect(sharedWith(two, one)).toBe(two)
    }
  })

  it('tells data apart', () => {
    expect(sameData(Float32Array.of(1, NaN), Float32Array.of(1, NaN))).toBe(true)
    expect(sameData(Uint8Array.of(1, 2, 3), Uint8Array.of(1, 2, 4))).toBe(false)
    expect(sameData(Uint8Array.of(1), Int8Array.of(1))).toBe(false)
    expect(sameData({ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] })).toBe(true)
    expect(sameData({ a: 1 }, { a: 1, b: undefined })).toBe(false)
    expect(sameData([1], [1, 2])).toBe(false)
  })
})
