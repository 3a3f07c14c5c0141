import { crc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import {
  addOwn,
  EMPTY_SLICES,
  ownMarkers,
  ownSlices,
  SLICES_SUFFIX,
  slicesFormat,
  withSlices,
} from '../../src/main/workspace/slices-file.ts'
import { emptyScene } from '../../src/shared/scene/types.ts'
import type { EditSession } from '../../src/main/formats/editing.ts'
import type { Clip } from '../../src/shared/scene/types.ts'
import { expectLossless, expectTameWhenCorrupted, expectTameWhenTruncated } from '../support/hostile.ts'
import { fakeRegistry } from './fake-family.ts'

const plain = (entry: object): string => `${JSON.stringify(entry)}\n`
const summed = (entry: object): string => plain({ ...entry, check: crc32(JSON.stringify(entry)).toString(16).padStart(8, '0') })
const slice = (name: string, path: string, clip: string): object => ({
  clip: { ref: '/g/a.ani', path, name: clip },
  name,
  start: 0,
  end: 1.5,
  speed: 1,
  loop: true,
})
const line = (name: string, path: string, clip: string): string => summed(slice(name, path, clip))
const mark = (marker: string, path: string, clip: string, time: number): string =>
  summed({ clip: { ref: '/g/a.ani', path, name: clip }, marker, time })
const head = new TextDecoder().decode(EMPTY_SLICES)
const bytes = new TextEncoder().encode(
  head +
    line('歩く', 'animation[0]', 'WALK') +
    line('run', 'animation[1]', 'RUN') +
    mark('踏む', 'animation[0]', 'WALK', 0.5) +
    mark('hit', 'animation[1]', 'RUN', 3),
)

describe('a file of slices', () => {
  it('is lossless and holds against bad bytes', () => {
    expectLossless(slicesFormat, EMPTY_SLICES)
    const document = expectLossless(slicesFormat, bytes)
    expect(document.slices.map((s) => s.name)).toEqual(['歩く', 'run'])
    expect(document.markers.map((m) => m.marker)).toEqual(['踏む', 'hit'])
    expect(() => slicesFormat.decode(new TextEncoder().encode(head + summed({ clip: {}, marker: 'x', time: 1 })), 'f')).toThrow(
      'neither a slice nor a marker',
    )
    expect(
      slicesFormat
        .describe(document)
        .children.map((c) => [c.start, c.end])
        .at(-1)![1],
    ).toBe(bytes.length)
    expectTameWhenTruncated(slicesFormat, bytes)
    expectTameWhenCorrupted(slicesFormat, bytes)
  })

  it('with any bit changed is refused, never read as another list', () => {
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const damaged = bytes.slice()
      damaged[bit >> 3] ^= 1 << (bit & 7)
      expect(() => slicesFormat.decode(damaged, 'f'), `bit ${bit}`).toThrow()
    }
  })

  it('of before there were checks stays as it is', () => {
    const old = new TextEncoder().encode(`{"marrow":"slices","version":1}\n${plain(slice('run', 'animation[1]', 'RUN'))}`)
    expect(expectLossless(slicesFormat, old).slices.map((s) => s.name)).toEqual(['run'])
    expect(slicesFormat.identify(old, `x${SLICES_SUFFIX}`, old.length)).toBe(1)
  })

  it('finds its clips by place, then by name, and leaves out those whose clip is gone', () => {
    const scene = emptyScene('x')
    const clip = (name: string, path: string): Clip => ({ name, source: { ref: '/g/a.ani', path } }) as Clip
    scene.clips = [clip('RUN', 'animation[7]'), clip('OTHER', 'animation[0]')]
    addOwn(slicesFormat.decode(bytes, 'f'), scene)
    expect(scene.slices.map((s) => [s.name, s.clip, s.source.path])).toEqual([
      ['歩く', 1, 'slices[0]'],
      ['run', 0, 'slices[1]'],
    ])
    expect(scene.markers.map((m) => [m.name, m.clip, m.time, m.source.path])).toEqual([
      ['踏む', 1, 0.5, 'markers[0]'],
      ['hit', 0, 3, 'markers[1]'],
    ])
    const less = emptyScene('x')
    less.clips = [clip('RUN', 'animation[7]')]
    addOwn(slicesFormat.decode(bytes, 'f'), less)
    expect(less.slices.map((s) => [s.name, s.source.path])).toEqual([['run', 'slices[1]']])
    expect(less.markers.map((m) => m.name)).toEqual(['hit'])
  })

  it('says as every editor does what is not there', () => {
    const session = { assembled: { scene: emptyScene('x') } } as EditSession
    const own = ownSlices('f')
    const marks = ownMarkers('f')
    for (const call of [
      () => own.set(session, 0, { name: 'x' }),
      () => own.remove(session, 0),
      () => own.move(session, 0, 1),
      () => own.duplicate(session, 0),
      () => own.add(session, 0, 0, { name: 'x', start: 0, end: 1, speed: 1 }),
      () => marks.add(session, 0, 'x', 1),
      () => marks.set(session, 0, { time: 1 }),
      () => marks.remove(session, 0),
    ])
      expect(call).toThrow(expect.objectContaining({ code: 'not-found' }))
  })

  it("is known beside the game's formats, by its name alone", () => {
    const registry = withSlices(fakeRegistry)
    expect(registry.identify(bytes, `x${SLICES_SUFFIX}`, bytes.length)?.format).toBe(slicesFormat)
    expect(registry.identify(bytes, 'x.txt', bytes.length)).toBeUndefined()
    expect(registry.formatById('fake.numbers')).toBeDefined()
  })
})
