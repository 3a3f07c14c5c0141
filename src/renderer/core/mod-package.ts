/** A mod package that is looked at before it is built into the mod folder. */
import { defineStore } from 'pinia'
import { ref, shallowRef } from 'vue'
import type { SaveProgress } from '../../shared/api/types/save.ts'
import type { ModPackageBuild } from '../../shared/api/types/mod-package.ts'
import type { PackageContents } from '../../shared/api/desktop.ts'
import { errorData, errorText } from './errors.ts'
import { useLibrary } from './library.ts'
import { useSession } from './session.ts'
import { say } from '../../shared/texts/say.ts'

/** Bytes, or the path of the file. */
export interface PackageSource {
  name: string
  modPackage: Uint8Array | string
}

export const useModPackage = defineStore('mod-package', () => {
  const session = useSession()
  const library = useLibrary()
  const source = shallowRef<PackageSource | null>(null)
  const contents = shallowRef<PackageContents | null>(null)
  const failure = ref('')
  const busy = ref(false)
  /** of a copy of an image of a disc, which takes long */
  const progress = shallowRef<SaveProgress | null>(null)
  let stopping: AbortController | undefined
  /** what building left out, and why */
  const built = shallowRef<ModPackageBuild | null>(null)

  /** Shows what is in it; nothing is written. */
  async function look(asked: PackageSource): Promise<void> {
    source.value = asked
    contents.value = null
    built.value = null
    failure.value = ''
    try {
      const read = await session.call('modPackage.read', { modPackage: asked.modPackage })
      if (source.value === asked) contents.value = read
    } catch (error) {
      if (source.value === asked) failure.value = errorText(errorData(error))
    }
  }

  /** `force` also writes over what the game updated and what stands in the folder. */
  async function build(force = false): Promise<void> {
    const asked = source.value
    const folder = session.settings.modFolder
    if (!asked || !library.info || !folder || busy.value) return
    busy.value = true
    failure.value = ''
    const mine = (stopping = new AbortController())
    const quiet = session.api?.on('save.progress', (event) => {
      if (stopping === mine) progress.value = event
    })
    try {
      const done = await session.call(
        'modPackage.build',
        { library: library.info.id, modPackage: asked.modPackage, folder, force: force || undefined },
        { signal: mine.signal },
      )
      if (source.value !== asked) return
      built.value = done
      const left = done.files.filter((f) => !f.written && f.state !== 'same').length
      if (left > 0) return
      const name = done.name || asked.name
      const text = done.written > 0 ? say('notices.written', { name, count: done.written }) : say('notices.builtBefore', { name })
      session.notify('good', text, folder)
      close()
    } catch (error) {
      if (source.value === asked) failure.value = errorText(errorData(error))
    } finally {
      quiet?.()
      progress.value = null
      busy.value = false
    }
  }

  const stop = (): void => stopping?.abort()

  function close(): void {
    stop()
    source.value = null
    contents.value = null
    built.value = null
  }

  return { source, contents, failure, busy, progress, built, look, build, stop, close }
})
