/** The question which joint a node of a glTF is, asked when names do not say it. */
import { defineStore } from 'pinia'
import { ref, shallowRef } from 'vue'
import type { JointProposal } from '../../../shared/api/types/import.ts'

export interface MapRow extends JointProposal {
  /** as it was proposed */
  proposed: string
}

/** Nothing where the name says it: nodes of one name are told apart by what they hang on, which names alone cannot. */
function saidOf({ node, joint, proposed, why }: MapRow): [string, string][] {
  return why === 'name' && joint === proposed ? [] : [[node, joint.trim()]]
}

export const useJointMap = defineStore('jointMap', () => {
  /** null while nothing is asked */
  const rows = ref<MapRow[] | null>(null)
  const file = ref('')
  const joints = shallowRef<readonly string[]>([])
  let answer: ((map: Record<string, string> | null) => void) | undefined

  /**
   * @param names of the joints, no two alike
   * @returns what the user says of the nodes whose name does not say it, null where they think better of it
   */
  function ask(name: string, proposals: readonly JointProposal[], names: readonly string[]): Promise<Record<string, string> | null> {
    answer?.(null)
    file.value = name
    joints.value = names
    rows.value = proposals.map((proposal) => ({ ...proposal, proposed: proposal.joint }))
    return new Promise((resolve) => (answer = resolve))
  }

  function finish(take: boolean): void {
    const map = take && rows.value ? Object.fromEntries(rows.value.flatMap(saidOf)) : null
    rows.value = null
    answer?.(map)
    answer = undefined
  }

  return { rows, file, joints, ask, finish }
})
