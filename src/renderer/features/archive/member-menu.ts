/** What the right button offers on members of an archive. */
import type { ArchiveRow } from '../../../shared/api/types/archive.ts'
import { useArchivePage } from '../../core/archive-page.ts'
import { useFileEntries } from '../../core/menu/file-entries.ts'
import { useSession } from '../../core/session.ts'
import { useModels } from '../../core/models.ts'
import { pickFiles } from '../../ui/files.ts'
import { useArchive } from './archive.ts'
import { useArchiveWrite } from './archive-write.ts'
import { useCommands } from '../../core/commands/registry.ts'
import type { MenuEntry } from '../../core/menu/context-menu.ts'
import { say } from '../../../shared/texts/say.ts'

export function useMemberMenu(actions: { rename: () => void }): {
  (row: ArchiveRow): MenuEntry[]
  open(row: ArchiveRow | undefined): void
} {
  const archive = useArchive()
  const write = useArchiveWrite()
  const page = useArchivePage()
  const models = useModels()
  const session = useSession()
  const files = useFileEntries()
  const commands = useCommands()

  /** What is in the file as it is can be opened. */
  function open(row: ArchiveRow | undefined): void {
    if (row?.state === 'same') void models.openRef(`${page.shown}!${row.name}`)
  }

  async function replace({ id }: ArchiveRow): Promise<void> {
    const [file] = await pickFiles()
    if (file) await archive.replace(id, file)
  }

  function entries(row: ArchiveRow): MenuEntry[] {
    const one = archive.count === 1
    const list: MenuEntry[] = []
    if (one && row.state === 'same') list.push({ label: say('common.open'), keystroke: say('keys.own.enter'), run: () => open(row) })
    if (!archive.state?.fresh)
      list.push({ label: say('archivePage.extractThese', { count: archive.count }), run: () => (write.asking = 'extract') })
    // what the application drags out of its window
    if (!archive.state?.fresh && session.app?.host === 'web')
      list.push({ label: say('archivePage.download', { count: archive.count }), run: () => archive.carry('download') })
    if (archive.editable) {
      if (list.length > 0) list.push('line')
      if (one) {
        list.push({ label: say('archivePage.replace'), run: () => replace(row) })
        list.push({ label: say('archivePage.rename'), keystroke: commands.shortcut('edit.rename'), run: actions.rename })
      }
      if (archive.text.trim() === '')
        list.push(
          'line',
          { label: say('archivePage.first'), run: () => archive.moveTo(0) },
          { label: say('archivePage.up'), keystroke: commands.shortcut('edit.moveUp'), run: archive.up },
          { label: say('archivePage.down'), keystroke: commands.shortcut('edit.moveDown'), run: archive.down },
          { label: say('archivePage.last'), run: () => archive.moveTo(archive.total) },
        )
      list.push('line', {
        label: say('archivePage.remove'),
        danger: true,
        keystroke: commands.shortcut('edit.delete'),
        run: archive.remove,
      })
    }
    if (one) list.push('line', files.copyName(row.name))
    return list
  }

  return Object.assign(entries, { open })
}
