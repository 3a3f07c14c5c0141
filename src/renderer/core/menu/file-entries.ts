/** What every menu about a file has: its place in the panels, in the library and on the disk. */
import { baseName } from '../../../shared/ref.ts'
import { say } from '../../../shared/texts/say.ts'
import { useCompare } from '../compare.ts'
import { useCopyText } from '../copy-text.ts'
import { useInspect } from '../inspect.ts'
import { useLibraryChoice } from '../library-choice.ts'
import { useLibrary } from '../library.ts'
import { useModels } from '../models.ts'
import { useSession } from '../session.ts'
import type { MenuEntry } from './context-menu.ts'

export function useFileEntries() {
  const session = useSession()
  const library = useLibrary()
  const choice = useLibraryChoice()
  const models = useModels()
  const inspect = useInspect()
  const copy = useCopyText()
  const compare = useCompare()

  /** The file in the file manager; a browser's page has none. */
  function inFolder(ref: string): MenuEntry[] {
    if (session.app?.host !== 'electron') return []
    return [
      {
        label: say('library.menu.showInFolder'),
        run: () => session.call('library.showInFolder', { ref }).catch(session.report),
      },
    ]
  }

  /** @param name as the library lists it */
  function inLibrary(ref: string, name: string, show: 'models' | 'files'): MenuEntry[] {
    if (!library.info) return []
    return [
      {
        label: say('menu.showInLibrary'),
        async run() {
          models.showLibrary()
          if (!(await choice.reveal(show, ref))) session.notify('info', say('menu.notInLibrary', { name }))
        },
      },
    ]
  }

  /** The file or folder against another one. */
  function compareWith(ref: string): MenuEntry[] {
    if (!library.info || !ref) return []
    const { selected } = compare
    return [
      ...(selected && selected !== ref
        ? [{ label: say('comparing.menu.withSelected', { name: baseName(selected) }), run: () => compare.withSelected(ref) }]
        : []),
      {
        label: say('comparing.menu.select'),
        run() {
          compare.select(ref)
          session.notify('info', say('comparing.menu.selected', { name: baseName(ref) }))
        },
      },
      { label: say('comparing.menu.withOther'), run: () => compare.open(ref) },
    ]
  }

  function copyPath(ref: string): MenuEntry {
    return {
      label: say('library.menu.copyPaths', { count: 1 }),
      run: () => copy(ref, say('library.menu.pathsCopied', { count: 1 })),
    }
  }

  function copyName(name: string): MenuEntry {
    return {
      label: say('library.menu.copyNames', { count: 1 }),
      run: () => copy(name, say('library.menu.namesCopied', { count: 1 })),
    }
  }

  /** Its bytes, as the format reads them. */
  function structure(ref: string, path = ''): MenuEntry[] {
    return ref ? [{ label: say('library.menu.look'), run: () => inspect.reveal(ref, path) }] : []
  }

  /** All that holds for a file of the shown model. */
  function file(ref: string): MenuEntry[] {
    return [...compareWith(ref), 'line', ...inLibrary(ref, baseName(ref), 'files'), ...inFolder(ref), copyPath(ref)]
  }

  return { compareWith, inFolder, inLibrary, copyPath, copyName, structure, file }
}
