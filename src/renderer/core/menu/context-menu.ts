/** What the right button, or the menu key, offers where it is pressed. One menu for the window; places say what is in theirs. */
import { defineStore } from 'pinia'
import { shallowRef } from 'vue'
import { useCommands } from '../commands/registry.ts'
import { titleOf, type CommandId } from '../keymap/catalogue.ts'

/** Something to do: a command of the window, or the place's own. */
export type MenuEntry =
  | CommandId
  | {
      label: string
      /** the keystroke that does the same here */
      keystroke?: string
      danger?: boolean
      run: () => unknown
    }
  /** between two groups */
  | 'line'

/** A line of the menu as it is shown. */
export interface MenuLine {
  label: string
  keystroke: string
  danger: boolean
  run: () => unknown
}

export interface OpenMenu {
  /** what it is about: read aloud */
  label: string
  /** px in the window */
  x: number
  y: number
  /** lines in groups, none of them empty */
  groups: readonly (readonly MenuLine[])[]
  /** had the focus, and has it again afterwards */
  before: HTMLElement | null
}

export const useContextMenu = defineStore('contextMenu', () => {
  const commands = useCommands()
  const open = shallowRef<OpenMenu | null>(null)

  function lineOf(entry: Exclude<MenuEntry, 'line'>): MenuLine | null {
    if (typeof entry === 'object')
      return { label: entry.label, keystroke: entry.keystroke ?? '', danger: entry.danger ?? false, run: entry.run }
    if (!commands.enabled(entry)) return null
    return { label: titleOf(entry), keystroke: commands.shortcut(entry), danger: false, run: () => commands.run(entry) }
  }

  /**
   * Opens it where the event was; of the keyboard's, below the given element. Commands that cannot run now are not in it, and without any
   * line there is no menu.
   */
  function show(event: MouseEvent, label: string, entries: readonly MenuEntry[], below?: Element | null): void {
    event.preventDefault()
    event.stopPropagation()
    const groups: MenuLine[][] = [[]]
    for (const entry of entries) {
      if (entry === 'line') groups.push([])
      else {
        const line = lineOf(entry)
        if (line) groups.at(-1)!.push(line)
      }
    }
    const filled = groups.filter((group) => group.length > 0)
    const box = below?.getBoundingClientRect()
    const before = document.activeElement instanceof HTMLElement ? document.activeElement : null
    open.value =
      filled.length > 0
        ? { label, groups: filled, before, x: box ? box.left + 24 : event.clientX, y: box ? box.bottom : event.clientY }
        : null
  }

  return { open, show }
})
