import { describe, expect, it } from 'vitest'
import { differenceOf, withDifference } from '../../../src/shared/scene/difference.ts'
import { decodeMessage, encodeMessage } from '../../../src/shared/api/wire.ts'

const state = () => ({
  name: 'walk',
  loop: undefined as string | undefined,
  tracks: Array.from({ length: 4 }, (_, t) => ({
    id: `t${t}`,
    times: Float32Array.from({ length: 5000 }, (_, k) => k),
    values: Float32Array.from({ length: 20_000 }, (_, k) => Math.sin(k + t)),
  })),
})

/** As it crosses. */
function crossed(now: unknown, known: unknown): { bytes: number; made: unknown } {
  const message = encodeMessage(differenceOf(now, known))
  return { bytes: message.length, made: withDifference(known, decodeMessage(message) as any) }
}

describe('a difference', () => {
  it('is none where nothing differs', () => {
    expect(differenceOf(state(), state())).toBeNull()
  })

  it('of one key is a few bytes, and shares all else', () => {
    const [known, now] = [state(), state()]
    now.tracks[2].values[777] = 9
    const { bytes, made } = crossed(now, known)
    expect(made).toEqual(now)
    expect(bytes).toBeLessThan(200)
    expect((made as typeof known).tracks[1]).toBe(known.tracks[1])
    expect((made as typeof known).tracks[2].times).toBe(known.tracks[2].times)
  })

  it('tells keys that come and go, tracks that come and go, fields that come and go', () => {
    const change = (edit: (now: any) => void): void => {
      const [known, now] = [state(), state()]
      edit(now)
      expect(crossed(now, known).made).toEqual(now)
      expect(crossed(known, now).made).toEqual(known)
    }
    change((now) => (now.tracks[0].times = Float32Array.from([...now.tracks[0].times.slice(0, 10), 9.5, ...now.tracks[0].times.slice(10)])))
    change((now) => (now.tracks[0].times = new Float32Array(0)))
    change((now) => now.tracks.splice(1, 2))
    change((now) => now.tracks.push({ id: 'new', times: new Float32Array(1), values: new Float32Array(4) }))
    change((now) => (now.rate = 30))
    change((now) => (now.name = ''))
    change((now) => (now.tracks[3].values = new Float64Array(2)))
    change((now) => (now.tracks = null))
  })

  it('takes lists longer than a call takes arguments', () => {
    const known = { names: ['a'] }
    const now = { names: ['a', ...Array.from({ length: 300_000 }, (_, i) => `n${i}`)] }
    expect(withDifference(known, differenceOf(now, known)!)).toEqual(now)
  })

  it('keeps the bits of what is no number or a negative zero', () => {
    const [known, now] = [Float32Array.of(0, 1, NaN, 2), Float32Array.of(-0, 1, NaN, 3)]
    const { made } = crossed(now, known)
    expect(Object.is((made as Float32Array)[0], -0)).toBe(true)
    expect(made).toEqual(now)
  })
})
