/** What the right button offers on rows of the library. */
import type { LibraryRow } from '../../../shared/api/types/library.ts'
import { useArchivePage } from '../../core/archive-page.ts'
import { useBatchChoice } from '../../core/batch-choice.ts'
import { useCompare } from '../../core/compare.ts'
import { useCopyText } from '../../core/copy-text.ts'
import { useLibrary } from '../../core/library.ts'
import { useModels } from '../../core/models.ts'
import { useFileEntries } from '../../core/menu/file-entries.ts'
import type { MenuEntry } from '../../core/menu/context-menu.ts'
import { say } from '../../../shared/texts/say.ts'

/** Models that are opened at one time: each is a tab, and takes memory. */
const MOST_OPENED = 8

/** What a list can do with one row: open it as Enter does; give it to the model that is shown, where it can be. */
interface RowActions {
  open: () => unknown
  use?: () => unknown
}

export function useRowMenu(): (rows: readonly LibraryRow[], actions: RowActions) => MenuEntry[] {
  const files = useFileEntries()
  const archives = useArchivePage()
  const library = useLibrary()
  const models = useModels()
  const batch = useBatchChoice()
  const compare = useCompare()
  const copy = useCopyText()

  async function openAll(rows: readonly LibraryRow[]): Promise<void> {
    for (const { ref } of rows) if (!(await models.openRef(ref))) return
  }

  return (rows, { open, use }) => {
    const one = rows.length === 1 ? rows[0] : undefined
    const allModels = rows.length > 0 && rows.every((row) => row.type === 'model')
    const entries: MenuEntry[] = []
    if (one) {
      entries.push({ label: say(one.type === 'error' ? 'library.menu.look' : 'common.open'), keystroke: say('keys.own.enter'), run: open })
      if (use && models.info) entries.push({ label: say('library.useIn', { name: one.name, model: models.info.name }), run: use })
    } else if (rows.length <= MOST_OPENED)
      entries.push({ label: say('library.menu.openAll', { count: rows.length }), run: () => openAll(rows) })
    // a model is more files than one: what is put in is said by the list of files
    if (rows.length > 0 && rows.every((row) => row.type !== 'model')) entries.push('line', archives.makeEntry(rows.map(({ ref }) => ref)))
    if (allModels) entries.push('line', { label: say('library.menu.export', { count: rows.length }), run: () => batch.ask(rows) })
    entries.push('line')
    if (one && one.where !== '' && library.query.folder !== one.where)
      entries.push({ label: say('library.menu.narrow', { folder: one.where }), run: () => (library.query.folder = one.where) })
    const archive = one?.kind === 'archive' ? one.ref : one?.archive
    if (archive) entries.push(...archives.entries(archive))
    if (rows.length === 2) entries.push({ label: say('comparing.menu.two'), run: () => compare.between(rows[0].ref, rows[1].ref) })
    if (one) entries.push(...files.inFolder(one.ref), 'line', ...files.compareWith(one.ref))
    const lines = (of: (row: LibraryRow) => string): string => rows.map(of).join('\n')
    const count = rows.length
    entries.push(
      'line',
      {
        label: say('library.menu.copyNames', { count }),
        run: () =>
          copy(
            lines(({ name }) => name),
            say('library.menu.namesCopied', { count }),
          ),
      },
      {
        label: say('library.menu.copyPaths', { count }),
        run: () =>
          copy(
            lines(({ ref }) => ref),
            say('library.menu.pathsCopied', { count }),
          ),
      },
    )
    if (one?.error)
      entries.push({ label: say('library.menu.copyMessage'), run: () => copy(one.error!.message, say('library.menu.messageCopied')) })
    return entries
  }
}
