/**
 * Where things stand in the timeline: time from left to right, rows from top to bottom. One state, made by the timeline and shared with its parts:
 * what is drawn and what a pointer is asked to find are both read from it, so that they cannot disagree.
 */
import { computed, inject, provide, reactive, ref, shallowRef, type InjectionKey } from 'vue'
import { clampView, fitView, nearMark, scaleLimits, timeToX, xToTime, zoomView, type Range, type View } from './geometry.ts'
import type { RowSpace } from '../../ui/row-space.ts'

/** pixels: the column of names, the ruler, a lane of slices, a row of keys */
export const LABELS = 164
export const RULER = 22
export const LANE = 20
export const ROW = 18

/** What of a clip the measures need. */
export interface Measured {
  /** all that there is to see, native time */
  content(): Range
  /** native time between frames */
  step(): number
  snap(): boolean
  marks(): readonly number[]
}

export interface Measures {
  /** pixels of the part that has the keys */
  readonly width: number
  readonly view: View
  readonly content: Range
  readonly step: number
  readonly snap: boolean
  /** rows of keys. They outlive the element that shows them: who shows it again finds the rows where they were */
  readonly rows: RowSpace
  toX(time: number): number
  toTime(x: number): number
  /** to the marker or the frame that is meant; as it is where nothing snaps */
  snapped(time: number): number
  /** how far what stood at `from` goes for a drag of pixels */
  dragged(from: number, pixels: number): number
  setWidth(pixels: number): void
  setView(view: View): void
  fit(range?: Range, margin?: number): void
  /** @param x pixel whose time stays where it is; the middle by default */
  zoom(factor: number, x?: number): void
}

export function createMeasures(measured: Measured): Measures {
  const width = ref(600)
  const view = shallowRef<View>({ start: 0, scale: 4 })
  const content = computed(measured.content)
  const step = computed(measured.step)
  const snap = computed(measured.snap)
  const limits = computed(() => scaleLimits(content.value, width.value, step.value))
  const near = (time: number): number | undefined => (snap.value ? nearMark(measured.marks(), time, view.value.scale) : undefined)
  const framed = (time: number): number => (snap.value ? Math.round(time / step.value) * step.value : time)

  function setView(next: View): void {
    view.value = clampView(next, content.value, width.value)
  }

  function fit(range: Range = content.value, margin?: number): void {
    view.value = fitView(range, width.value, margin)
  }

  const measures = {
    width,
    view,
    content,
    step,
    snap,
    rows: { rowHeight: ROW, top: 0, height: 0, count: 0 },
    toX: (time: number) => timeToX(view.value, time),
    toTime: (x: number) => xToTime(view.value, x),
    snapped: (time: number) => near(time) ?? framed(time),
    dragged(from: number, pixels: number) {
      const by = pixels / view.value.scale
      const mark = near(from + by)
      return mark === undefined ? framed(by) : mark - from
    },
    setWidth(pixels: number) {
      const before = width.value
      width.value = Math.max(32, pixels)
      // a panel that is laid out anew shows all again; one that is pulled wider keeps its scale
      if (Math.abs(before - width.value) > 200) fit()
    },
    setView,
    fit,
    zoom: (factor: number, x = width.value / 2) => setView(zoomView(view.value, factor, x, limits.value)),
  }
  return reactive(measures)
}

const KEY: InjectionKey<Measures> = Symbol('timeline-measures')

export function provideMeasures(measures: Measures): Measures {
  provide(KEY, measures)
  return measures
}

export function useMeasures(): Measures {
  const measures = inject(KEY)
  if (!measures) throw new Error('Only parts of the timeline have its measures')
  return measures
}
