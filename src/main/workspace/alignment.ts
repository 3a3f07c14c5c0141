/** Which parts of two structure trees belong together: fields, nodes and the bytes between them, in the order of the file. */
import type { StructureField, StructureNode } from '../../shared/api/types/structure.ts'

/** Pairs that are tried when entries or nodes came and went: beyond that they are paired in order. */
const MOST_PAIRS = 1 << 20

/** Parts of a list that may have been put into another order: scripts have dozens. */
const MOST_REORDERED = 2000

/** A field, a node, or bytes between them. */
export interface Part {
  name: string
  /** name without numbers: entries move when others come or go */
  kind: string
  start: number
  end: number
  field?: StructureField
  node?: StructureNode
}

/** Fields, nodes and what is between them, in the order of the file, without overlaps. */
export function partsOf(node: StructureNode): Part[] {
  const all: Part[] = [
    ...node.fields.map((field) => ({ name: field.name, kind: field.name, start: field.start, end: field.start + field.size, field })),
    ...node.children.map((child) => ({
      name: child.name,
      kind: `${child.name.replace(/\[.*?\]/g, '[]')} ${child.type}`,
      start: child.start,
      end: child.end,
      node: child,
    })),
  ].sort((a, b) => a.start - b.start || a.end - b.end)
  const out: Part[] = []
  let at = node.start
  const gap = (to: number): void => {
    if (to > at) out.push({ name: '', kind: '', start: at, end: to })
  }
  for (const part of all) {
    // two readings of the same bytes: the first one counts
    if (part.start < at || part.end > node.end) continue
    gap(part.start)
    out.push(part)
    at = part.end
  }
  gap(node.end)
  return out
}

/** Parts of the original and of now that belong together, in order; what came or went stands alone. */
export function pairs(old: Part[], now: Part[], equal: (a: Part, b: Part) => boolean): [Part | undefined, Part | undefined][] {
  if (isReordered(old, now, equal))
    return alignment(
      old.length,
      now.length,
      (i, k) => equal(old[i], now[k]),
      () => false,
    ).map(([i, k]) => [old[i], now[k]])
  const inPlace = old.length === now.length && old.every((a, i) => a.name === now[i].name && a.kind === now[i].kind)
  if (inPlace && old.filter((a, i) => !equal(a, now[i])).length <= Math.max(2, old.length / 2)) return old.map((a, i) => [a, now[i]])
  return alignment(
    old.length,
    now.length,
    (i, k) => equal(old[i], now[k]),
    (i, k) => old[i].kind === now[k].kind,
  ).map(([i, k]) => [old[i], now[k]])
}

/** The same nodes in another order, each with the bytes that it had: one that moved is no other one with other values. */
function isReordered(old: Part[], now: Part[], equal: (a: Part, b: Part) => boolean): boolean {
  if (old.length !== now.length || old.length > MOST_REORDERED || !old.some((part) => part.node)) return false
  const left = new Set(now.keys())
  for (const [i, part] of old.entries()) {
    // its own place first: of several equal parts those that stay in place do not count as moved
    const at = equal(part, now[i]) ? i : [...left].find((k) => equal(part, now[k]) && !equal(old[k], now[k]))
    if (at === undefined || !left.delete(at)) return false
  }
  return old.some((part, i) => !equal(part, now[i]))
}

/**
 * Two lists side by side: equal entries together, and between them those that are alike.
 * @returns pairs of numbers in order, -1 for none
 */
export function alignment(
  n: number,
  m: number,
  equal: (i: number, k: number) => boolean,
  alike: (i: number, k: number) => boolean = () => true,
): [number, number][] {
  let head = 0
  while (head < n && head < m && equal(head, head)) head++
  let tail = 0
  while (tail < Math.min(n, m) - head && equal(n - 1 - tail, m - 1 - tail)) tail++
  const out: [number, number][] = []
  for (let i = 0; i < head; i++) out.push([i, i])
  const between = (i0: number, i1: number, k0: number, k1: number): void => {
    for (const [i, k] of common(i1 - i0, k1 - k0, (i, k) => alike(i0 + i, k0 + k))) out.push([i < 0 ? -1 : i0 + i, k < 0 ? -1 : k0 + k])
  }
  let i0 = head
  let k0 = head
  for (const [i, k] of common(n - tail - head, m - tail - head, (i, k) => equal(head + i, head + k))) {
    if (i < 0 || k < 0) continue
    between(i0, head + i, k0, head + k)
    out.push([head + i, head + k])
    i0 = head + i + 1
    k0 = head + k + 1
  }
  between(i0, n - tail, k0, m - tail)
  for (let i = tail; i > 0; i--) out.push([n - i, m - i])
  return out
}

/** Longest common subsequence; where that would take too long, pairs in order as long as they go together. */
function common(n: number, m: number, together: (i: number, k: number) => boolean): [number, number][] {
  const out: [number, number][] = []
  let i = 0
  let k = 0
  if (n > 0 && m > 0 && n * m <= MOST_PAIRS) {
    const length = new Uint32Array((n + 1) * (m + 1))
    for (let a = n - 1; a >= 0; a--)
      for (let b = m - 1; b >= 0; b--)
        length[a * (m + 1) + b] = together(a, b)
          ? length[(a + 1) * (m + 1) + b + 1] + 1
          : Math.max(length[(a + 1) * (m + 1) + b], length[a * (m + 1) + b + 1])
    while (i < n && k < m) {
      if (together(i, k) && length[i * (m + 1) + k] === length[(i + 1) * (m + 1) + k + 1] + 1) out.push([i++, k++])
      else if (length[(i + 1) * (m + 1) + k] >= length[i * (m + 1) + k + 1]) out.push([i++, -1])
      else out.push([-1, k++])
    }
  } else while (i < n && k < m && together(i, k)) out.push([i++, k++])
  while (i < n) out.push([i++, -1])
  while (k < m) out.push([-1, k++])
  return out
}
