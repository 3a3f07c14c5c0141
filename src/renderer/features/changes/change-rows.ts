/** Changes as a tree: file, track or chunk, key, field. */
import type { CallArgs } from '../../../shared/api/contract.ts'
import type { ByteChange, ByteRange, ChangedNode, FileChanges } from '../../../shared/api/types/changes.ts'
import { say } from '../../../shared/texts/say.ts'

export interface ChangeRow {
  /** stays over edits, so that what is open stays open */
  key: string
  kind: 'file' | 'node' | 'entry' | 'field' | 'more'
  depth: number
  /** undefined for a row with nothing below it */
  open?: boolean
  file: FileChanges
  name: string
  /** what the place is, in words of its format */
  detail: string
  before: string
  after: string
  /** changes in it, listed or not */
  count: number
  /** what Restore puts back; undefined for a number that follows from others */
  range?: ByteRange
  /** changes that it shows: one of a field, all of an entry */
  changes: ByteChange[]
  node?: ChangedNode
}

/** Nodes with more changes than this are closed at first when the file has others. */
const MANY = 60

/**
 * @param turned keys of rows that the user opened or closed: the other way round than at first
 * @param more changes that were asked for by file and node, where a list was cut
 * @param nameOf the bone that a track moves, '' where that is unknown or of no track
 */
export function changeRows(
  files: readonly FileChanges[],
  turned: ReadonlySet<string>,
  more: ReadonlyMap<string, readonly ByteChange[]> = new Map(),
): ChangeRow[] {
  const rows: ChangeRow[] = []
  const opens = (key: string, first: boolean): boolean => turned.has(key) !== first
  for (const file of files) {
    const root = file.nodes[0]
    const whole: ByteRange = root ?? { start: 0, end: file.originalSize, newStart: 0, newEnd: file.size }
    const key = file.ref
    const open = opens(key, true)
    rows.push({
      key,
      kind: 'file',
      depth: 0,
      open,
      file,
      name: file.name,
      detail: '',
      before: '',
      after: '',
      count: root?.count ?? file.changes.length,
      range: whole,
      changes: [],
    })
    if (!open) continue
    const byNode = new Map<number, ByteChange[]>()
    for (const change of file.changes) {
      const list = byNode.get(change.node)
      if (list) list.push(change)
      else byNode.set(change.node, [change])
    }
    // changes of nodes below are counted with them
    const own = file.nodes.map((node) => node.count)
    for (const node of file.nodes) if (node.parent >= 0) own[node.parent] -= node.count
    const owners = own.filter((count) => count > 0).length
    file.nodes.forEach((node, n) => {
      if (own[n] <= 0) return
      const nodeKey = moreKey(file.ref, node.path)
      const extra = more.get(nodeKey)
      const listed = extra ?? byNode.get(n) ?? []
      const lone = listed.length === 1 && listed[0].whole !== undefined && listed[0].path === node.path ? listed[0] : undefined
      const parts = node.path.split('.')
      // the end of a long path says most
      const what = [node.summary || node.type, ...(parts.length > 2 ? [parts.slice(0, -1).join('.')] : [])].join(' · ')
      const bone = node.bone ?? ''
      const openNode = opens(nodeKey, own[n] <= MANY || owners === 1)
      rows.push({
        key: nodeKey,
        kind: 'node',
        depth: 1,
        open: lone ? undefined : openNode,
        file,
        name: parts.length > 2 ? parts.at(-1)! : node.path || node.type || file.name,
        detail: bone && !what.toLowerCase().includes(bone.toLowerCase()) ? `${bone} · ${what}` : what,
        before: lone?.moved ? lone.before : lone?.whole === 'removed' ? lone.before || say('changes.tree.wasHere') : '',
        after: lone?.moved ? say('changes.tree.moved', lone.moved) : lone?.whole === 'added' ? lone.after || say('changes.tree.isNew') : '',
        count: own[n],
        // its place follows from the order of all: the node around it has that
        range: lone?.moved ? undefined : node.parent < 0 ? whole : node,
        changes: lone ? [lone] : [...listed],
        node,
      })
      if (lone || !openNode) return
      for (let i = 0; i < listed.length;) {
        const { entry } = listed[i]
        let end = i + 1
        while (entry && end < listed.length && listed[end].entry?.path === entry.path) end++
        const group = listed.slice(i, end)
        i = end
        const below = node.path ? node.path.length + 1 : 0
        if (!entry) {
          rows.push(fieldRow(file, group[0], 2, group[0].path.slice(below) || group[0].path, node))
          continue
        }
        const entryKey = `${file.ref}|${entry.path}`
        const single = group.length === 1
        const openEntry = !single && opens(entryKey, false)
        const line = (side: 'before' | 'after'): string =>
          group.map((c) => (single && c.whole ? c[side] : `${tail(c, entry.path)} ${c[side]}`.trim())).join(', ')
        rows.push({
          key: entryKey,
          kind: 'entry',
          depth: 2,
          open: single ? undefined : openEntry,
          file,
          name: entry.label,
          detail: entry.path.slice(below),
          before: line('before'),
          after: line('after'),
          count: group.length,
          range: entry,
          changes: group,
          node,
        })
        if (openEntry) for (const change of group) rows.push(fieldRow(file, change, 3, tail(change, entry.path) || change.path, node))
      }
      const left = own[n] - listed.length
      if (left > 0)
        rows.push({
          key: `${nodeKey}|more`,
          kind: 'more',
          depth: 2,
          file,
          name: '',
          detail: '',
          before: '',
          after: '',
          count: left,
          changes: [],
          node,
        })
    })
  }
  return rows
}

/** Of a file and a node of it. */
export function moreKey(ref: string, path: string): string {
  return `${ref}|${path}`
}

function fieldRow(file: FileChanges, change: ByteChange, depth: number, name: string, node: ChangedNode): ChangeRow {
  return {
    key: `${file.ref}|${change.path}|field`,
    kind: 'field',
    depth,
    file,
    name,
    detail: '',
    before: change.before,
    after: change.after,
    count: 1,
    range: change.follows ? undefined : change,
    changes: [change],
    node,
  }
}

function tail(change: ByteChange, entry: string): string {
  return change.path.slice(entry.length).replace(/^\./, '')
}

/** What can be put back around a row, innermost first: its field, its key, its track, what holds more than that. */
export function restoreLevels(row: ChangeRow): { label: string; title: string; range: ByteRange }[] {
  const out: { label: string; title: string; range: ByteRange }[] = []
  const { file } = row
  const [change] = row.changes
  const add = (label: string, path: string, range: ByteRange, count: number): void => {
    if (out.length > 0 && count <= seen) return
    out.push({ label, title: say('changes.detail.asInOriginal', { path }), range })
    seen = count
  }
  let seen = 0
  if (row.kind === 'field' && row.range)
    add(change.entry ? tail(change, change.entry.path) || say('changes.detail.field') : row.name, change.path, change, 1)
  if ((row.kind === 'field' || row.kind === 'entry') && change.entry) {
    const { entry } = change
    add(entry.label, entry.path, entry, file.changes.filter((c) => c.entry?.path === entry.path).length)
  }
  for (
    let node = change?.moved && row.node ? file.nodes[row.node.parent] : row.node;
    node && node.parent >= 0;
    node = file.nodes[node.parent]
  )
    add(say('changes.detail.allOf', { node: node.path.split('.').at(-1)!, number: node.count }), node.path, node, node.count)
  return out
}

type Part = CallArgs<'changes.restore'>['part']

/** What Restore of a row puts back; undefined where that follows from other places. */
export function partOf(row: ChangeRow): Part | undefined {
  if (row.kind === 'file') return { kind: 'file' }
  return row.range && rangePart(row.range)
}

export function rangePart({ start, end, newStart, newEnd }: ByteRange): Part {
  return { kind: 'range', start, end, newStart, newEnd }
}

/** A file that has another size than its original. */
export function isResized(row: ChangeRow): boolean {
  return row.kind === 'file' && row.file.size !== row.file.originalSize
}
