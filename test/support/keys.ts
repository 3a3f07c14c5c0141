/** Native tracks made for tests, and what an edit makes of them. */
import type { KeyEdit, NativeTrack } from '../../src/shared/api/types/clips.ts'

export function track(
  id: string,
  times: number[],
  more: Partial<Omit<NativeTrack, 'limits'>> & { limits?: Partial<NativeTrack['limits']> } = {},
): NativeTrack {
  const components = more.components ?? ['x']
  return {
    id,
    ref: 'a.mot',
    clip: 'a',
    target: id,
    joint: 0,
    property: 'translation',
    label: 'T',
    components,
    times: Float64Array.from(times),
    values: Float32Array.from(times.flatMap((t) => components.map((_, c) => t * 10 + c))),
    ...more,
    limits: { timeStep: 1, minTime: 0, maxTime: 1000, dense: false, stepped: false, packed: '', readOnly: '', ...more.limits },
  }
}

/** What the services do with an edit, in plain code: times and rows of values, in order of time. */
export function edited(t: NativeTrack, edit: KeyEdit | undefined): { times: number[]; rows: number[][] } {
  const width = t.components.length
  const row = (values: Float32Array, i: number): number[] => [...values.subarray(i * width, (i + 1) * width)]
  const keys = new Map<number, { time: number; row: number[] }>([...t.times].map((time, k) => [k, { time, row: row(t.values, k) }]))
  edit?.remove?.forEach((k) => keys.delete(k))
  edit?.set?.keys.forEach((k, i) => keys.set(k, { time: edit.set!.times[i], row: row(edit.set!.values, i) }))
  edit?.insert?.times.forEach((time, i) => keys.set(t.times.length + i, { time, row: row(edit.insert!.values, i) }))
  const list = [...keys.values()].sort((a, b) => a.time - b.time)
  return { times: list.map((k) => k.time), rows: list.map((k) => k.row) }
}

/** The track after an edit. */
export function after(t: NativeTrack, edit: KeyEdit | undefined): NativeTrack {
  const { times, rows } = edited(t, edit)
  return { ...t, times: Float64Array.from(times), values: Float32Array.from(rows.flat()) }
}

/** Time and first value of each key after an edit. */
export function applied(t: NativeTrack, edit: KeyEdit | undefined): [number, number][] {
  const { times, rows } = edited(t, edit)
  return times.map((time, i) => [time, rows[i][0]])
}

export const pick = (...pairs: [string, number[]][]): Map<string, Set<number>> => new Map(pairs.map(([id, times]) => [id, new Set(times)]))
