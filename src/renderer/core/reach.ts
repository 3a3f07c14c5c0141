/** Posing by inverse kinematics in each model: joints that are pinned, and how many bones bend for a joint. */
import { defineStore } from 'pinia'
import { computed, shallowReactive } from 'vue'
import { bonesFor } from '../../shared/motion/posing.ts'
import { mostBones, rigOf, type PosingRig } from '../../shared/motion/rig.ts'
import { useModels } from './models.ts'
import { useSelection } from './selection.ts'

/** Joints by their numbers, with the names that they had: an edit of the skeleton may move them. */
type OfJoints<T> = ReadonlyMap<number, { name: string; value: T }>

export const useReach = defineStore('reach', () => {
  const models = useModels()
  const selection = useSelection()
  const pinned = shallowReactive(new Map<string, OfJoints<true>>())
  const chosenBones = shallowReactive(new Map<string, OfJoints<number>>())

  const rig = computed<PosingRig | null>(() => {
    const scene = models.scene
    return scene && scene.skeleton.count > 0 ? rigOf(scene) : null
  })

  const there = <T>(of: OfJoints<T> | undefined): [number, T][] =>
    [...(of ?? [])].flatMap(([joint, { name, value }]) => (models.scene?.skeleton.names[joint] === name ? [[joint, value]] : []))
  const pins = computed(() => there(pinned.get(models.activeId)).map(([joint]) => joint))
  const bones = computed<ReadonlyMap<number, number>>(() => new Map(there(chosenBones.get(models.activeId))))

  /** Bones that bend for the chosen joint, and the most there can be; null where none is chosen. */
  const chain = computed(() => {
    const { joint } = selection.current
    if (!rig.value || joint < 0 || joint >= rig.value.figure.count) return null
    const own = bonesFor(rig.value, joint, bones.value)
    let root = joint
    for (let i = 0; i < own; i++) root = rig.value.figure.parents[root]
    return { joint, bones: own, most: mostBones(rig.value, joint), root }
  })

  function put<T>(into: Map<string, OfJoints<T>>, joint: number, value: T | undefined): void {
    const own = new Map(into.get(models.activeId))
    if (value === undefined) own.delete(joint)
    else own.set(joint, { name: models.scene?.skeleton.names[joint] ?? '', value })
    into.set(models.activeId, own)
  }

  const isPinned = (joint: number): boolean => pins.value.includes(joint)

  /** All chosen joints are pinned, or none of them any more. */
  function togglePins(joints: readonly number[] = selection.joints): void {
    const on = joints.some((joint) => !isPinned(joint))
    for (const joint of joints) put(pinned, joint, on ? true : undefined)
  }

  function clearPins(): void {
    pinned.delete(models.activeId)
  }

  /** So many bones bend for the joint; as the skeleton proposes without a number. */
  function setBones(joint: number, count?: number): void {
    put(chosenBones, joint, count === undefined || count === rig.value?.bones[joint] ? undefined : count)
  }

  return { rig, pins, bones, chain, isPinned, togglePins, clearPins, setBones }
})
