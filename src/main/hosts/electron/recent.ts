/** Recent folders where each system shows them: jump list, dock menu, the system's list of recent documents. The File menu has them everywhere. */
import { app, Menu } from 'electron'
import type { JumpListCategory } from 'electron'
import { say } from '../../../shared/texts/say.ts'

export interface RecentFolder {
  root: string
  name: string
}

const MOST_SHOWN = 10

/** @param open is told the folder that was chosen in the dock's menu; a jump list starts the program again instead */
export function showRecent(
  recent: readonly RecentFolder[],
  open: (root: string) => void,
  platform: NodeJS.Platform = process.platform,
): void {
  const shown = recent.slice(0, MOST_SHOWN)
  if (platform === 'win32') setJumpList(shown)
  else if (platform === 'darwin') {
    app.dock?.setMenu(Menu.buildFromTemplate(shown.map(({ root, name }) => ({ label: name, toolTip: root, click: () => open(root) }))))
  }
  // the system's own list; on Linux Electron has none
  if (platform !== 'linux' && shown[0]) app.addRecentDocument(shown[0].root)
}

function setJumpList(shown: readonly RecentFolder[]): void {
  // what the user took out of the list must not come back: Windows refuses the whole list then
  const removed = new Set(app.getJumpListSettings().removedItems.map((item) => item.args))
  const categories: JumpListCategory[] = [
    {
      type: 'custom',
      name: say('menus.recentFolders'),
      items: shown
        .map(({ root, name }) => ({
          type: 'task' as const,
          title: name,
          description: root.slice(0, 260),
          program: process.execPath,
          args: quoted(root),
          iconPath: process.execPath,
          iconIndex: 0,
        }))
        .filter((item) => !removed.has(item.args)),
    },
    {
      type: 'tasks',
      items: [
        {
          type: 'task',
          title: say('menus.sample.title'),
          description: say('menus.sample.description'),
          program: process.execPath,
          args: '--sample',
          iconPath: process.execPath,
          iconIndex: 0,
        },
      ],
    },
  ]
  app.setJumpList(categories.filter(({ items }) => items!.length > 0))
}

/** One argument of a Windows command line: a backslash before the closing quote would escape it. */
function quoted(path: string): string {
  return `"${path.replace(/(\\+)$/, '$1$1')}"`
}
