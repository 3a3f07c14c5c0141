import { Menu } from 'electron'
import type { MenuItemConstructorOptions } from 'electron'
import { editMenu, fileMenu, helpMenu, viewMenu } from '../../../shared/api/menu.ts'
import type { MenuKeys } from '../../../shared/api/menu.ts'
import type { RecentFolder } from './recent.ts'
import { say } from '../../../shared/texts/say.ts'

export interface MenuOptions {
  /** told the id of a command of the window */
  run(id: string): void
  openRecent(root: string): void
  recent: readonly RecentFolder[]
  /** the user's, once the window has told them */
  keys?: MenuKeys
  mac: boolean
  development: boolean
}

const MOST_RECENT = 10

export function installMenu({ run, openRecent, recent, keys, mac, development }: MenuOptions): void {
  const items = (entries: typeof fileMenu): MenuItemConstructorOptions[] =>
    entries.map((entry) =>
      entry === '-'
        ? { type: 'separator' }
        : {
            id: entry.id,
            label: say(entry.label),
            accelerator: keys ? keys[entry.id] : entry.accelerator,
            // shown only: the window has the key, else the command would run twice
            registerAccelerator: false,
            click: () => run(entry.id),
          },
    )
  const separator: MenuItemConstructorOptions = { type: 'separator' }
  const openRecentMenu: MenuItemConstructorOptions = {
    id: 'recent',
    label: say('menus.openRecent'),
    enabled: recent.length > 0,
    // an & in a label would underline what follows
    submenu: recent.slice(0, MOST_RECENT).map(({ root }) => ({ label: root.replaceAll('&', '&&'), click: () => openRecent(root) })),
  }
  Menu.setApplicationMenu(
    Menu.buildFromTemplate([
      ...(mac ? [{ role: 'appMenu' } as const] : []),
      {
        label: say('menus.file'),
        submenu: [...items(fileMenu), separator, openRecentMenu, separator, mac ? { role: 'close' } : { role: 'quit' }],
      },
      {
        label: say('menus.edit'),
        submenu: [...items(editMenu), separator, { role: 'cut' }, { role: 'copy' }, { role: 'paste' }, { role: 'selectAll' }],
      },
      {
        label: say('menus.view'),
        submenu: [
          ...items(viewMenu),
          separator,
          { role: 'resetZoom' },
          { role: 'zoomIn' },
          { role: 'zoomOut' },
          { role: 'togglefullscreen' },
          ...(development ? ([separator, { role: 'reload' }, { role: 'toggleDevTools' }] as const) : []),
        ],
      },
      { role: 'windowMenu' },
      { role: 'help', label: say('menus.help'), submenu: items(helpMenu) },
    ]),
  )
}
