/** What the right button offers in the timeline: on keys, on their rows, on slices. */
import { say } from '../../../shared/texts/say.ts'
import { useClipList } from '../../core/clip-list.ts'
import { useKeys } from '../../core/keys/store.ts'
import type { MenuEntry } from '../../core/menu/context-menu.ts'
import { useSlices } from '../../core/slices.ts'

/** Where in the keys it was pressed. */
export interface KeyPlace {
  /** tracks that are meant: of the row, or all that are shown */
  ids: readonly string[]
  /** time of the pointer; null where the keyboard asked, or where a key was pressed */
  time: number | null
  onlyChosen?: boolean
  curves?: boolean
}

const OF_MOTIONS = [
  'clip.copyKeys',
  'clip.split',
  'clip.join',
  'clip.moveTo',
  { command: 'clip.vacate', danger: true },
] as const satisfies readonly MenuEntry[]

export function useTimelineMenu() {
  const list = useClipList()
  const keys = useKeys()
  const slices = useSlices()

  /** Keys of these tracks within a span of time. */
  function choice(ids: readonly string[], time: number | null): MenuEntry[] {
    if (!keys.editable || ids.length === 0) return []
    const choose = (start: number, end: number) => () => keys.chooseWithin(ids, start, end, 'only')
    const entries: MenuEntry[] = [{ label: say('menu.chooseRow'), run: choose(-Infinity, Infinity) }]
    if (time !== null)
      entries.push(
        { label: say('menu.chooseBefore'), run: choose(-Infinity, time) },
        { label: say('menu.chooseAfter'), run: choose(time, Infinity) },
      )
    return entries
  }

  function keyEntries({ ids, time, onlyChosen, curves = false }: KeyPlace): MenuEntry[] {
    const wanted = new Set(ids)
    const on = keys.tracks.filter(({ id, limits }) => wanted.has(id) && !limits.readOnly)
    const entries: MenuEntry[] = ['key.cut', 'key.copy', 'key.paste', { command: 'key.remove', danger: true }, 'line']
    if (keys.editable && time !== null && on.length > 0) entries.push({ label: say('menu.insertHere'), run: () => keys.insertIn(on, time) })
    entries.push('key.insert', 'line', 'key.all', ...choice(ids, time), 'line')
    // without keys that are chosen these are about all of them: the panel of tools says so, a menu has no room to
    if (keys.count > 0) entries.push('key.reverse', 'key.stretch', 'key.mirror', 'key.smooth', 'key.reduce', 'key.snap')
    entries.push('key.tools', 'line', { command: 'timeline.curves', checked: curves })
    if (onlyChosen !== undefined) entries.push({ command: 'timeline.onlyChosen', checked: onlyChosen })
    return [...entries, 'timeline.fit']
  }

  /** A slice, which is the chosen one. */
  function sliceEntries(index: number): MenuEntry[] {
    return [
      { label: say('menu.play'), run: () => slices.choose(index, true) },
      'timeline.fitSlice',
      'line',
      'slice.rename',
      'slice.duplicate',
      { command: 'slice.remove', danger: true },
      'line',
      'slice.up',
      'slice.down',
      'line',
      // where these are the game's motions they are more than windows
      ...(list.of === 'slices' ? OF_MOTIONS : []),
      'line',
      'slice.replaceWindow',
      'slice.extract',
      'import.animation',
    ]
  }

  return { keyEntries, sliceEntries }
}
