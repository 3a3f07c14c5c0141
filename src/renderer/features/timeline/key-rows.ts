/** Rows of the dope sheet: which there are, which are open, and the one that the keyboard is on. */
import { computed, ref, watch } from 'vue'
import { useKeys } from '../../core/keys/store.ts'
import { useModels } from '../../core/models.ts'
import { usePlayback } from '../../core/playback.ts'
import { useSelection } from '../../core/selection.ts'
import { sharedWith } from '../../../shared/scene/same.ts'
import { dopeRows, fromClip, fromNative, nestGroups, type DopeRow } from './dope-rows.ts'

export function useKeyRows() {
  const keys = useKeys()
  const models = useModels()
  const playback = usePlayback()
  const selection = useSelection()
  const open = ref(new Set<string>())
  /** key of the row that the keyboard is on */
  const current = ref('')

  // the scene's own tracks stand in until the native ones come, and for families whose keys cannot be edited
  const flat = computed(() => {
    if (keys.tracks.length) return fromNative(keys.tracks)
    return models.scene && playback.clip ? fromClip(models.scene, playback.clip) : []
  })
  // the same object as long as no bone comes, goes or is hung elsewhere, whatever else an edit makes of the scene
  const parents = computed(() => models.scene?.skeleton.parents)
  const groups = computed(() => (parents.value ? nestGroups(flat.value, parents.value) : flat.value))
  /** rows of bones that are not chosen are left out, as long as one is */
  const onlyChosen = ref(false)
  const listed = computed(() => {
    const joints = new Set(selection.joints)
    const own = onlyChosen.value ? groups.value.filter(({ joint }) => joints.has(joint)) : []
    return own.length ? own.map((group) => ({ ...group, depth: 0 })) : groups.value
  })
  // keys that got other values stand where they stood: the same rows, and nothing to draw
  const rows = computed<DopeRow[]>((before) => sharedWith(dopeRows(listed.value, open.value), before))
  const index = computed(() => {
    const at = rows.value.findIndex((row) => row.key === current.value)
    return at >= 0 ? at : rows.value.findIndex((row) => row.joint >= 0 && row.joint === selection.current.joint)
  })
  // a bone chosen elsewhere takes the row with it
  watch(
    () => selection.current.joint,
    (joint) => rows.value[index.value]?.joint !== joint && (current.value = ''),
  )

  function toggle(key: string): void {
    const next = new Set(open.value)
    if (!next.delete(key)) next.add(key)
    open.value = next
  }

  /** The keyboard goes to a row, and the selection to its bone. @returns its number, -1 where there are none */
  function goTo(wanted: number): number {
    const at = Math.min(rows.value.length - 1, Math.max(0, wanted))
    const row = rows.value[at]
    if (!row) return -1
    current.value = row.key
    if (row.joint >= 0) selection.joint(row.joint)
    return at
  }

  return { rows, index, onlyChosen, toggle, goTo }
}

export type KeyRows = ReturnType<typeof useKeyRows>
