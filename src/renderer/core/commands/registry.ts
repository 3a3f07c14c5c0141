/** All commands of the window: menus, shortcuts and the palette run the same ones. */
import { defineStore } from 'pinia'
import { ref, shallowReactive } from 'vue'
import { keyName, showKey, type KeyPress } from './keys.ts'

export interface Command {
  /** e.g. `edit.undo`; menus of the host send it */
  id: string
  title: string
  group: string
  keys?: string[]
  /** it can run now; without it always */
  when?: () => boolean
  run: () => unknown
  /** its shortcut also works while a text field has the focus */
  inFields?: boolean
  /** text that is being typed counts: its field is left, and so commits, before the command runs */
  commits?: boolean
  /** not listed in the palette */
  hidden?: boolean
}

export const useCommands = defineStore('commands', () => {
  const all = shallowReactive(new Map<string, Command>())
  const paletteOpen = ref(false)
  const mac = typeof navigator !== 'undefined' && /mac/i.test(navigator.platform)

  function register(commands: Command[]): () => void {
    for (const command of commands) all.set(command.id, command)
    return () => {
      for (const command of commands) if (all.get(command.id) === command) all.delete(command.id)
    }
  }

  function run(id: string): boolean {
    const command = all.get(id)
    if (!command || (command.when && !command.when())) return false
    void command.run()
    return true
  }

  function enabled(id: string): boolean {
    const command = all.get(id)
    return command !== undefined && (!command.when || command.when())
  }

  function shortcut(id: string): string {
    const key = all.get(id)?.keys?.[0]
    return key ? showKey(key, mac) : ''
  }

  /** Runs the command of a key press; true when one ran. */
  function press(event: KeyPress, inField: boolean): boolean {
    const name = keyName(event, mac)
    for (const command of all.values()) {
      if (!command.keys?.includes(name)) continue
      if (inField && !command.inFields) continue
      if (inField && command.commits && document.activeElement instanceof HTMLElement) {
        const field = document.activeElement
        field.blur()
        if (field.isConnected) field.focus()
      }
      if (command.when && !command.when()) continue
      void command.run()
      return true
    }
    return false
  }

  return { all, mac, paletteOpen, register, run, enabled, shortcut, press }
})

/** The element takes typed text. */
export function isTextField(element: EventTarget | null): boolean {
  if (!(element instanceof HTMLElement)) return false
  if (element.isContentEditable) return true
  if (element instanceof HTMLTextAreaElement) return true
  return element instanceof HTMLInputElement && !['checkbox', 'radio', 'button', 'range', 'color'].includes(element.type)
}

const OWN_ARROWS =
  '[role=tree],[role=listbox],[role=grid],[role=slider],[role=tablist],[role=menu],[role=spinbutton],[role=radiogroup],select,input,canvas'

/** The element uses plain arrow keys, Home, End or Space itself. */
export function ownsKey(element: EventTarget | null, key: string): boolean {
  if (!(element instanceof Element)) return false
  if (key === ' ') return element.closest('button,a,select,input,summary,[role=option],[role=tab],[role=treeitem],[role=menuitem]') !== null
  if (/^(Arrow|Home|End|Page)/.test(key)) return element.closest(OWN_ARROWS) !== null
  return key === 'Enter' ? element.closest('button,a,select') !== null : false
}
