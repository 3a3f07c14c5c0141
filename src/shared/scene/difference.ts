/**
 * What changed between two states of plain data, down to runs of typed arrays: a key among a hundred thousand is told in a few bytes. What did not
 * change is shared by both states.
 */
import { sameData } from './same.ts'

type TypedArray = Float32Array | Float64Array | Int8Array | Uint8Array | Int16Array | Uint16Array | Int32Array | Uint32Array

export type Difference =
  | { kind: 'whole'; value: unknown }
  /** of an object: fields that changed or came, and those that went */
  | { kind: 'fields'; fields: Record<string, Difference>; gone: string[] }
  /** of a list as long as before: places and what changed there */
  | { kind: 'entries'; entries: [number, Difference][] }
  /** of a list or typed array: entries from `start` to before `end` are these now */
  | { kind: 'run'; start: number; end: number; entries: TypedArray | unknown[] }

type Run = Extract<Difference, { kind: 'run' }>

/** Null where they are equal. */
export function differenceOf(now: unknown, known: unknown): Difference | null {
  if (sameData(now, known)) return null
  if (isTyped(now)) return isTyped(known) && now.constructor === known.constructor ? typedRun(now, known) : { kind: 'whole', value: now }
  if (Array.isArray(now)) return Array.isArray(known) ? listDifference(now, known) : { kind: 'whole', value: now }
  if (!isObject(now) || !isObject(known) || Array.isArray(known) || isTyped(known)) return { kind: 'whole', value: now }
  const fields: Record<string, Difference> = {}
  for (const [key, value] of Object.entries(now)) {
    const change = key in known ? differenceOf(value, known[key]) : ({ kind: 'whole', value } as const)
    if (change) fields[key] = change
  }
  return { kind: 'fields', fields, gone: Object.keys(known).filter((key) => !(key in now)) }
}

/** The state that a difference leads to from the one that it was made with. */
export function withDifference<T>(known: T, change: Difference): T
export function withDifference(known: unknown, change: Difference): unknown {
  if (change.kind === 'whole') return change.value
  if (change.kind === 'run') {
    if (isTyped(known)) return withTyped(known, change)
    // a list of any length: as arguments of a call it would be too long
    const list = known as unknown[]
    return [...list.slice(0, change.start), ...change.entries, ...list.slice(change.end)]
  }
  if (change.kind === 'entries') {
    const list = [...(known as unknown[])]
    for (const [i, entry] of change.entries) list[i] = withDifference(list[i], entry)
    return list
  }
  const out: Record<string, unknown> = { ...(known as Record<string, unknown>) }
  for (const key of change.gone) delete out[key]
  for (const [key, field] of Object.entries(change.fields)) out[key] = withDifference(out[key], field)
  return out
}

function listDifference(now: readonly unknown[], known: readonly unknown[]): Difference {
  if (now.length === known.length) {
    const entries = now.flatMap((entry, i): [number, Difference][] => {
      const change = differenceOf(entry, known[i])
      return change ? [[i, change]] : []
    })
    return { kind: 'entries', entries }
  }
  return runOf(now, known, (a, b) => sameData(now[a], known[b]))
}

function typedRun(now: TypedArray, known: TypedArray): Run {
  return runOf(now, known, (a, b) => Object.is(now[a], known[b]))
}

/** What stands between the common beginning and the common end. */
function runOf<T extends TypedArray | readonly unknown[]>(now: T, known: T, same: (now: number, known: number) => boolean): Run {
  const most = Math.min(now.length, known.length)
  let start = 0
  while (start < most && same(start, start)) start++
  let tail = 0
  while (tail < most - start && same(now.length - 1 - tail, known.length - 1 - tail)) tail++
  return { kind: 'run', start, end: known.length - tail, entries: now.slice(start, now.length - tail) }
}

function withTyped(known: TypedArray, { start, end, entries }: Run): TypedArray {
  const out = new (known.constructor as new (length: number) => TypedArray)(known.length - (end - start) + entries.length)
  out.set(known.subarray(0, start))
  out.set(entries as TypedArray, start)
  out.set(known.subarray(end), start + entries.length)
  return out
}

function isTyped(data: unknown): data is TypedArray {
  return ArrayBuffer.isView(data)
}

function isObject(data: unknown): data is Record<string, unknown> {
  return typeof data === 'object' && data !== null
}
