/** What the pointer and the keyboard do in the dope sheet. Rows and keys are found by the measures that they are drawn by. */
import { shallowRef, type Ref } from 'vue'
import { timeUnit } from '../../core/keys/key-tool.ts'
import { keyPreview } from '../../core/keys/preview.ts'
import { useKeys } from '../../core/keys/store.ts'
import { usePlayback } from '../../core/playback.ts'
import { useSelection } from '../../core/selection.ts'
import { formatNumber } from '../../ui/format.ts'
import { pointerDrag } from '../../ui/pointer-drag.ts'
import { isSideways, sidewaysStep, useStepsInARow } from '../../ui/steps-in-a-row.ts'
import type { DopeRow } from './dope-rows.ts'
import { AT_REST, isMoved, lowerBound, type Placement } from './geometry.ts'
import type { KeyRows } from './key-rows.ts'
import type { Measures } from './measures.ts'
import { useNavigation, xIn } from './navigate.ts'
import { revealed, rowAt } from '../../ui/row-space.ts'
import { placeIn } from '../../ui/scale.ts'
import { say } from '../../../shared/texts/say.ts'

/** pixels beside a key at which it is still meant */
const REACH = 5

export interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** What a drag comes to, and where the pointer is in the picture. */
export interface DragSaid {
  x: number
  y: number
  text: string
}

const signed = (value: number): string => `${value < 0 ? '−' : '+'}${formatNumber(Math.abs(value), 6)}`

/** @param picture of the keys: the places of a pointer are those of its pixels */
export function useSheetInput(measures: Measures, { rows, index, toggle, goTo }: KeyRows, picture: Ref<HTMLElement | null>) {
  const keys = useKeys()
  const playback = usePlayback()
  const selection = useSelection()
  const { pan, timeKey } = useNavigation(measures)
  const preview = keyPreview()
  /** where chosen keys are drawn while they are dragged */
  const moved = shallowRef<Placement>(AT_REST)
  const said = shallowRef<DragSaid | null>(null)
  /** where a handle was put that is dragged or stepped, until its edit is there */
  let scaled: { end: 'start' | 'end'; to: number } | null = null
  /** in pixels of the picture */
  const box = shallowRef<Box | null>(null)

  const yIn = (event: MouseEvent): number => placeIn(picture.value!, event).y

  /** Time of the key under the pointer. */
  function keyAt(row: DopeRow | undefined, x: number): number | null {
    if (!row) return null
    const { times } = row
    const at = measures.toTime(x)
    const next = lowerBound(times, at)
    let best: number | null = null
    for (const k of [next - 1, next])
      if (
        times[k] !== undefined &&
        Math.abs(measures.toX(times[k]) - x) <= REACH &&
        (best === null || Math.abs(times[k] - at) < Math.abs(best - at))
      )
        best = times[k]
    return best
  }

  /** On a key: choose and move. Beside keys: a drag chooses by a box, a click sets the playhead. The middle button pans. */
  function down(event: PointerEvent): void {
    if (event.button === 1) return pan(event)
    const x = xIn(picture.value!, event)
    if (event.button !== 0 || x < 0) return
    const row = rows.value[rowAt(measures.rows, yIn(event))]
    const add = event.shiftKey || event.ctrlKey || event.metaKey
    const time = keys.editable ? keyAt(row, x) : null
    if (row && time !== null) {
      const already = row.ids.some((id) => keys.chosen.get(id)?.has(time))
      if (add) keys.chooseWithin(row.ids, time, time, 'toggle')
      else keys.take(row.ids, time)
      if (row.joint >= 0 && !add) selection.joint(row.joint)
      if (!add || !already) dragKeys(event, time)
    } else if (keys.editable) dragBox(event, row, add)
    else dragPlayhead(event, row)
  }

  /** @param from time of the key that was taken hold of: it is what comes to stand on a frame or a marker */
  function dragKeys(event: PointerEvent, from: number): void {
    pointerDrag(event, {
      threshold: 3,
      sideways: true,
      edits: true,
      move({ dx, event: now }) {
        const by = measures.dragged(from, dx)
        moved.value = { factor: 1, by }
        preview.show((way) => keys.planShift(by, way))
        tell(now, from + by, signed(by))
      },
      end() {
        const { by } = moved.value
        said.value = null
        if (by) void keys.shift(by).finally(letGo)
        else letGo()
      },
      cancel: letGo,
    })
  }

  function letGo(): void {
    scaled = null
    moved.value = AT_REST
    said.value = null
    preview.end()
  }

  function tell(event: MouseEvent, time: number, change: string): void {
    said.value = {
      x: xIn(picture.value!, event),
      y: yIn(event),
      text: say('timeline.keys.dragged', { unit: timeUnit(), time: formatNumber(time, 7), change }),
    }
  }

  /** Scales the chosen keys by a handle at one of their ends: the other end stays. */
  function dragScale(event: PointerEvent, end: 'start' | 'end'): void {
    const { span } = keys
    if (event.button !== 0 || !span) return
    steps.finish()
    const held = span[end]
    pointerDrag(event, {
      threshold: 3,
      sideways: true,
      edits: true,
      move({ dx, event: now }) {
        scaleTo(end, held + measures.dragged(held, dx))
        tell(now, scaled!.to, `${formatNumber(moved.value.factor * 100, 4)} %`)
      },
      end: keepScale,
      cancel: letGo,
    })
  }

  function scaleTo(end: 'start' | 'end', wanted: number): void {
    if (!keys.span) return
    const [held, pivot] = end === 'end' ? [keys.span.end, keys.span.start] : [keys.span.start, keys.span.end]
    // keys keep their order
    const to = end === 'end' ? Math.max(pivot + measures.step, wanted) : Math.min(pivot - measures.step, wanted)
    const factor = (to - pivot) / (held - pivot)
    moved.value = { factor, by: pivot * (1 - factor) }
    scaled = { end, to }
    preview.show((way) => keys.planStretch(to, end, way))
  }

  function keepScale(): void {
    said.value = null
    const mine = scaled
    // the next steps may have gone on from there meanwhile
    if (mine && isMoved(moved.value)) void keys.stretch(mine.to, mine.end).finally(() => scaled === mine && letGo())
    else letGo()
  }

  const steps = useStepsInARow({
    isStep: isSideways,
    keep: keepScale,
    drop: letGo,
    changed: () => isMoved(moved.value),
  })

  function scaleKey(event: KeyboardEvent, end: 'start' | 'end'): void {
    if (steps.endedBy(event)) return
    const by = sidewaysStep(event)
    if (!by || !keys.span) return
    event.preventDefault()
    event.stopPropagation()
    const from = scaled?.end === end ? scaled.to : keys.span[end]
    scaleTo(end, from + by * measures.step)
    steps.step()
  }

  function click(row: DopeRow | undefined, x: number): void {
    keys.clear()
    if (row && row.joint >= 0) selection.joint(row.joint)
    if (playback.clip) playback.seek(measures.snapped(measures.toTime(x)))
  }

  function dragPlayhead(event: PointerEvent, row: DopeRow | undefined): void {
    const x = xIn(picture.value!, event)
    pointerDrag(event, {
      threshold: 3,
      move: (place) => playback.seek(measures.snapped(measures.toTime(x + place.dx))),
      end: (dragged) => !dragged && click(row, x),
    })
  }

  function dragBox(event: PointerEvent, row: DopeRow | undefined, add: boolean): void {
    const x = xIn(picture.value!, event)
    // rows may scroll under a drag: the box holds on to the row that it began on
    const top = yIn(event) + measures.rows.top
    pointerDrag(event, {
      threshold: 4,
      move({ dx, event: now }) {
        const y = yIn(now)
        const from = top - measures.rows.top
        box.value = { x: Math.min(x, x + dx), y: Math.min(from, y), width: Math.abs(dx), height: Math.abs(y - from) }
      },
      end() {
        const b = box.value
        box.value = null
        if (b) chooseBox(b, add)
        else click(row, x)
      },
      cancel: () => (box.value = null),
    })
  }

  function chooseBox(b: Box, add: boolean): void {
    const first = Math.max(0, rowAt(measures.rows, b.y))
    const last = rowAt(measures.rows, b.y + b.height)
    // the row of all keys would choose everything: only when it is alone
    const hit = rows.value.slice(first, last + 1).filter((r, _i, all) => r.key !== 'all' || all.length === 1)
    keys.chooseWithin(
      hit.flatMap((r) => r.ids),
      measures.toTime(b.x),
      measures.toTime(b.x + b.width),
      add ? 'add' : 'only',
    )
  }

  function toRow(wanted: number): void {
    const at = goTo(wanted)
    if (at >= 0) measures.rows.top = revealed(measures.rows, at)
  }

  /** Left and right are time, as on the ruler; up and down are rows; Enter opens and closes one. */
  function key(event: KeyboardEvent): void {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return
    const row = rows.value[index.value]
    const page = Math.max(1, Math.floor(measures.rows.height / measures.rows.rowHeight) - 1)
    const moves: Record<string, () => void> = {
      ArrowUp: () => toRow(index.value < 0 ? 0 : index.value - 1),
      ArrowDown: () => toRow(index.value + 1),
      PageUp: () => toRow(index.value - page),
      PageDown: () => toRow(index.value + page),
      Enter: () => row?.open !== undefined && toggle(row.key),
    }
    if (!moves[event.key]) return timeKey(event)
    event.preventDefault()
    event.stopPropagation()
    moves[event.key]()
  }

  /**
   * What a menu is about: the key under the pointer is chosen, where it is not already, and the row of a name. Of the keyboard's it is the row
   * that it is on.
   */
  function asked(event: MouseEvent): { row: DopeRow | undefined; time: number | null } {
    if (event.button !== 2) return { row: rows.value[index.value], time: null }
    const row = rows.value[rowAt(measures.rows, yIn(event))]
    const x = xIn(picture.value!, event)
    if (x < 0) return { row, time: null }
    const time = keys.editable ? keyAt(row, x) : null
    if (!row || time === null) return { row, time: measures.snapped(measures.toTime(x)) }
    keys.take(row.ids, time)
    return { row, time: null }
  }

  return { moved, said, box, asked, down, dragScale, scaleKey, endSteps: steps.finish, key, toRow }
}
