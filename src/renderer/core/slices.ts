/** Editing of slices: values are checked before they are sent, drags become one step, the newest message stays in sight. */
import { defineStore } from 'pinia'
import { computed, reactive, ref, shallowRef, watch } from 'vue'
import { errorData } from './errors.ts'
import { useModels } from './models.ts'
import { usePlayback } from './playback.ts'
import { useSelection } from './selection.ts'
import { useSession } from './session.ts'
import type { Slice } from '../../shared/scene/types.ts'

export interface SliceFields {
  name: string
  start: number
  end: number
  speed: number
}

export interface SliceMessage {
  slice: number
  severity: 'error' | 'warning'
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
  /** values of a slice that is being dragged, shown before the services answer */
  const preview = reactive({ slice: -1, start: 0, end: 0 })
  /** the table's name field of the chosen slice is asked to take the focus */
  const renameTick = ref(0)
  const selected = computed(() => (selection.current.slice < list.value.length ? selection.current.slice : -1))
  let merges = 0

  watch(
    () => models.activeId,
    () => {
      message.value = null
      preview.slice = -1
    },
  )

  function values(index: number): SliceFields {
    const s = list.value[index]
    const held = preview.slice === index
    return { name: s.name, start: held ? preview.start : s.start, end: held ? preview.end : s.end, speed: s.speed }
  }

  /** Says what is wrong with values; true when they may be stored. */
  async function check(index: number, fields: SliceFields): Promise<boolean> {
    if (!models.active) return false
    try {
      const found = await session.call('slices.check', { model: models.active.id, values: fields })
      const worst = found.find((f) => f.severity === 'error') ?? found[0]
      message.value = worst ? { slice: index, ...worst } : null
      return worst?.severity !== 'error'
    } catch (error) {
      message.value = { slice: index, severity: 'error', message: errorData(error).message }
      return false
    }
  }

  async function set(index: number, change: Partial<SliceFields>, merge?: string): Promise<boolean> {
    if (!list.value[index] || !limits.value) return false
    const before = list.value[index]
    const next = { name: before.name, start: before.start, end: before.end, speed: before.speed, ...change }
    if (!merge && !(await check(index, next))) return false
    try {
      await models.edit('slices.set', { slice: index, values: change, merge }, { quiet: true })
      return true
    } catch (error) {
      message.value = { slice: index, severity: 'error', message: errorData(error).message }
      return false
    }
  }

  /** A drag: updates come faster than answers, so only the newest waits; all of it is one undo step. */
  function startDrag(index: number): {
    update: (start: number, end: number) => void
    finish: () => Promise<void>
    cancel: () => Promise<void>
  } {
    const merge = `slice-drag-${++merges}`
    const from = { start: list.value[index].start, end: list.value[index].end }
    let wanted: { start: number; end: number } | null = null
    let running: Promise<void> | null = null
    let sent = { ...from }

    async function send(): Promise<void> {
      while (wanted) {
        const next = wanted
        wanted = null
        if (next.start === sent.start && next.end === sent.end) continue
        if (!(await set(index, next, merge))) break
        sent = next
      }
    }
    // send() may end before it waits for anything, so what runs is told after it, not by it
    function kick(): void {
      running ??= send().finally(() => {
        running = null
        if (wanted) kick()
      })
    }
    async function settle(): Promise<void> {
      while (running) await running
      preview.slice = -1
    }
    return {
      update(start, end) {
        Object.assign(preview, { slice: index, start, end })
        wanted = { start, end }
        kick()
      },
      async finish() {
        await settle()
        if (list.value[index]) await check(index, values(index))
      },
      async cancel() {
        wanted = { ...from }
        kick()
        await settle()
      },
    }
  }

  function choose(index: number, play = false): void {
    if (!list.value[index]) return
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
    const start = Math.min(Math.max(clip.start, whole ? Math.floor(playback.state.time) : playback.state.time), clip.end)
    const end = Math.min(clip.end, start + clip.rate)
    const speed = list.value[selected.value]?.speed || (models.info?.family === 'level5' ? 0.5 : 1)
    const result = await models.edit('slices.add', {
      at,
      clip: clipIndex,
      values: { name: limits.value.named ? uniqueName('New slice') : '', start, end: whole ? Math.round(end) : end, speed },
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
    if (playback.state.slice === from) playback.chooseSlice(to, { keepTime: true })
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
    set,
    startDrag,
    choose,
    add,
    duplicate,
    remove,
    move,
    rename,
    extract,
  }
})
