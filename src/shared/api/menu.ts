/**
 * Commands of the window that a host's menu shows. The window runs them by id ('command.run') and handles their keys itself; which keys the
 * user has for them it tells with 'menu.keys'.
 */
import * as v from 'valibot'
import type { PlainKey } from '../texts/texts.ts'

export interface MenuCommand {
  id: string
  label: PlainKey
  /** before the window has told its keys; as Electron writes it, shown only */
  accelerator?: string
}

/** Keys by id of a command, as Electron writes them; a command that is not there has none. */
export type MenuKeys = Record<string, string>

const MODIFIERS = '(?:(?:CmdOrCtrl|Ctrl|Super|Alt|Shift)\\+)*'
const NAMES = 'Plus|Space|Tab|Enter|Escape|Backspace|Delete|Insert|Home|End|PageUp|PageDown|Up|Down|Left|Right|F(?:[1-9]|1\\d|2[0-4])'

/** What Electron takes as an accelerator; a menu is not built where one of its items has another. */
export const acceleratorSchema = v.pipe(v.string(), v.maxLength(40), v.regex(new RegExp(`^${MODIFIERS}(?:${NAMES}|[!-*,-~])$`)))

type Entry = MenuCommand | '-'

export const fileMenu: readonly Entry[] = [
  { id: 'file.open', label: 'menus.openFolder', accelerator: 'CmdOrCtrl+O' },
  { id: 'file.openFiles', label: 'menus.openFiles', accelerator: 'CmdOrCtrl+Shift+O' },
  { id: 'file.sample', label: 'menus.openSample' },
  '-',
  { id: 'file.save', label: 'menus.save', accelerator: 'CmdOrCtrl+S' },
  { id: 'file.close', label: 'menus.closeModel', accelerator: 'CmdOrCtrl+W' },
]

export const editMenu: readonly Entry[] = [
  { id: 'edit.undo', label: 'menus.undo', accelerator: 'CmdOrCtrl+Z' },
  { id: 'edit.redo', label: 'menus.redo', accelerator: 'CmdOrCtrl+Shift+Z' },
]

export const viewMenu: readonly Entry[] = [
  { id: 'app.palette', label: 'menus.allCommands', accelerator: 'CmdOrCtrl+K' },
  { id: 'library.show', label: 'menus.library', accelerator: 'CmdOrCtrl+Shift+L' },
  { id: 'app.theme', label: 'menus.theme' },
  { id: 'view.resetLayout', label: 'menus.resetPanels' },
]

export const helpMenu: readonly Entry[] = [
  { id: 'app.keys', label: 'menus.keys', accelerator: 'CmdOrCtrl+Alt+K' },
  { id: 'help.diagnostics', label: 'menus.diagnostics' },
]

/** Ids of all of them: the window has a command for each. */
export const menuCommandIds: readonly string[] = [...fileMenu, ...editMenu, ...viewMenu, ...helpMenu].flatMap((entry) =>
  entry === '-' ? [] : [entry.id],
)

export const menuKeysSchema = v.record(v.picklist(menuCommandIds), acceleratorSchema)
