/** Folders that the user leaves out of the library that is shown. */
import { defineStore } from 'pinia'
import { shallowRef, watch } from 'vue'
import { say } from '../../shared/texts/say.ts'
import { latestAnswer } from './latest.ts'
import { useLibrary } from './library.ts'
import { useSession } from './session.ts'

export const useLeftOut = defineStore('leftOut', () => {
  const session = useSession()
  const library = useLibrary()
  /** from the library's root, with `/` */
  const places = shallowRef<readonly string[]>([])
  const begin = latestAnswer()
  let listening = false

  /** @returns whether it was done: else the user was told why not */
  async function ask(question: (id: string) => Promise<string[]>): Promise<boolean> {
    const { info } = library
    const stillWanted = begin()
    if (!info) return false
    try {
      const now = await question(info.id)
      if (stillWanted()) places.value = now
      return true
    } catch (error) {
      session.report(error)
      return false
    }
  }

  const load = (): Promise<boolean> => ask((id) => session.call('library.leftOut', { library: id }))

  watch(
    () => library.info?.id,
    (id) => {
      places.value = []
      if (!id) return
      void load()
      if (listening) return
      listening = true
      // another window may have changed it
      session.api?.on('library.changed', (event) => {
        if (event.library === library.info?.id) void load()
      })
    },
    { immediate: true },
  )

  const steps = (place: string): string => (library.info?.root.startsWith('/') ? place : place.replaceAll('\\', '/'))
  const nameOf = (place: string): string => place.slice(place.lastIndexOf('/') + 1)
  const reaches = (place: string, folder: string): boolean => folder === place || folder.startsWith(`${place}/`)

  /** The folder that is left out and holds this one, or is it; undefined where it is listed. @param folder its place, as the library's folders have it */
  function holding(folder: string): string | undefined {
    return places.value.find((place) => reaches(place, steps(folder)))
  }

  /** @param folder its place, as the library's folders have it */
  async function leave(folder: string): Promise<void> {
    const { info } = library
    const place = steps(folder)
    if (!info || !(await ask((id) => session.call('library.leaveOut', { library: id, folder: `${info.root}/${place}` })))) return
    // its own row is the one that is left in the tree
    if (reaches(place, steps(library.query.folder))) library.query.folder = folder
    session.notify('info', say('library.leftOut.left', { folder: nameOf(place) }), '', {
      label: say('library.leftOut.undo'),
      run: () => void take(place),
    })
    void library.rescan()
  }

  /** Takes it in again. */
  async function take(folder: string): Promise<void> {
    const place = steps(folder)
    if (!(await ask((id) => session.call('library.takeIn', { library: id, place })))) return
    session.notify('info', say('library.leftOut.taken', { folder: nameOf(place) }), '', {
      label: say('library.leftOut.undo'),
      run: () => void leave(place),
    })
    void library.rescan()
  }

  return { places, holding, leave, take }
})
