/** What the right button, or the menu key, offers where it is pressed. One menu for the window; places say what is in theirs. */
import { defineStore } from 'pinia'
import { shallowRef } from 'vue'
import { useCommands } from '../commands/registry.ts'
import { titleOf, type CommandId } from '../keymap/catalogue.ts'

interface Look {
  danger?: boolean
  /** a switch, and how it stands; absent for what is no switch */
  checked?: boolean
}

/** Something to do: a command of the window, or the place's own. */
export type MenuEntry =
  | CommandId
  | (Look & { command: CommandId })
  | (Look & {
      label: string
      /** the keystroke that does the same here */
      keystroke?: string
      run: () => unknown
    })
  /** between two groups */
  | 'line'

/** A line of the menu as it is shown. */
export interface MenuLine {
  label: string
  keystroke: string
  danger: boolean
  /** undefined for what is no switch */
  checked: boolean | undefined
  run: () => unknown
}

/** Where a menu opens: px in the window, or below an element. */
export type MenuPlace = { x: number; y: number } | { below: Element }

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
    const own = typeof entry === 'string' ? { command: entry } : entry
    const { danger = false, checked } = own as Look
    if ('run' in own) return { label: own.label, keystroke: own.keystroke ?? '', danger, checked, run: own.run }
    const { command } = own
    if (!commands.enabled(command)) return null
    return { label: titleOf(command), keystroke: commands.shortcut(command), danger, checked, run: () => commands.run(command) }
  }

  /** Lines in groups. Commands that cannot run now are not in them, and no group is empty. */
  function linesOf(entries: readonly MenuEntry[]): MenuLine[][] {
    const groups: MenuLine[][] = [[]]
    for (const entry of entries) {
      if (entry === 'line') groups.push([])
      else {
        const line = lineOf(entry)
        if (line) groups.at(-1)!.push(line)
      }
    }
    return groups.filter((group) => group.length > 0)
  }

  /** Opens it at a place; without any line there is no menu. */
  function openAt(place: MenuPlace, label: string, entries: readonly MenuEntry[]): void {
    const groups = linesOf(entries)
    const before = document.activeElement instanceof HTMLElement ? document.activeElement : null
    const box = 'below' in place ? place.below.getBoundingClientRect() : null
    const at = 'below' in place ? { x: box!.left + 24, y: box!.bottom } : place
    open.value = groups.length > 0 ? { label, groups, before, ...at } : null
  }

  /** Opens it where the event was; of the keyboard's, below the given element. */
  function show(event: MouseEvent, label: string, entries: readonly MenuEntry[], below?: Element | null): void {
    event.preventDefault()
    event.stopPropagation()
    openAt(below ? { below } : { x: event.clientX, y: event.clientY }, label, entries)
  }

  return { open, show, openAt }
})

/** The element that a menu hangs on where the keyboard asked for it: it has no pointer to open at. */
export function askedBelow(event: MouseEvent): Element | null {
  return event.button === 2 ? null : (event.currentTarget as Element)
}
