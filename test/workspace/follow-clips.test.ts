/** Marrow's own slices and markers, when the clips that they name move, go, are parted, joined and named. */
import { describe, expect, it } from 'vitest'
import { followClips } from '../../src/main/workspace/follow-clips.ts'
import type { ClipMove, EditSession } from '../../src/main/formats/editing.ts'
import type { SlicesDocument, StoredMarker, StoredSlice } from '../../src/main/workspace/slices-file.ts'

const REF = 'own.marrow-slices'
const place = (path: string, name = path, ref = 'a.ifp') => ({ ref, path, name })
const slice = (path: string, start: number, end: number): StoredSlice => ({
  clip: place(path),
  name: `${path} ${start}`,
  start,
  end,
  speed: 1,
  loop: true,
})
const marker = (path: string, time: number): StoredMarker => ({ clip: place(path), marker: `${path} ${time}`, time })

/** @returns the list after the moves, and whether it was opened for writing */
function followed(list: Partial<SlicesDocument>, moves: ClipMove[], ref = REF): { document: SlicesDocument; written: boolean } {
  const document: SlicesDocument = {
    format: 'marrow.slices',
    ref: REF,
    diagnostics: [],
    version: 1,
    slices: [slice('c0', 0, 10), slice('c1', 0, 8), slice('c1', 12, 20)],
    markers: [marker('c1', 4), marker('c1', 15), marker('c2', 1)],
    ...list,
  }
  let written = false
  const session = {
    document: (wanted: string) => (wanted === REF ? document : undefined),
    editOther: () => ((written = true), document),
  } as unknown as EditSession
  followClips(session, ref, moves)
  return { document, written }
}

const places = ({ slices, markers }: SlicesDocument): string[] => [
  ...slices.map(({ clip, start, end }) => `${clip.path} ${clip.name} ${start}-${end}`),
  ...markers.map(({ clip, time }) => `${clip.path} ${clip.name} @${time}`),
]

describe('slices and markers of clips', () => {
  it('stay as they are, and unopened, where nothing of theirs moved', () => {
    for (const moves of [[], [{ from: place('c9') }], [{ from: place('c1', 'c1', 'b.ifp') }]]) {
      const { document, written } = followed({}, moves)
      expect([written, document.version, document.slices.length, document.markers.length]).toEqual([false, 1, 3, 3])
    }
  })

  it('go with their clip to its new place and name', () => {
    const { document, written } = followed({}, [{ from: place('c1'), to: place('c5', 'walk', 'b.ifp') }])
    expect(written).toBe(true)
    expect(places(document)).toEqual(['c0 c0 0-10', 'c5 walk 0-8', 'c5 walk 12-20', 'c5 walk @4', 'c5 walk @15', 'c2 c2 @1'])
    expect(document.slices[1].clip.ref).toBe('b.ifp')
    // checks are written with whatever is written
    expect(document.version).toBe(2)
  })

  it('go with a clip that is gone, and those behind it take its number', () => {
    const { document } = followed({}, [{ from: place('c1') }, { from: place('c2'), to: place('c1', 'c2') }])
    expect(places(document)).toEqual(['c0 c0 0-10', 'c1 c2 @1'])
  })

  it('change places at once: none follows twice', () => {
    const { document } = followed({}, [
      { from: place('c0'), to: place('c1', 'c0') },
      { from: place('c1'), to: place('c0', 'c1') },
    ])
    expect(places(document).slice(0, 3)).toEqual(['c1 c0 0-10', 'c0 c1 0-8', 'c0 c1 12-20'])
  })

  it('follow what is split off, from its time on; what reaches over it ends there', () => {
    const split: ClipMove = { from: place('c1'), to: place('c3', 'rest'), since: 12, by: -12 }
    const { document } = followed({ slices: [slice('c1', 0, 8), slice('c1', 12, 20), slice('c1', 6, 14), slice('c1', 0, 12)] }, [split])
    expect(places(document).slice(0, 4)).toEqual(['c1 c1 0-8', 'c3 rest 0-8', 'c1 c1 6-12', 'c1 c1 0-12'])
    expect(places(document).slice(4, 6)).toEqual(['c1 c1 @4', 'c3 rest @3'])
  })

  it('move behind the clip that theirs is joined to', () => {
    const { document } = followed({}, [
      { from: place('c1'), to: place('c0'), since: -Infinity, by: 30 },
      { from: place('c2'), to: place('c1', 'c2') },
    ])
    expect(places(document)).toEqual(['c0 c0 0-10', 'c0 c0 30-38', 'c0 c0 42-50', 'c0 c0 @34', 'c0 c0 @45', 'c1 c2 @1'])
  })

  it('are left alone in a list that is not there, or that may not be written', () => {
    const gone: ClipMove[] = [{ from: place('c1') }]
    expect(followed({}, gone, '').written).toBe(false)
    expect(followed({}, gone, 'other').written).toBe(false)
    const { document, written } = followed({ readOnly: 'damaged' }, gone)
    expect([written, document.slices.length]).toEqual([false, 3])
  })
})
