/** Posing by inverse kinematics: joints that are pinned, and how many bones bend for a joint. Of each skeleton, and kept. */
import { defineStore } from 'pinia'
import { computed, watch } from 'vue'
import { bonesFor } from '../../shared/motion/posing.ts'
import { mostBones, rigOf, type PosingRig } from '../../shared/motion/rig.ts'
import { useKept, withLast, type Kept } from './kept.ts'
import { useModels } from './models.ts'
import { useSelection } from './selection.ts'

type OfSkeleton = Kept<'reach'>[string]
const NOTHING: OfSkeleton = { pins: [], bones: [] }

/** A skeleton by the names of its joints: short, for settings. */
function skeletonKey(names: readonly string[]): string {
  const text = names
    .map((name) => name.trim().toLowerCase())
    .sort()
    .join('\n')
  // FNV-1a twice: 64 bits keep some forty skeletons apart
  return [0x811c9dc5, 0x01234567]
    .map((start) => {
      let sum = start
      for (let i = 0; i < text.length; i++) sum = Math.imul(sum ^ text.charCodeAt(i), 0x01000193)
      return (sum >>> 0).toString(16).padStart(8, '0')
    })
    .join('')
}

export const useReach = defineStore('reach', () => {
  const models = useModels()
  const selection = useSelection()
  const kept = useKept('reach')
  const names = computed<readonly string[]>(() => models.scene?.skeleton.names ?? [])
  const key = computed(() => (names.value.length > 0 ? skeletonKey(names.value) : ''))
  const own = computed<OfSkeleton>(() => kept.read()[key.value] ?? NOTHING)

  // an edit of keys makes another scene of the same skeleton
  const skeleton = computed(() => models.scene?.skeleton)
  const skins = computed(() => models.scene?.skins)
  const rig = computed<PosingRig | null>(() => {
    const [bones, bound] = [skeleton.value, skins.value]
    return bones && bound && bones.count > 0 ? rigOf({ skeleton: bones, skins: bound }) : null
  })

  /** Where a joint stands now: an edit of the skeleton may have moved it. */
  const placeOf = ({ index, name }: OfSkeleton['pins'][number]): number => (names.value[index] === name ? index : names.value.indexOf(name))
  const pins = computed(() => own.value.pins.map(placeOf).filter((joint) => joint >= 0))
  const bones = computed<ReadonlyMap<number, number>>(
    () => new Map(own.value.bones.map(({ joint, count }) => [placeOf(joint), count] as const).filter(([joint]) => joint >= 0)),
  )

  const named = (index: number): OfSkeleton['pins'][number] => ({ index, name: names.value[index] ?? '' })
  function put(next: Partial<OfSkeleton>): void {
    if (key.value) kept.write(withLast(kept.read(), key.value, { ...own.value, ...next }))
  }

  // a joint that is renamed makes it another skeleton: what is there of the one before goes with it
  watch([() => models.activeId, key], ([model, now], [before, was]) => {
    const all = kept.read()
    if (model === before && now && was && !all[now] && all[was]) kept.write(withLast(all, now, all[was]))
  })

  /** Bones that bend for the chosen joint, and the most there can be; null where none is chosen. */
  const chain = computed(() => {
    const { joint } = selection.current
    if (!rig.value || joint < 0 || joint >= rig.value.figure.count) return null
    const bent = bonesFor(rig.value, joint, bones.value)
    let root = joint
    for (let i = 0; i < bent; i++) root = rig.value.figure.parents[root]
    return { joint, bones: bent, most: mostBones(rig.value, joint), root }
  })

  const isPinned = (joint: number): boolean => pins.value.includes(joint)

  /** All chosen joints are pinned, or none of them any more. */
  function togglePins(joints: readonly number[] = selection.joints): void {
    const on = joints.some((joint) => !isPinned(joint))
    const others = pins.value.filter((joint) => !joints.includes(joint))
    put({ pins: [...others, ...(on ? joints : [])].map(named) })
  }

  const clearPins = (): void => put({ pins: [] })

  /** So many bones bend for the joint; as the skeleton proposes without a number. */
  function setBones(joint: number, count?: number): void {
    const next = new Map(bones.value)
    if (count === undefined || count === rig.value?.bones[joint]) next.delete(joint)
    else next.set(joint, count)
    put({ bones: [...next].map(([at, number]) => ({ joint: named(at), count: number })) })
  }

  return { rig, pins, bones, chain, isPinned, togglePins, clearPins, setBones }
})
