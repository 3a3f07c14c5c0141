/** What of an open archive is written: the save that is told first, and members that are taken out; with progress, and stopped at any time. */
import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import type { ArchiveExtracted, ArchiveProgress, ArchiveWritePlan } from '../../../shared/api/types/archive.ts'
import { useArchivePage } from '../../core/archive-page.ts'
import { errorData } from '../../core/errors.ts'
import { latestAnswer } from '../../core/latest.ts'
import { useLibrary } from '../../core/library.ts'
import { useSession } from '../../core/session.ts'
import { extensionOf } from '../../../shared/ref.ts'
import { say } from '../../../shared/texts/say.ts'
import { copyNameOf } from '../../ui/paths.ts'
import { useArchive } from './archive.ts'

export const useArchiveWrite = defineStore('archiveWrite', () => {
  const session = useSession()
  const page = useArchivePage()
  const archive = useArchive()
  const library = useLibrary()
  /** what is asked for below the list */
  const asking = ref<'' | 'save' | 'extract'>('')
  const plan = shallowRef<ArchiveWritePlan | null>(null)
  /** where a copy goes */
  const folder = ref('')
  const name = ref('')
  const refused = ref('')
  const code = ref('')
  /** null where nothing is written */
  const progress = shallowRef<ArchiveProgress | null>(null)
  const taken = shallowRef<ArchiveExtracted | null>(null)
  const ask = latestAnswer()
  let stopping: AbortController | undefined

  /** whether its place is asked for: an image of a disc is written into a copy, and a new archive has none */
  const placed = computed(() => archive.state?.copyOnly === true || archive.state?.fresh != null)
  const place = () => (placed.value ? { folder: folder.value, name: name.value } : {})

  /** What a save would write as things are. */
  async function look(): Promise<void> {
    const wanted = ask()
    plan.value = null
    refused.value = code.value = ''
    const whole = folder.value !== '' && name.value !== ''
    try {
      const answer = await session.call('archive.plan', { ref: page.shown, ...(whole ? place() : {}) })
      if (wanted()) plan.value = answer
    } catch (error) {
      if (wanted()) refused.value = errorData(error).message
    }
  }

  async function askSave(): Promise<void> {
    if (!archive.state || archive.state.steps === 0 || (archive.state.fresh && archive.state.members === 0)) return
    if (archive.state.copyOnly && name.value === '') name.value = copyNameOf(page.shown.split('!')[0])
    if (archive.state.fresh && extensionOf(name.value) !== extensionOf(archive.state.name)) name.value = archive.state.name
    asking.value = 'save'
    await look()
  }

  async function run(kind: ArchiveProgress['what'], work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const own = page.shown
    const mine = (stopping = new AbortController())
    refused.value = code.value = ''
    progress.value = { ref: own, done: 0, total: 0, what: kind }
    const quiet = session.api?.on('archive.progress', (event) => {
      if (event.ref === own && stopping === mine) progress.value = event
    })
    try {
      await work(mine.signal)
    } catch (error) {
      const data = errorData(error)
      code.value = data.code
      refused.value = data.message
    } finally {
      quiet?.()
      progress.value = null
    }
  }

  async function save(replaceReadOnly = false): Promise<void> {
    await run('write', async (signal) => {
      const { written } = await session.call('archive.save', { ref: page.shown, ...place(), replaceReadOnly }, { signal })
      asking.value = ''
      plan.value = null
      const file = written.at(-1) ?? ''
      session.notify('good', say('archivePage.write.done', { file }))
      // a new one has a page of its own where the library has it
      if (archive.state?.fresh) page.shown = library.info && isBelow(file, library.info.root) ? file : ''
      else await archive.ask((own) => session.call('archive.open', { ref: own }))
      void library.scan()
    })
    // of a copy that was stopped the next one goes on
    if (refused.value !== '' && placed.value) {
      const [why, kind] = [refused.value, code.value]
      await look()
      refused.value ||= why
      code.value = kind
    }
  }

  async function extract(into: string, what: 'chosen' | 'found' | 'all', force: boolean): Promise<void> {
    taken.value = null
    await run('extract', async (signal) => {
      const ids = what === 'chosen' ? (await archive.chosenRows()).map(({ id }) => id) : undefined
      const text = what === 'found' ? archive.text : undefined
      taken.value = await session.call('archive.extract', { ref: page.shown, folder: into, ids, text, force }, { signal })
    })
  }

  const stop = (): void => stopping?.abort()

  function close(): void {
    stop()
    asking.value = ''
    plan.value = taken.value = null
    refused.value = folder.value = name.value = ''
  }

  return { asking, plan, placed, folder, name, refused, code, progress, taken, look, askSave, save, extract, stop, close }
})

function isBelow(file: string, root: string): boolean {
  return file.startsWith(root) && /^[\\/]/.test(file.slice(root.length))
}
