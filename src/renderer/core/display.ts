/** How the viewport draws, kept with the window's settings. */
import { defineStore } from 'pinia'
import { computed, reactive, watch } from 'vue'
import type { Scene } from '../../shared/scene/types.ts'
import { BONE_SIZES, defaultDisplay, groupKey, type DisplayOptions } from '../viewport/types.ts'
import { useKept, type Kept } from './kept.ts'
import { useModels } from './models.ts'
import { useSession } from './session.ts'

/** There are bones, and no mesh to be seen. */
const isBare = (scene: Scene | null): boolean => scene !== null && scene.skeleton.count > 0 && !scene.meshes.some((mesh) => mesh.visible)

/** What belongs to the meshes and joints of the model in front alone is not another one's; one of bones alone shows them. */
export function displayOfOther(options: DisplayOptions, other: Scene | null): DisplayOptions {
  return { ...options, skeleton: options.skeleton || isBare(other), heatJoint: -1, lod: -1, hiddenMeshes: [], hiddenGroups: [] }
}

export const useDisplay = defineStore('display', () => {
  const session = useSession()
  const kept = useKept('display')
  const keptBones = useKept('bones')
  const models = useModels()
  const chosen = reactive<DisplayOptions>({ ...defaultDisplay })
  const hidden = reactive(new Map<string, number[]>())
  const hiddenGroups = reactive(new Map<string, string[]>())

  /** a model of bones alone shows them, whatever the switch says for others, until it is pressed here */
  const bare = computed(() => isBare(models.scene))
  const declined = reactive(new Set<string>())
  const skeleton = computed(() => (bare.value ? !declined.has(models.activeId) : chosen.skeleton))

  function showSkeleton(on: boolean): void {
    if (!bare.value) chosen.skeleton = on
    else if (on) declined.delete(models.activeId)
    else declined.add(models.activeId)
  }

  const options = computed<DisplayOptions>(() => ({
    ...chosen,
    skeleton: skeleton.value,
    teamColor: session.settings.teamColor,
    checker: session.settings.missingTextures === 'checker',
    background: session.theme,
    hiddenMeshes: hidden.get(models.activeId) ?? [],
    hiddenGroups: hiddenGroups.get(models.activeId) ?? [],
  }))

  function load(): void {
    Object.assign(chosen, kept.read())
    const { shape, size } = keptBones.read()
    Object.assign(chosen, { boneShape: shape, boneSize: size })
  }

  const switches = (): Kept<'display'> => {
    const { wireframe, skeleton, names, grid, textures, lit, helpers, follow, inPlace, rootPath, frontOnly } = chosen
    return { wireframe, skeleton, names, grid, textures, lit, helpers, follow, inPlace, rootPath, frontOnly }
  }
  watch(switches, () => kept.writeSoon(switches))
  const bones = (): Kept<'bones'> => ({ shape: chosen.boneShape, size: chosen.boneSize })
  watch(bones, () => keptBones.writeSoon(bones))

  function set(values: Partial<DisplayOptions>): void {
    const { teamColor, background: _background, hiddenMeshes, hiddenGroups: _groups, skeleton: bones, ...own } = values
    const followed = chosen.follow
    Object.assign(chosen, own)
    walkOneWay(chosen.follow && !followed ? 'follow' : 'inPlace')
    if (bones !== undefined) showSkeleton(bones)
    if (teamColor && teamColor !== session.settings.teamColor) void session.change({ teamColor })
    if (hiddenMeshes) hidden.set(models.activeId, [...hiddenMeshes])
  }

  function toggle(key: keyof Kept<'display'>): void {
    if (key === 'skeleton') showSkeleton(!skeleton.value)
    else chosen[key] = !chosen[key]
    walkOneWay(key)
  }

  /** A camera has nothing to follow where the model stays. */
  function walkOneWay(key: string): void {
    if (key === 'inPlace' && chosen.inPlace) chosen.follow = false
    if (key === 'follow' && chosen.follow) chosen.inPlace = false
  }

  function turnBoneShape(): void {
    chosen.boneShape = chosen.boneShape === 'stick' ? 'octahedral' : 'stick'
  }

  /** @param factor on their thickness */
  function scaleBones(factor: number): void {
    chosen.boneSize = Math.min(BONE_SIZES.most, Math.max(BONE_SIZES.least, chosen.boneSize * factor))
  }

  /** Colours the meshes by the weights of a joint; -1 ends it. */
  function heat(joint: number, mesh = -1): void {
    chosen.heatJoint = joint
    chosen.heatMesh = joint < 0 ? -1 : mesh
  }

  function toggleMesh(mesh: number): void {
    const now = hidden.get(models.activeId) ?? []
    hidden.set(models.activeId, now.includes(mesh) ? now.filter((m) => m !== mesh) : [...now, mesh])
  }

  /** One mesh alone; the others are hidden. */
  function showOnlyMesh(mesh: number): void {
    hidden.set(models.activeId, models.scene?.meshes.map((_, i) => i).filter((i) => i !== mesh) ?? [])
    hiddenGroups.delete(models.activeId)
  }

  function showAllMeshes(): void {
    hidden.delete(models.activeId)
    hiddenGroups.delete(models.activeId)
  }

  function toggleGroup(mesh: number, group: number): void {
    const key = groupKey(mesh, group)
    const now = hiddenGroups.get(models.activeId) ?? []
    hiddenGroups.set(models.activeId, now.includes(key) ? now.filter((k) => k !== key) : [...now, key])
  }

  // a joint number means nothing in another model
  watch(
    () => models.activeId,
    () => heat(-1),
  )

  return { chosen, options, bare, load, set, toggle, turnBoneShape, scaleBones, heat, toggleMesh, toggleGroup, showOnlyMesh, showAllMeshes }
})
