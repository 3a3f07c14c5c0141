/** Models that have long lists of members in common: thousands of animations of one skeleton belong to each of its thousand models. */
import type { ModelBinding, ModelMember } from './binding.ts'

/** Members of a list that is worth being kept once; of fewer each model has its own. */
export const LONG_LIST = 64

/** A binding whose members are put together when they are asked for: its own, then those of the lists, each file once. */
export function sharing(
  model: Pick<ModelBinding, 'family' | 'name' | 'primary'>,
  own: ModelMember[],
  shared: readonly (readonly ModelMember[])[],
): ModelBinding {
  if (shared.length === 0) return { ...model, members: own }
  const binding: ModelBinding = {
    ...model,
    get members() {
      return withLists(own, shared)
    },
  }
  // not taken along by a copy, whose members may be others
  return Object.defineProperty(binding, 'apart', { value: { own, shared } })
}

/** @param lists a file in several of them counts where it comes first */
function withLists(own: readonly ModelMember[], lists: readonly (readonly ModelMember[])[]): ModelMember[] {
  const refs = new Set(own.map(({ ref }) => ref))
  const members = [...own]
  for (const list of lists) {
    for (const member of list) {
      if (refs.has(member.ref)) continue
      refs.add(member.ref)
      members.push(member)
    }
  }
  return members
}
