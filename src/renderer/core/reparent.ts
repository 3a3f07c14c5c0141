/** A bone under another parent, from wherever it is asked for. */
import { errorData } from './errors.ts'
import { useModels } from './models.ts'
import { useSelection } from './selection.ts'

/**
 * One undoable step; the bone stays chosen, though joints stand in another order afterwards.
 * @param parent joint, -1 for none
 * @returns why it was refused, '' where it was done
 */
export async function reparent(joint: number, parent: number): Promise<string> {
  const models = useModels()
  const selection = useSelection()
  const place = (): string[] => models.scene!.skeleton.sources.map((s) => `${s.ref}#${s.path}`)
  const own = place()[joint]
  const name = models.scene!.skeleton.names[joint]
  try {
    await models.edit('skeleton.reparent', { joint, parent }, { quiet: true })
  } catch (error) {
    return errorData(error).message
  }
  const { names } = models.scene!.skeleton
  // a file may have to put its bones in another order: then another stands in the old place
  const there = place().indexOf(own)
  const now = names[there] === name ? there : names.indexOf(name)
  if (now >= 0 && (now !== joint || selection.current.joint !== joint)) selection.joint(now)
  return ''
}

/** The joint and all that hang on it: none of them can carry it. @param parents with parents before children */
export function withThoseBelow(parents: ArrayLike<number>, joint: number): Set<number> {
  const out = new Set([joint])
  for (let i = joint + 1; i < parents.length; i++) if (out.has(parents[i])) out.add(i)
  return out
}
