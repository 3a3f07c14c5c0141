/** What the right button offers on the status bar: the message that stands there, and what its parts are about. */
import { useCopyText } from '../core/copy-text.ts'
import { useLibrary } from '../core/library.ts'
import type { MenuEntry } from '../core/menu/context-menu.ts'
import { useFileEntries } from '../core/menu/file-entries.ts'
import { useModels } from '../core/models.ts'
import { useSession } from '../core/session.ts'
import { say } from '../../shared/texts/say.ts'

export function useStatusMenu(): () => MenuEntry[] {
  const session = useSession()
  const models = useModels()
  const library = useLibrary()
  const files = useFileEntries()
  const copy = useCopyText()

  function message(): MenuEntry[] {
    const last = session.notices.at(-1)
    if (!last) return []
    const text = [last.message, last.detail].filter(Boolean).join('\n')
    return [{ label: say('library.menu.copyMessage'), run: () => copy(text, say('library.menu.messageCopied')) }, 'line']
  }

  return () => {
    const info = models.page === 'model' ? models.info : null
    if (info) return [...message(), 'file.save', 'view.changes', 'view.problems', 'line', ...files.file(info.primary)]
    const root = library.info?.root
    const ofFolder: MenuEntry[] = root
      ? ['library.scan', 'library.lint', 'line', ...files.compareWith(root), 'line', files.copyPath(root)]
      : []
    return [...message(), ...ofFolder]
  }
}
