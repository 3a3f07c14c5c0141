/**
 * How the panels of the workbench share its room: what a larger or smaller window brings or takes is the picture's, and what stands beside,
 * over or under it stays as large as it was made. Sizes are the dock's: pixels of the page, whatever the scale of the interface is.
 */
import type { DockviewApi, DockviewGroupPanel } from 'dockview-vue'

/** The panel that the others are about. */
export const PICTURE = 'viewport'

type Axis = 'width' | 'height'
const AXES = ['width', 'height'] as const

/** A panel that is narrower has names of one letter. At a scale of 100 %. */
const LEAST_PANEL = 180
/** Below them, panels give way, too: all by the same share. At a scale of 100 %. */
const LEAST_PICTURE = { width: 240, height: 410 }
/** That much of a small dock is enough: a new layout leaves it as much. */
export const MOST_OF_DOCK = 0.64
/** What dockview gives a group at least. */
const LEAST_GROUP = 100

interface Node {
  type: string
  /** nodes of a branch, a group of a leaf */
  data: Node[] | { id: string; views: string[] }
}

const groupsIn = ({ data }: Node): string[] => (Array.isArray(data) ? data.flatMap(groupsIn) : [data.id])

/** Whether the picture is in a node; what stands in a row with it on the way to it is gathered by the axis of that row. */
function gather({ data }: Node, axis: Axis, beside: Record<Axis, string[]>): boolean {
  if (!Array.isArray(data)) return data.views.includes(PICTURE)
  const own = data.find((node) => gather(node, axis === 'width' ? 'height' : 'width', beside))
  if (own) beside[axis].push(...data.filter((node) => node !== own).flatMap(groupsIn))
  return own !== undefined
}

/** Groups that stand at the sides of the picture, and those over and under it. */
function besidePicture(api: DockviewApi): Record<Axis, DockviewGroupPanel[]> {
  const { grid } = api.toJSON()
  const beside = { width: [] as string[], height: [] as string[] }
  gather(grid.root as unknown as Node, String(grid.orientation) === 'HORIZONTAL' ? 'width' : 'height', beside)
  const groupsOf = (ids: readonly string[]): DockviewGroupPanel[] => ids.flatMap((id) => api.groups.filter((group) => group.id === id))
  return { width: groupsOf(beside.width), height: groupsOf(beside.height) }
}

const isPictures = (group: DockviewGroupPanel): boolean => group.panels.some(({ id }) => id === PICTURE)

/** No panel becomes narrower than it can be read at. */
export function giveLeastWidths(api: DockviewApi, scale: number): void {
  for (const group of api.groups)
    group.api.setConstraints({
      minimumWidth: isPictures(group) ? LEAST_GROUP : LEAST_PANEL * scale,
      maximumWidth: Number.MAX_SAFE_INTEGER,
      minimumHeight: LEAST_GROUP,
      maximumHeight: Number.MAX_SAFE_INTEGER,
    })
}

/** The room that a change takes or leaves is the picture's. */
export function withPictureRoom<T>(api: DockviewApi, scale: number, change: () => T): T {
  if (!api.getPanel(PICTURE) || api.hasMaximizedGroup()) return change()
  const beside = besidePicture(api)
  // measured before the first of them is held: what that one leaves goes to the next
  const held = AXES.flatMap((axis) => beside[axis].map((group) => ({ group, axis, size: group.api[axis] })))
  for (const { group, axis, size } of held) hold(group, axis, size)
  const made = change()
  giveLeastWidths(api, scale)
  return made
}

/** Panels that had to give way, by their groups, along one axis. */
interface Shrunk {
  share: number
  /** as they were made, and as they were left */
  made: ReadonlyMap<string, number>
  left: ReadonlyMap<string, number>
}

/** What gave way has its size again in a window that has room for it, unless somebody gave it another one meanwhile. */
export type Shrinking = Partial<Record<Axis, Shrunk>>

/** The dock becomes larger or smaller. */
export function resize(api: DockviewApi, scale: number, size: Record<Axis, number>, shrinking: Shrinking): void {
  const picture = api.getPanel(PICTURE)?.group
  if (!picture || api.hasMaximizedGroup()) return api.layout(size.width, size.height)
  const beside = besidePicture(api)
  const sizes = (axis: Axis): Map<string, number> => new Map(beside[axis].map((group) => [group.id, group.api[axis]]))
  const next = AXES.map((axis) => {
    const before = stillShrunk(shrinking[axis], sizes(axis))
    const made = before?.made ?? sizes(axis)
    const total = (api[axis] - picture.api[axis]) / (before?.share ?? 1)
    const least = Math.min(before ? Infinity : picture.api[axis], LEAST_PICTURE[axis] * scale, MOST_OF_DOCK * size[axis])
    return { axis, made, share: Math.min(1, Math.max(0, size[axis] - least) / Math.max(1, total)) }
  })
  for (const { axis, made, share } of next)
    for (const group of beside[axis]) hold(group, axis, Math.round((made.get(group.id) ?? group.api[axis]) * share))
  api.layout(size.width, size.height)
  giveLeastWidths(api, scale)
  for (const { axis, made, share } of next) shrinking[axis] = share < 1 ? { share, made, left: sizes(axis) } : undefined
}

function stillShrunk(shrunk: Shrunk | undefined, now: ReadonlyMap<string, number>): Shrunk | undefined {
  if (shrunk?.left.size !== now.size) return undefined
  return [...now].every(([id, size]) => Math.abs(size - (shrunk.left.get(id) ?? Infinity)) <= 1) ? shrunk : undefined
}

/** Nothing but the picture is left to give or take room. */
function hold(group: DockviewGroupPanel, axis: Axis, size: number): void {
  group.api.setConstraints(axis === 'width' ? { minimumWidth: size, maximumWidth: size } : { minimumHeight: size, maximumHeight: size })
}
