/** What the right button offers on the tabs of the library and of open models. */
import { say } from '../../shared/texts/say.ts'
import { useCommands } from '../core/commands/registry.ts'
import { titleOf } from '../core/keymap/catalogue.ts'
import { useLibrary } from '../core/library.ts'
import type { MenuEntry } from '../core/menu/context-menu.ts'
import { useFileEntries } from '../core/menu/file-entries.ts'
import { useModels, type OpenModel } from '../core/models.ts'
import { useSession } from '../core/session.ts'

/** Closes every model but one. Those with unsaved edits stay, and that is said: nothing is dropped unasked. */
export async function closeAllBut(kept: string): Promise<void> {
  const models = useModels()
  const others = models.open.filter(({ id }) => id !== kept)
  const unsaved = others.filter(({ info }) => info.dirty)
  for (const { id, info } of others) if (!info.dirty) await models.close(id)
  if (unsaved.length > 0) useSession().notify('warning', say('menu.staysOpen', { count: unsaved.length, name: unsaved[0].info.name }))
}

/** @param close asks first where the model has unsaved edits */
export function useTabMenu(close: (model: OpenModel) => void): { library(): MenuEntry[]; model(model: OpenModel): MenuEntry[] } {
  const models = useModels()
  const library = useLibrary()
  const commands = useCommands()
  const files = useFileEntries()

  return {
    library() {
      const root = library.info?.root
      return [
        'library.scan',
        'library.rescan',
        'line',
        'file.open',
        'file.openFiles',
        'line',
        ...(root ? [...files.compareWith(root), 'line' as const, files.copyPath(root)] : []),
      ]
    },

    model(model) {
      const { id, info } = model
      const shown = models.page === 'model' && models.activeId === id
      const entries: MenuEntry[] = [
        { label: titleOf('file.close'), keystroke: shown ? commands.shortcut('file.close') : '', run: () => close(model) },
      ]
      if (models.open.length > 1) entries.push({ label: titleOf('tab.closeOthers'), run: () => closeAllBut(id) })
      entries.push('tab.closeAll', 'line')
      // what these are about is the model that is shown
      if (shown) entries.push('file.save', 'export.glb', 'export.gltf', 'export.png', 'modPackage.exportModel', 'line')
      return [
        ...entries,
        ...files.compareWith(info.primary),
        'line',
        ...files.inLibrary(info.primary, info.name, 'models'),
        ...files.inFolder(info.primary),
        files.copyPath(info.primary),
      ]
    },
  }
}
