/** Files and folders from outside: opened with their neighbours, whether the window knows their paths or only their bytes. */
import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import { INBOX_LIMITS, MOD_PACKAGE, MOST_PATHS } from '../../shared/api/desktop.ts'
import type { OpenTarget } from '../../shared/api/desktop.ts'
import { pickFiles } from '../ui/files.ts'
import type { DroppedFile } from '../ui/files.ts'
import { errorData } from './errors.ts'
import { useLibrary } from './library.ts'
import { useModels } from './models.ts'
import { useModPackage } from './mod-package.ts'
import { useSession } from './session.ts'
import { say } from '../../shared/texts/say.ts'

/** Models that one drop opens at most. */
const MOST_MODELS = 12

type FileTarget = Extract<OpenTarget, { kind: 'file' }>

export const useOpening = defineStore('opening', () => {
  const session = useSession()
  const library = useLibrary()
  const models = useModels()
  const modPackage = useModPackage()
  /** what is read now, for the one line about it */
  const reading = shallowRef<{ done: number; total: number; name: string } | null>(null)
  /** why something that was dropped is not open; it stays until the next or until it is closed */
  const refused = ref<string[]>([])
  const busy = computed(() => reading.value !== null)
  let stop: AbortController | undefined
  let listening = false
  /** what the next paths of these names are for, where it is something else than to open them */
  let claim: { names: ReadonlySet<string>; use: (refs: string[]) => Promise<void> } | undefined
  let queue: Promise<void> = Promise.resolve()

  /** Paths that the host was given. The window fetches them: then none is lost while it loads. */
  function listen(): void {
    if (listening || !session.api) return
    listening = true
    session.api.on('open.waiting', () => void takePending())
  }

  async function takePending(): Promise<void> {
    const { paths } = await session.call('open.pending', {})
    if (paths.length === 0) return
    const mine = claim
    if (mine) claim = undefined
    if (mine && paths.every((path) => mine.names.has(nameOf(path)))) await inTurn(() => mine.use(paths))
    else await openPaths(paths)
  }

  /** One after the other: they change what the window shows. */
  function openPaths(paths: readonly string[]): Promise<void> {
    return inTurn(async () => show(await session.call('open.look', { paths: paths.slice(0, MOST_PATHS) })))
  }

  function inTurn(task: () => Promise<void>): Promise<void> {
    queue = queue.then(task).catch((error: unknown) => void session.report(error))
    return queue
  }

  async function show(targets: readonly OpenTarget[]): Promise<void> {
    refused.value = targets.flatMap((target) => (target.kind === 'none' ? [target.message] : []))
    for (const target of targets) {
      if (target.kind === 'folder') {
        if (await library.open(target.root)) models.showLibrary()
      } else if (target.kind === 'package') await modPackage.look({ name: nameOf(target.path), modPackage: target.path })
    }
    const files = targets.filter((target) => target.kind === 'file')
    for (const file of files.slice(0, MOST_MODELS)) await showFile(file)
    if (files.length > MOST_MODELS) refused.value = [...refused.value, say('opening.notOpened', { count: files.length - MOST_MODELS })]
  }

  async function showFile({ root, ref: file, archive, scan }: FileTarget): Promise<void> {
    if (library.info?.root !== root && !(await library.open(root, { scan }))) return
    try {
      models.adopt(await session.call('model.open', { ref: file, library: library.info?.id }))
    } catch (error) {
      if (!archive || errorData(error).code !== 'unsupported') return void session.report(error)
      // an archive of many: what is in it is a search away
      library.query.text = nameOf(file)
      models.showLibrary()
    }
  }

  /** Files that were dropped or picked. In the desktop application the preload script knows their paths; elsewhere there are bytes alone. */
  async function openFiles(list: () => Promise<DroppedFile[]> | DroppedFile[], files: readonly File[]): Promise<void> {
    if (files.length > 0 && window.marrow && window.marrow.openFiles(files) > 0) return
    await read(list, openBytes)
  }

  /**
   * Files for something else than to be opened: by their paths where the window's host is told them, else those of open libraries with the same
   * bytes, else copies that stay.
   */
  async function hand(
    list: () => Promise<DroppedFile[]> | DroppedFile[],
    files: readonly File[],
    use: (refs: string[]) => Promise<void>,
  ): Promise<void> {
    if (window.marrow && files.length > 0) {
      claim = { names: new Set(files.map(({ name }) => name)), use }
      refused.value = []
      if (window.marrow.openFiles(files) > 0) return
      claim = undefined
    }
    await read(list, async (dropped, signal) => {
      const small = acceptable(dropped.slice(0, MOST_PATHS))
      if (dropped.length > MOST_PATHS) refuse(say('opening.notOpened', { count: dropped.length - MOST_PATHS }))
      if (small.length === 0) return
      const known = await matches(small, signal)
      const copies = small.filter((_, i) => known[i] === null)
      const targets = [...known.filter((target) => target !== null), ...(await copyIn(copies, { kept: true, signal }))]
      for (const target of targets) if (target.kind === 'none') refuse(target.message)
      await use(targets.flatMap((target) => (target.kind === 'file' ? [target.ref] : [])))
    })
  }

  /** One after the other: what is read now is said, and can be stopped. */
  function read(
    list: () => Promise<DroppedFile[]> | DroppedFile[],
    use: (dropped: readonly DroppedFile[], signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    return inTurn(async () => {
      refused.value = []
      const mine = (stop = new AbortController())
      reading.value = { done: 0, total: 0, name: '' }
      try {
        await use(await list(), mine.signal)
      } finally {
        reading.value = null
      }
    })
  }

  function refuse(message: string): void {
    refused.value = [...refused.value, message]
  }

  /** Those that a browser can hand over; of the others it is said why. */
  function acceptable(files: readonly DroppedFile[]): DroppedFile[] {
    const small = files.filter(({ file }) => file.size <= INBOX_LIMITS.file)
    for (const { file } of files.filter(({ file }) => file.size > INBOX_LIMITS.file)) refuse(say('opening.tooLarge', { name: file.name }))
    const bytes = small.reduce((n, { file }) => n + file.size, 0)
    if (small.length <= INBOX_LIMITS.files && bytes <= INBOX_LIMITS.bytes) return small
    refuse(say('opening.tooMany', { count: small.length }))
    return []
  }

  async function openBytes(dropped: readonly DroppedFile[], signal: AbortSignal): Promise<void> {
    const packages = dropped.filter(({ path }) => MOD_PACKAGE.test(path) && !path.includes('/'))
    if (packages[0]) await modPackage.look({ name: packages[0].file.name, modPackage: await bytesOf(packages[0].file) })
    const rest = dropped.filter((file) => !packages.includes(file))
    const small = acceptable(rest)
    if (small.length === 0) return

    // files of an open folder are opened where they are, and can be edited
    const loose = small.every(({ path }) => !path.includes('/'))
    const known = loose ? await matches(small, signal) : small.map(() => null)
    const targets: OpenTarget[] = known.filter((target) => target !== null)
    const copies = small.filter((_, i) => known[i] === null)
    targets.push(...(await copyIn(copies, { loose, signal })))
    const before = refused.value
    await show(targets)
    refused.value = [...before, ...refused.value]
  }

  /** @param loose they stood in no folder that they share; `kept`: they stay, as parts of a model */
  async function copyIn(
    copies: readonly DroppedFile[],
    { loose = false, kept = false, signal }: { loose?: boolean; kept?: boolean; signal: AbortSignal },
  ): Promise<OpenTarget[]> {
    if (copies.length === 0) return []
    const top = copies[0].path.split('/')
    const common = !kept && !loose && copies.every(({ path }) => path.split('/')[0] === top[0]) ? top[0] : ''
    const { id } = await session.call('inbox.begin', { name: common || say('opening.dropped'), ...(kept && { kept }) })
    for (const [i, { path, file }] of copies.entries()) {
      signal.throwIfAborted()
      const body = await bytesOf(file)
      reading.value = { done: i, total: copies.length, name: path }
      // what becomes part of a model is a file by itself, whatever folder it stood in
      const place = kept ? nameOf(path) : common ? path.slice(common.length + 1) : path
      try {
        await session.call('inbox.add', { id, path: place, bytes: body }, { signal })
      } catch (error) {
        if (errorData(error).code !== 'refused') throw error
        refuse(`${path}: ${errorData(error).message}`)
      }
    }
    return session.call('inbox.open', { id })
  }

  async function matches(files: readonly DroppedFile[], signal: AbortSignal): Promise<(OpenTarget | null)[]> {
    const asked: { name: string; size: number; sha256: string }[] = []
    for (const { path, file } of files) {
      signal.throwIfAborted()
      reading.value = { done: asked.length, total: files.length, name: path }
      asked.push({ name: file.name, size: file.size, sha256: await hashOf(await bytesOf(file)) })
    }
    return session.call('open.match', { files: asked })
  }

  function cancel(): void {
    stop?.abort()
  }

  async function pick(): Promise<void> {
    const files = await pickFiles()
    if (files.length > 0) await openFiles(() => files.map((file) => ({ path: file.name, file })), files)
  }

  return { reading, refused, busy, listen, takePending, openPaths, openFiles, hand, cancel, pick }
})

function nameOf(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path
}

async function bytesOf(file: File): Promise<Uint8Array> {
  return new Uint8Array(await file.arrayBuffer())
}

async function hashOf(bytes: Uint8Array): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>))
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
