/** What is chosen in each model; every panel shows and changes the same selection. */
import { defineStore } from 'pinia'
import { computed, reactive, shallowReactive, watch } from 'vue'
import { FOLLOWED, followIn } from './follow.ts'
import { useModels } from './models.ts'

export const SELECTION_KINDS = [
  'none',
  'model',
  'joint',
  'mesh',
  'material',
  'texture',
  'slice',
  'clip',
  'file',
  'vertex',
  'helper',
] as const
export type SelectionKind = (typeof SELECTION_KINDS)[number]

export interface Selection {
  /** what was chosen last: what the inspector shows */
  kind: SelectionKind
  joint: number
  mesh: number
  /** group of the mesh, -1 for all of it */
  group: number
  material: number
  texture: number
  /** index into the mesh's positions, and the same vertex as the file numbers it */
  vertex: number
  nativeVertex: number
  slice: number
  clip: number
  file: string
  /** index into Scene.helpers */
  helper: number
}

const nothing = (): Selection => ({
  kind: 'none',
  joint: -1,
  mesh: -1,
  group: -1,
  material: -1,
  texture: -1,
  vertex: -1,
  nativeVertex: -1,
  slice: -1,
  clip: -1,
  file: '',
  helper: -1,
})

export const useSelection = defineStore('selection', () => {
  const models = useModels()
  const byModel = reactive(new Map<string, Selection>())
  const empty = nothing()
  const current = computed<Selection>(() => {
    const id = models.activeId
    return (id && byModel.get(id)) || empty
  })

  function own(): Selection {
    const id = models.activeId
    if (!id) return empty
    if (!byModel.has(id)) byModel.set(id, nothing())
    return byModel.get(id)!
  }

  const of = (model: string): Readonly<Selection> => byModel.get(model) ?? empty
  function set(model: string, selection: Selection): void {
    byModel.set(model, selection)
  }

  /** no part of the figure was chosen last: what plays is meant, a clip or a slice */
  const ofTime = computed(() => ['none', 'model', 'clip', 'slice'].includes(current.value.kind))

  /** joints chosen beside the current one, by model */
  const more = reactive(new Map<string, readonly number[]>())
  /** all joints that are chosen, the current one first */
  const joints = computed<readonly number[]>(() => {
    const { joint } = current.value
    return joint < 0 ? [] : [joint, ...(more.get(models.activeId) ?? []).filter((other) => other !== joint)]
  })

  /** The first is the current one; none ends the selection. */
  function chooseJoints(list: readonly number[]): void {
    if (list.length) choose('joint', { joint: list[0] })
    else clear()
    if (list.length > 1) more.set(models.activeId, list.slice(1))
  }

  function toggleJoint(index: number): void {
    const all = joints.value
    chooseJoints(all.includes(index) ? all.filter((other) => other !== index) : [index, ...all])
  }

  function addJoints(list: readonly number[]): void {
    if (list.length) chooseJoints([...new Set([...list, ...joints.value])])
  }

  /** vertices chosen beside the current one, by model; numbers of the file. A box takes thousands */
  const moreVertices = shallowReactive(new Map<string, readonly number[]>())
  /** all vertices of `current.mesh` that are chosen, as the file numbers them, the current one first */
  const vertices = computed<readonly number[]>(() => {
    const { kind, nativeVertex } = current.value
    if (kind !== 'vertex' || nativeVertex < 0) return []
    return [nativeVertex, ...(moreVertices.get(models.activeId) ?? []).filter((other) => other !== nativeVertex)]
  })
  const verticesOf = (mesh: number): readonly number[] => (current.value.mesh === mesh ? vertices.value : [])

  /** The first is the current one; none ends the selection. */
  function chooseVertices(mesh: number, list: readonly number[]): void {
    if (!list.length) return clear()
    vertex(mesh, models.scene?.meshes[mesh]?.nativeVertex.indexOf(list[0]) ?? -1, list[0])
    if (list.length > 1) moreVertices.set(models.activeId, list.slice(1))
  }

  function toggleVertex(mesh: number, native: number): void {
    const all = verticesOf(mesh)
    chooseVertices(mesh, all.includes(native) ? all.filter((other) => other !== native) : [native, ...all])
  }

  function addVertices(mesh: number, list: readonly number[]): void {
    if (list.length) chooseVertices(mesh, [...new Set([...verticesOf(mesh), ...list])])
  }

  function choose(kind: SelectionKind, values: Partial<Selection> = {}): void {
    const state = own()
    if (kind === 'joint' || kind === 'none') more.delete(models.activeId)
    if (kind === 'vertex' || kind === 'none') moreVertices.delete(models.activeId)
    if (kind === 'none') Object.assign(state, nothing(), { slice: state.slice })
    else Object.assign(state, values, { kind })
  }

  // what was chosen stays chosen, wherever a change put it
  watch(
    () => ({ id: models.activeId, scene: models.scene }),
    ({ id, scene }, before) => {
      const state = byModel.get(id)
      if (!state || !scene || !before.scene || before.id !== id) return
      for (const list of FOLLOWED) {
        const place = followIn(list, before.scene, scene)
        if (list === 'joint' && more.has(id))
          more.set(
            id,
            more
              .get(id)!
              .map(place)
              .filter((at) => at >= 0),
          )
        if (state[list] < 0) continue
        state[list] = place(state[list])
        if (state[list] < 0 && state.kind === list) state.kind = 'none'
      }
    },
    { flush: 'sync' },
  )

  const joint = (index: number): void => choose('joint', { joint: index })
  const mesh = (index: number, group = -1): void => choose('mesh', { mesh: index, group, vertex: -1, nativeVertex: -1 })
  const material = (index: number): void => choose('material', { material: index })
  const texture = (index: number): void => choose('texture', { texture: index })
  const slice = (index: number): void => choose('slice', { slice: index })
  const clip = (index: number): void => choose('clip', { clip: index })
  const helper = (index: number): void => choose('helper', { helper: index })
  const file = (ref: string): void => choose('file', { file: ref })
  const vertex = (mesh: number, vertex: number, nativeVertex: number, group = -1): void =>
    choose('vertex', { mesh, group, vertex, nativeVertex })
  const clear = (): void => choose('none')

  return {
    current,
    ofTime,
    joints,
    chooseJoints,
    toggleJoint,
    addJoints,
    vertices,
    verticesOf,
    chooseVertices,
    toggleVertex,
    addVertices,
    of,
    set,
    choose,
    joint,
    mesh,
    material,
    texture,
    slice,
    clip,
    file,
    vertex,
    helper,
    clear,
  }
})
