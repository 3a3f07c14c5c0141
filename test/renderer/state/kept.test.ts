import { createPinia, setActivePinia } from 'pinia'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { KEPT, parseKept, useKept, type KeptName } from '../../../src/renderer/core/kept.ts'
import { useSession } from '../../../src/renderer/core/session.ts'

const names = Object.keys(KEPT) as KeptName[]

describe('what the window keeps', () => {
  let sent: Record<string, string>[]
  beforeEach(() => {
    vi.useFakeTimers()
    setActivePinia(createPinia())
    sent = []
    const session = useSession()
    session.api = {
      call: (_: string, values: { window: Record<string, string> }) => {
        sent.push(values.window)
        return Promise.resolve({ ...session.settings, ...values })
      },
    } as never
    return () => vi.useRealTimers()
  })

  it.each(names)('%s comes back as it was written', (name) => {
    const keeper = useKept(name)
    expect(keeper.read()).toEqual(KEPT[name].none)
    const other = {
      layout: { grid: { root: {} } },
      narrowLayout: { grid: { root: {} } },
      libraryView: 'grid',
      libraryPreview: false,
      adjustFolded: true,
      motionCheck: true,
      exportFolder: '/out',
      linkFolder: '/live',
      testFolder: '/try',
      lastCommands: ['view.grid', 'edit.undo'],
    }[name as string] ?? {
      ...(KEPT[name].none as object),
      grid: false,
      auto: false,
      layout: 'flat',
    }
    keeper.write(other as never)
    // a shape takes the names that it knows
    const of = (key: string): boolean => KEPT[name].none === null || key in (KEPT[name].none as object)
    expect(keeper.read()).toEqual(
      typeof other === 'object' && !Array.isArray(other) ? Object.fromEntries(Object.entries(other).filter(([key]) => of(key))) : other,
    )
    expect(Object.keys(sent[0])).toEqual([name])
  })

  it.each(names)('%s is as at the first start where its text is of another version, or none', (name) => {
    const { version, none } = KEPT[name]
    for (const text of ['', '{', 'null', '7', '"grid"', '{"layout":{},"version":1}', `{"version":${version + 1},"value":null}`])
      expect(parseKept(name, text)).toEqual(none)
    expect(parseKept(name, JSON.stringify({ version, value: 7 }))).toEqual(none)
  })

  it('takes what fits of a text, and the first for the rest', () => {
    const text = (value: unknown): string => JSON.stringify({ version: 2, value })
    expect(parseKept('posing', text({ auto: false, onion: 'yes' }))).toEqual({
      auto: false,
      onion: false,
      trail: false,
      keepSkin: true,
      follow: true,
      range: false,
    })
    expect(parseKept('batchExport', text({ to: 'exe', existing: 'replace' }))).toEqual({
      to: 'glb',
      layout: 'folders',
      existing: 'replace',
      folder: null,
    })
  })

  it('is written two seconds after its first change, however it goes on changing', () => {
    const keeper = useKept('posing')
    for (let i = 0; i < 30; i++) {
      keeper.writeSoon(() => ({ ...KEPT.posing.none, onion: i % 2 === 0, trail: i > 19 }))
      vi.advanceTimersByTime(100)
    }
    expect(sent.length).toBe(1)
    vi.advanceTimersByTime(600)
    expect(sent.length).toBe(2)
    expect(keeper.read()).toMatchObject({ trail: true })
  })

  it('of a drag writes the last state once', () => {
    const keeper = useKept('posing')
    for (const onion of [true, false, true]) keeper.writeSoon(() => ({ ...KEPT.posing.none, onion }))
    expect(sent).toEqual([])
    vi.runAllTimers()
    expect(sent.map((window) => JSON.parse(window.posing).value.onion)).toEqual([true])
    // nothing new is not written again
    keeper.write({ ...KEPT.posing.none, onion: true })
    expect(sent.length).toBe(1)
  })
})
