/** Keys that would mean two things at one place. */
import { catalogue, commandIds, OUTER, type CommandId } from './catalogue.ts'

export interface Conflict {
  key: string
  commands: [CommandId, CommandId]
}

/** Two commands with one key in one scope, or in a scope and one around it. */
export function conflictsOf(keys: ReadonlyMap<CommandId, readonly string[]>): Conflict[] {
  const byKey = new Map<string, CommandId[]>()
  for (const id of commandIds) for (const key of keys.get(id) ?? []) byKey.set(key, [...(byKey.get(key) ?? []), id])
  const found: Conflict[] = []
  for (const [key, ids] of byKey)
    ids.forEach((a, at) => {
      for (const b of ids.slice(at + 1)) {
        const one = catalogue[a].scope ?? 'window'
        const other = catalogue[b].scope ?? 'window'
        if (one === other || OUTER[one].includes(other) || OUTER[other].includes(one)) found.push({ key, commands: [a, b] })
      }
    })
  return found
}
