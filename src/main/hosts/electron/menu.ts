import { Menu } from 'electron'
import type { MenuItemConstructorOptions } from 'electron'
import { editMenu, fileMenu, viewMenu } from '../../../shared/api/menu.ts'

/** `run` is told the id of a command of the window. */
export function installMenu(run: (id: string) => void, { mac, development }: { mac: boolean; development: boolean }): void {
  const items = (entries: typeof fileMenu): MenuItemConstructorOptions[] =>
    entries.map((entry) =>
      entry === '-'
        ? { type: 'separator' }
        : {
            id: entry.id,
            label: entry.label,
            accelerator: entry.accelerator,
            // shown only: the window has the key, else the command would run twice
            registerAccelerator: false,
            click: () => run(entry.id),
          },
    )
  const separator: MenuItemConstructorOptions = { type: 'separator' }
  Menu.setApplicationMenu(
    Menu.buildFromTemplate([
      ...(mac ? [{ role: 'appMenu' } as const] : []),
      { label: '&File', submenu: [...items(fileMenu), separator, mac ? { role: 'close' } : { role: 'quit' }] },
      {
        label: '&Edit',
        submenu: [...items(editMenu), separator, { role: 'cut' }, { role: 'copy' }, { role: 'paste' }, { role: 'selectAll' }],
      },
      {
        label: '&View',
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
    ]),
  )
}
