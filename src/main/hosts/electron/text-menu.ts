/** The right button in fields and on chosen text, where the window has no menu of its own: a browser has one, Electron has none. */
import { app, Menu } from 'electron'
import type { MenuItemConstructorOptions } from 'electron'

/** Before the first window is made. */
export function offerTextMenu(): void {
  app.on('web-contents-created', (_event, contents) => {
    contents.on('context-menu', (_asked, { isEditable, selectionText, editFlags }) => {
      if (!isEditable && selectionText === '') return
      const items: MenuItemConstructorOptions[] = isEditable
        ? [
            { role: 'cut', enabled: editFlags.canCut },
            { role: 'copy', enabled: editFlags.canCopy },
            { role: 'paste', enabled: editFlags.canPaste },
            { type: 'separator' },
            { role: 'selectAll', enabled: editFlags.canSelectAll },
          ]
        : [{ role: 'copy' }]
      Menu.buildFromTemplate(items).popup()
    })
  })
}
