/** The active model's files against their originals, read anew whenever it changes while someone looks. */
import { ref, shallowRef, watch, type Ref } from 'vue'
import type { ByteChange, FileChanges } from '../../../shared/api/types/changes.ts'
import type { OriginalInfo, SavePlan } from '../../../shared/api/types/save.ts'
import { errorData } from '../../core/errors.ts'
import { latestAnswer } from '../../core/latest.ts'
import { useModLayout } from '../../core/mod-layout.ts'
import { useModels } from '../../core/models.ts'
import { useSession } from '../../core/session.ts'
import { moreKey, type ChangeRow } from './change-rows.ts'

export interface Compared {
  /** those that differ */
  files: Readonly<Ref<FileChanges[]>>
  /** what a save would write */
  plan: Readonly<Ref<SavePlan | null>>
  originals: Readonly<Ref<OriginalInfo[]>>
  /** changes that were asked for by file and node, where a list was cut */
  more: Readonly<Ref<ReadonlyMap<string, ByteChange[]>>>
  loaded: Readonly<Ref<boolean>>
  error: Readonly<Ref<string>>
  /** revision of the model that is listed */
  revision: () => number
  load: () => Promise<void>
  /** The rest of a list that was cut, for one node. @throws what the call throws */
  listMore: (row: ChangeRow) => Promise<void>
}

export function useCompared(visible: Readonly<Ref<boolean>>): Compared {
  const models = useModels()
  const session = useSession()
  const modLayout = useModLayout()
  const files = shallowRef<FileChanges[]>([])
  const plan = shallowRef<SavePlan | null>(null)
  const originals = shallowRef<OriginalInfo[]>([])
  const more = shallowRef<ReadonlyMap<string, ByteChange[]>>(new Map())
  const error = ref('')
  const loaded = ref(false)
  let listedAt = 0
  const ask = latestAnswer()
  let timer: ReturnType<typeof setTimeout> | undefined

  async function load(): Promise<void> {
    const model = models.active
    if (!model) return
    const wanted = ask()
    const { revision } = model.info
    try {
      const [c, p, o] = await Promise.all([
        session.call('model.changes', { model: model.id }),
        session.call('save.plan', { model: model.id }),
        session.call('save.originals', { model: model.id }),
      ])
      if (!wanted()) return
      files.value = c.filter((f) => f.changes.length > 0 || f.changedBytes > 0)
      listedAt = revision
      more.value = new Map()
      plan.value = p
      originals.value = o
      error.value = ''
      loaded.value = true
    } catch (e) {
      if (wanted()) error.value = errorData(e).message
    }
  }

  // a drag changes the model many times a second: the bytes are compared when it rests
  watch(
    [
      () => models.activeId,
      () => models.info?.revision,
      () => models.info?.dirty,
      () => models.active?.changedOnDisk,
      () => session.settings.saveMode,
      () => session.settings.modFolder,
      () => modLayout.layout?.loose,
      visible,
    ],
    () => {
      clearTimeout(timer)
      if (visible.value) timer = setTimeout(() => void load(), loaded.value ? 200 : 0)
    },
    { immediate: true },
  )
  watch(
    () => models.activeId,
    () => {
      files.value = []
      plan.value = null
      originals.value = []
      loaded.value = false
    },
  )

  async function listMore(row: ChangeRow): Promise<void> {
    const model = models.active
    if (!model || !row.node) return
    const [file] = await session.call('model.changes', { model: model.id, ref: row.file.ref, within: row.node.path })
    if (!file) return
    const own = file.nodes.findIndex((n) => n.path === row.node!.path)
    more.value = new Map(more.value).set(
      moreKey(row.file.ref, row.node.path),
      file.changes.filter((c) => c.node === own),
    )
  }

  return { files, plan, originals, more, loaded, error, revision: () => listedAt, load, listMore }
}
