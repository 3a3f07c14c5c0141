/** What the right button offers on a row of the changes. */
import { say } from '../../../shared/texts/say.ts'
import { useCopyText } from '../../core/copy-text.ts'
import type { MenuEntry } from '../../core/menu/context-menu.ts'
import { useFileEntries } from '../../core/menu/file-entries.ts'
import { partOf, type ChangeRow } from './change-rows.ts'

/** What the tree does with a row. */
interface RowActions {
  restore: (row: ChangeRow) => unknown
  reveal: (row: ChangeRow) => unknown
}

export function useChangeMenu({ restore, reveal }: RowActions): (row: ChangeRow) => MenuEntry[] {
  const files = useFileEntries()
  const copy = useCopyText()

  return (row) => {
    const { file, kind } = row
    const path = row.changes[0]?.path ?? row.node?.path ?? ''
    const entries: MenuEntry[] = []
    if (partOf(row))
      entries.push({
        label: kind === 'file' ? say('changes.detail.restoreFile') : say('changes.detail.restore', { what: row.name }),
        run: () => restore(row),
      })
    entries.push({ label: say('library.menu.look'), run: () => reveal(row) }, 'line')
    for (const [value, label] of [
      [row.before, say('menu.copyBefore')],
      [row.after, say('menu.copyNow')],
    ] as const)
      if (value) entries.push({ label, run: () => copy(value, say('menu.valueCopied')) })
    if (path && kind !== 'file') entries.push({ label: say('menu.copyPlace'), run: () => copy(path, say('menu.placeCopied')) })
    return [...entries, 'line', ...files.file(file.ref)]
  }
}
