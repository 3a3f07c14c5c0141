/** A bone that goes below another parent: dragged onto its row, or taken and hung with the keyboard. */
import { computed, ref, watch, type ComputedRef, type Ref } from 'vue'
import { useOwnCommands } from '../../core/commands/registry.ts'
import { useModels } from '../../core/models.ts'
import { reparent, withThoseBelow } from '../../core/reparent.ts'
import { say } from '../../../shared/texts/say.ts'
import type { OutlinerRow } from './tree.ts'

export interface Outline {
  rows: ComputedRef<readonly OutlinerRow[]>
  /** key of the row that is chosen, and its place in `rows` */
  cursor: Ref<string>
  active: ComputedRef<number>
  /** the tree has the focus */
  focused(): boolean
}

export interface CarriedBone {
  /** joint that was taken, -1 for none */
  taken: Ref<number>
  /** row that a dragged bone is over */
  over: Ref<number>
  /** why it was not hung, '' for nothing to tell */
  refused: Ref<string>
  /** the joint that was taken and those below it */
  carried: ComputedRef<ReadonlySet<number>>
  /** What lets a row be dragged, or be dropped onto. */
  attrs(index: number): Record<string, unknown>
}

export function useCarriedBone({ rows, cursor, active, focused }: Outline): CarriedBone {
  const models = useModels()
  const canHang = computed(() => models.info?.abilities.skeleton?.reparent === true)
  const taken = ref(-1)
  const over = ref(-1)
  const refused = ref('')
  const carried = computed(() =>
    taken.value >= 0 && models.scene ? withThoseBelow(models.scene.skeleton.parents, taken.value) : new Set<number>(),
  )
  watch([() => models.activeId, () => models.info?.revision], () => letGo())
  watch(cursor, () => (refused.value = ''))

  function letGo(): void {
    taken.value = over.value = -1
    refused.value = ''
  }

  function take(index: number): void {
    letGo()
    const row = rows.value[index]
    if (canHang.value && row?.kind === 'joint') taken.value = row.index
  }

  /** Below the bone of a row; on the heading of the bones it becomes a root. */
  function target(index: number): number | undefined {
    const row = rows.value[index]
    if (taken.value < 0 || !row) return undefined
    if (row.kind === 'joint') return carried.value.has(row.index) ? undefined : row.index
    return row.kind === 'section' && rows.value[index + 1]?.kind === 'joint' ? -1 : undefined
  }

  async function hang(index: number): Promise<void> {
    const joint = taken.value
    const to = target(index)
    over.value = -1
    if (to === undefined) {
      if (joint >= 0) refused.value = say('outliner.cannotHang')
      return
    }
    const why = await reparent(joint, to)
    if (why) refused.value = why
    else letGo()
  }

  useOwnCommands([
    {
      id: 'outliner.take',
      when: () => focused() && canHang.value && rows.value[active.value]?.kind === 'joint',
      run: () => take(active.value),
    },
    { id: 'outliner.hang', when: () => focused() && taken.value >= 0, run: () => hang(active.value) },
    { id: 'outliner.letGo', when: () => focused() && (taken.value >= 0 || refused.value !== ''), run: letGo },
  ])

  function dragAttrs(index: number): Record<string, unknown> {
    return {
      draggable: true,
      onDragstart: (event: DragEvent) => {
        take(index)
        event.dataTransfer?.setData('text/plain', rows.value[index]?.name ?? '')
        if (event.dataTransfer) event.dataTransfer.effectAllowed = 'move'
      },
      // what was refused is told after the drop
      onDragend: () => (taken.value = over.value = -1),
    }
  }

  function dropAttrs(index: number): Record<string, unknown> {
    return {
      onDragover: (event: DragEvent) => {
        if (target(index) === undefined) return
        event.preventDefault()
        over.value = index
      },
      onDragleave: () => over.value === index && (over.value = -1),
      onDrop: (event: DragEvent) => {
        event.preventDefault()
        void hang(index)
      },
    }
  }

  function attrs(index: number): Record<string, unknown> {
    return {
      ...(canHang.value && rows.value[index]?.kind === 'joint' ? dragAttrs(index) : {}),
      ...(taken.value >= 0 ? dropAttrs(index) : {}),
    }
  }

  return { taken, over, refused, carried, attrs }
}
