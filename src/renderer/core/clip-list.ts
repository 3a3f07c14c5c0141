/**
 * The list of a model's clips as a whole: made, copied, named, put in order, parted, joined, taken from files. What is chosen follows each
 * edit; what the family refuses for one of them is said where the list stands.
 */
import { defineStore } from 'pinia'
import { computed, ref, shallowRef, watch } from 'vue'
import { pickFile } from '../ui/files.ts'
import { formatSize } from '../ui/format.ts'
import { errorData } from './errors.ts'
import { latestAnswer } from './latest.ts'
import { useModels, type EditCall } from './models.ts'
import { usePlayback } from './playback.ts'
import { useSelection } from './selection.ts'
import { useSession } from './session.ts'
import { useSlices } from './slices.ts'
import type { CallArgs } from '../../shared/api/contract.ts'
import type { ClipAction, ClipListLimits, ListedClip } from '../../shared/api/types/clips.ts'
import { say } from '../../shared/texts/say.ts'

interface Listed {
  clips: ListedClip[]
  limits: ClipListLimits
}

const NOTHING: Listed = { clips: [], limits: { nameBytes: 0, files: [] } }
/** Names of new clips: written into files, which take ASCII alone. */
const NEW_NAME = 'new'

export const useClipList = defineStore('clip-list', () => {
  const session = useSession()
  const models = useModels()
  const playback = usePlayback()
  const selection = useSelection()
  const slices = useSlices()
  const listed = shallowRef<Listed>(NOTHING)
  /** why something was refused; `clip` counts within the list, -1 for none of them */
  const refused = shallowRef<{ clip: number; message: string } | null>(null)
  /** the name of the chosen clip is asked to take the focus */
  const renameTick = ref(0)
  const ask = latestAnswer()
  const of = computed(() => models.info?.abilities.clipList ?? null)
  const clips = computed(() => listed.value.clips)
  const limits = computed(() => listed.value.limits)

  /** What the list consists of, as the scene has it: that is there with an edit's answer, the list comes after. */
  const shown = computed(() => (of.value === 'slices' ? (models.scene?.slices ?? []) : (models.scene?.clips ?? [])))

  const entry = (index: number): { name: string; ref: string } | undefined => {
    const found = shown.value[index]
    return found && { name: found.name, ref: found.source.ref }
  }

  /** The clip of the list that edits are about: what plays. */
  const chosen = computed(() => {
    const { clip, slice } = playback.state
    if (of.value === 'slices') return slices.selected < shown.value.length ? slices.selected : -1
    return slice < 0 && clip < shown.value.length ? clip : -1
  })

  async function load(): Promise<void> {
    const model = models.active
    const wanted = ask()
    const next = model?.info.abilities.clipList ? await session.call('clips.list', { model: model.id }).catch(() => NOTHING) : NOTHING
    if (wanted()) listed.value = next
  }
  watch([() => models.activeId, () => models.info?.revision], load, { immediate: true })
  watch([() => models.activeId, () => models.info?.revision, chosen], settle)

  function settle(): void {
    refused.value = null
  }

  /** Where a list is shown the reason stands below it; slices say theirs below their own. */
  function refuse(clip: number, message: string): void {
    if (of.value === 'slices' && clip >= 0) slices.message = { slice: clip, severity: 'error', message }
    else refused.value = { clip, message }
  }

  /** Whether the family ever does this: what it never does is not offered. */
  function offers(action: ClipAction): boolean {
    if (of.value === null) return false
    if (action === 'add' || action === 'merge') return true
    return clips.value.some((clip) => clip.refused[action] === undefined)
  }

  /** Whether there is a clip that it could be done with; why it may not is said when it is asked for. */
  const can = (action: ClipAction): boolean => chosen.value >= 0 && offers(action)

  function choose(index: number): void {
    if (!shown.value[index]) return
    if (of.value === 'slices') return slices.choose(index)
    if (playback.state.clip !== index || playback.state.slice >= 0) playback.chooseClip(index)
    selection.clip(index)
  }

  /** Of several with one name the last: new ones come last. */
  const named = (name: string, ref?: string): number =>
    shown.value.findLastIndex((clip) => clip.name === name && (ref === undefined || clip.source.ref === ref))

  /** One step; what is refused is said, and nothing is changed. */
  async function edit<K extends EditCall>(call: K, args: Omit<CallArgs<K>, 'model'>, action: ClipAction, clip = -1): Promise<boolean> {
    const why = clips.value[clip]?.refused[action]
    if (why !== undefined) {
      refuse(clip, why)
      return false
    }
    try {
      return (await models.edit(call, args, { quiet: true })) !== null
    } catch (error) {
      refuse(clip, errorData(error).message)
      return false
    }
  }

  /** A name that no clip has, as short as the format asks. */
  function freeName(base: string): string {
    const taken = new Set(shown.value.map(({ name }) => name.toLowerCase()))
    // the limit is of bytes, of which letters beyond ASCII take two
    const most = (limits.value.nameBytes || Infinity) / (/^[\x20-\x7e]*$/.test(base) ? 1 : 2)
    for (let n = 1; ; n++) {
      const end = n === 1 ? '' : `_${n}`
      const name = `${base.slice(0, Math.max(1, most - end.length))}${end}`
      if (!taken.has(name.toLowerCase())) return name
    }
  }

  /** A new one is named at once. */
  function begin(name: string): void {
    choose(named(name))
    rename()
  }

  /** @param range of the chosen clip in native times, a pose where both are the same; none: a clip without movement */
  async function add(range?: { start: number; end: number }): Promise<void> {
    const clip = chosen.value
    if (range && clip < 0) return
    const name = freeName(NEW_NAME)
    const from = range && { clip, ...range }
    if (await edit('clips.add', { name, from }, 'add', range ? clip : -1)) begin(name)
  }

  async function duplicate(): Promise<void> {
    const clip = chosen.value
    if (clip < 0) return
    const name = freeName(shown.value[clip].name)
    if (await edit('clips.duplicate', { clip, name }, 'duplicate', clip)) begin(name)
  }

  function rename(): void {
    if (of.value === 'slices') slices.rename()
    else if (chosen.value >= 0) renameTick.value++
  }

  /** @returns whether it is called so now */
  async function setName(clip: number, name: string): Promise<boolean> {
    const { ref } = entry(clip) ?? {}
    if (ref === undefined || !(await edit('clips.rename', { clip, name }, 'rename', clip))) return false
    choose(named(name, ref))
    return true
  }

  async function remove(): Promise<void> {
    const clip = chosen.value
    if (clip < 0 || !(await edit('clips.remove', { clip }, 'remove', clip))) return
    if (shown.value.length > 0) choose(Math.min(clip, shown.value.length - 1))
    else selection.clear()
  }

  /** Before or behind its neighbour in the same file. */
  async function move(by: 1 | -1): Promise<void> {
    const clip = chosen.value
    const to = clip + by
    const { name, ref } = entry(clip) ?? {}
    if (name === undefined || !shown.value[to]) return
    if (await edit('clips.move', { from: clip, to }, 'move', clip)) choose(named(name, ref))
  }

  /** What follows the playhead becomes a clip of its own, and is chosen. */
  async function split(): Promise<void> {
    const clip = chosen.value
    if (clip < 0) return
    const name = freeName(shown.value[clip].name)
    if (await edit('clips.split', { clip, time: playback.playhead, name }, 'split', clip)) begin(name)
  }

  /** What is joined with the chosen one where none is named: of motions on one track the one that goes on where this ends, else the next of the list. */
  const following = computed(() => {
    const clip = chosen.value
    if (of.value !== 'slices') return clip + 1
    const own = slices.list[clip]
    const goesOn = slices.list.findIndex(
      (slice, i) => i !== clip && slice.clip === own?.clip && slice.end > slice.start && [own.end, own.end + 1].includes(slice.start),
    )
    return goesOn >= 0 ? goesOn : clip + 1
  })

  async function join(other = following.value): Promise<void> {
    const clip = chosen.value
    const { name, ref } = entry(clip) ?? {}
    if (name === undefined || !shown.value[other]) return
    if (await edit('clips.join', { clip, other }, 'join', clip)) choose(of.value === 'slices' ? clip : named(name, ref))
  }

  /** The clips of a file that the user names. */
  async function merge(): Promise<void> {
    const model = models.active
    const file = model ? await pickFile('') : null
    if (!file || models.active !== model) return
    const before = shown.value.length
    if (!(await edit('clips.merge', { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) }, 'merge'))) return
    session.notify('good', say('clipList.merged', { count: shown.value.length - before, file: file.name }))
    choose(shown.value.length - 1)
  }

  /** What of the chosen clip is packed: storing it plain is offered there. */
  const packed = computed(() => clips.value[chosen.value]?.packed ?? null)

  async function unpack(): Promise<void> {
    const clip = chosen.value
    const had = packed.value
    if (had && (await edit('clips.unpack', { clip }, 'unpack', clip)))
      session.notify('good', say('clipList.unpacked', { count: had.tracks, size: formatSize(had.adds) }))
  }

  /** Files of the model that the chosen clip could go into. */
  const otherFiles = computed(() => limits.value.files.filter((file) => file !== entry(chosen.value)?.ref))

  async function moveTo(file: string): Promise<void> {
    const clip = chosen.value
    const { name } = entry(clip) ?? {}
    if (name !== undefined && (await edit('clips.moveTo', { clip, ref: file }, 'moveTo', clip))) choose(named(name, file))
  }

  return {
    of,
    clips,
    limits,
    chosen,
    refused,
    renameTick,
    otherFiles,
    following,
    settle,
    offers,
    can,
    add,
    duplicate,
    rename,
    setName,
    remove,
    move,
    split,
    join,
    merge,
    packed,
    unpack,
    moveTo,
  }
})
