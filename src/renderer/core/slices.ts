/** Editing of slices: values are checked before they are sent, drags become one step, the newest message stays in sight. */
import { defineStore } from 'pinia'
import { computed, reactive, ref, shallowRef, watch } from 'vue'
import { pickFile } from '../ui/files.ts'
import { errorData } from './errors.ts'
import { latestAnswer } from './latest.ts'
import { useModels } from './models.ts'
import { usePlayback } from './playback.ts'
import { useSelection } from './selection.ts'
import { useSession } from './session.ts'
import type { Slice } from '../../shared/scene/types.ts'
import { say } from '../../shared/texts/say.ts'

export interface SliceFields {
  name: string
  start: number
  end: number
  speed: number
}

export interface SliceMessage {
  slice: number
  severity: 'error' | 'warning'
  /** the value that is meant; absent where it is none of them */
  field?: keyof SliceFields
  message: string
}

export const useSlices = defineStore('slices', () => {
  const session = useSession()
  const models = useModels()
  const selection = useSelection()
  const playback = usePlayback()
  const limits = computed(() => models.info?.abilities.slices ?? null)
  const list = computed<readonly Slice[]>(() => models.scene?.slices ?? [])
  const message = shallowRef<SliceMessage | null>(null)
  /** values of a slice that is being dragged */
  const preview = reactive({ slice: -1, start: 0, end: 0 })
  /** the table's name field of the chosen slice is asked to take the focus */
  const renameTick = ref(0)
  const selected = computed(() => (selection.current.slice < list.value.length ? selection.current.slice : -1))
  const ask = latestAnswer()

  watch(
    () => models.activeId,
    () => {
      settle()
      preview.slice = -1
    },
  )
  // what was refused was about values that were never stored: other slices have come since
  watch(list, () => message.value?.severity === 'error' && settle())

  /** Nothing is being tried any more: what was said of it goes, and what is still to be said does not come. */
  function settle(): void {
    ask()
    message.value = null
  }

  function values(index: number): SliceFields {
    const s = list.value[index]
    const held = preview.slice === index
    return { name: s.name, start: held ? preview.start : s.start, end: held ? preview.end : s.end, speed: s.speed }
  }

  /** Says what is wrong with a slice when some of its values are others; true when they may be stored. */
  async function check(index: number, change: Partial<SliceFields> = {}): Promise<boolean> {
    if (!models.active || !list.value[index]) return false
    const wanted = ask()
    const show = (now: SliceMessage | null): void => {
      if (wanted()) message.value = now
    }
    try {
      const found = await session.call('slices.check', { model: models.active.id, values: { ...values(index), ...change } })
      const worst = found.find((f) => f.severity === 'error') ?? found[0]
      // where two values contradict each other the one that was changed is meant
      const field = change.start !== undefined && worst?.field === 'end' ? 'start' : worst?.field
      show(worst ? { ...worst, slice: index, field } : null)
      return worst?.severity !== 'error'
    } catch (error) {
      show({ slice: index, severity: 'error', message: errorData(error).message })
      return false
    }
  }

  async function set(index: number, change: Partial<SliceFields>): Promise<boolean> {
    if (!list.value[index] || !limits.value) return false
    if (!(await check(index, change))) return false
    try {
      await models.edit('slices.set', { slice: index, values: change }, { quiet: true })
      return true
    } catch (error) {
      message.value = { slice: index, severity: 'error', message: errorData(error).message }
      return false
    }
  }

  /** A drag, or steps in a row: where it is is shown, and is an edit once it ends. */
  function startDrag(index: number) {
    const cancel = (): void => void (preview.slice = -1)
    const moved = (): boolean => {
      const stored = list.value[index]
      return preview.slice === index && stored !== undefined && (preview.start !== stored.start || preview.end !== stored.end)
    }
    return {
      cancel,
      moved,
      update: (start: number, end: number): void => void Object.assign(preview, { slice: index, start, end }),
      async finish(): Promise<void> {
        const { start, end } = preview
        if (moved()) await set(index, { start, end })
        // the next one may have gone on from here meanwhile
        if (preview.slice === index && preview.start === start && preview.end === end) cancel()
      },
    }
  }

  function choose(index: number, play = false): void {
    if (!list.value[index]) return
    if (message.value && message.value.slice !== index) settle()
    selection.slice(index)
    if (playback.state.slice !== index) playback.chooseSlice(index)
    if (play) playback.play()
  }

  function uniqueName(base: string): string {
    const names = new Set(list.value.map((s) => s.name))
    if (!names.has(base)) return base
    for (let n = 2; ; n++) if (!names.has(`${base} ${n}`)) return `${base} ${n}`
  }

  /** A new slice after the chosen one, from the playhead for one second or to the end of the clip. */
  async function add(): Promise<void> {
    const clip = playback.clip ?? models.scene?.clips[0]
    if (!clip || !limits.value) return
    const clipIndex = Math.max(0, playback.state.clip)
    const at = selected.value >= 0 ? selected.value + 1 : list.value.length
    const whole = limits.value.integerFrames
    const start = Math.min(Math.max(clip.start, whole ? Math.floor(playback.playhead) : playback.playhead), clip.end)
    const end = Math.min(clip.end, start + clip.rate)
    const speed = list.value[selected.value]?.speed || limits.value.newSpeed
    const result = await models.edit('slices.add', {
      at,
      clip: clipIndex,
      values: { name: limits.value.named ? uniqueName(say('slices.new')) : '', start, end: whole ? Math.round(end) : end, speed },
    })
    if (result) {
      choose(at)
      if (limits.value?.named) rename()
    }
  }

  async function duplicate(): Promise<void> {
    const index = selected.value
    if (index >= 0 && (await models.edit('slices.duplicate', { slice: index }))) choose(index + 1)
  }

  async function remove(): Promise<void> {
    const index = selected.value
    if (index < 0 || !(await models.edit('slices.remove', { slice: index }))) return
    if (list.value.length) choose(Math.min(index, list.value.length - 1))
    else selection.clear()
  }

  async function move(by: 1 | -1): Promise<void> {
    const from = selected.value
    const to = from + by
    if (from < 0 || to < 0 || to >= list.value.length) return
    if (!(await models.edit('slices.move', { from, to }))) return
    selection.slice(to)
  }

  function rename(): void {
    if (selected.value >= 0) renameTick.value++
  }

  async function extract(): Promise<void> {
    const model = models.active
    if (!model || selected.value < 0) return
    try {
      const result = await session.call('slices.extract', { model: model.id, slice: selected.value })
      download(result.name, result.bytes)
    } catch (error) {
      session.report(error)
    }
  }

  /** A file that was extracted, edited elsewhere perhaps, in the place of what the chosen slice plays: one step. */
  async function replaceWindow(): Promise<void> {
    const model = models.active
    const index = selected.value
    const file = model && index >= 0 ? await pickFile('') : null
    if (!model || !file) return
    const bytes = new Uint8Array(await file.arrayBuffer())
    const done = await models.edit('slices.replaceWindow', { slice: index, bytes }, { model })
    if (done) session.notify('good', say('slices.windowReplaced', { slice: list.value[index]?.name || index, file: file.name }))
  }

  function download(name: string, bytes: Uint8Array): void {
    const link = document.createElement('a')
    link.href = URL.createObjectURL(new Blob([bytes.slice()]))
    link.download = name
    link.click()
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
  }

  return {
    limits,
    list,
    message,
    preview,
    renameTick,
    selected,
    values,
    check,
    settle,
    set,
    startDrag,
    choose,
    add,
    duplicate,
    remove,
    move,
    rename,
    extract,
    replaceWindow,
  }
})
