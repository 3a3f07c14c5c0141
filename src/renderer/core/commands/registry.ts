/** The commands that can run now. Menus, keys and the palette run the same ones; words and keys are in core/keymap. */
import { defineStore } from 'pinia'
import { computed, ref, shallowReactive } from 'vue'
import { whileShown } from '../while-shown.ts'
import { catalogue, isCommandId, type CommandId, type Scope } from '../keymap/catalogue.ts'
import { keyNames, showKey, typesText, type KeyPress } from '../keymap/keystroke.ts'
import { keysOf } from '../keymap/presets.ts'
import { useSession } from '../session.ts'

export interface Command {
  /** e.g. `edit.undo`; menus of the host send it */
  id: CommandId
  /** it can run now; without it always */
  when?: () => boolean
  /** it can run once what is on its way has come: a press of its key counts already, what shows it follows with all else that comes */
  soon?: () => boolean
  /** where it shares its key with others: what it acts on was chosen last. By its own name it runs whatever else was chosen since */
  meant?: () => boolean
  run: () => unknown
}

const can = ({ when }: Command): boolean => !when || when()
const will = (command: Command): boolean => can(command) || command.soon?.() === true

export const useCommands = defineStore('commands', () => {
  const session = useSession()
  const all = shallowReactive(new Map<CommandId, Command>())
  /** of each id, what is registered, the last of which runs */
  const registered = new Map<CommandId, Command[]>()
  const paletteOpen = ref(false)
  const shortcutsOpen = ref(false)
  const mac = typeof navigator !== 'undefined' && /mac/i.test(navigator.platform)

  const keys = computed(() => keysOf(session.settings.keys.preset, session.settings.keys.changed))
  const byKey = computed(() => {
    const found = new Map<string, CommandId[]>()
    for (const [id, names] of keys.value) for (const name of names) found.set(name, [...(found.get(name) ?? []), id])
    return found
  })
  /** the command that has the key of another one */
  const groups = new Map(
    Object.entries(catalogue).flatMap(([id, info]) => (info.first ?? []).map((member) => [member, id as CommandId] as const)),
  )

  function register(commands: Command[]): () => void {
    for (const command of commands) use(command.id, [...(registered.get(command.id) ?? []), command])
    return () => {
      for (const command of commands) use(command.id, registered.get(command.id)?.filter((other) => other !== command) ?? [])
    }
  }

  /** Two components may have the same command: where the later one goes, the earlier one has it again. */
  function use(id: CommandId, those: Command[]): void {
    registered.set(id, those)
    const last = those.at(-1)
    if (last) all.set(id, last)
    else all.delete(id)
  }

  /** The command itself, or of those that it stands for the first that fits. */
  function found(id: string, fits: (command: Command) => boolean): Command | undefined {
    if (!isCommandId(id)) return undefined
    for (const member of catalogue[id].first ?? []) {
      const command = found(member, fits)
      if (command && (!command.meant || command.meant())) return command
    }
    const command = all.get(id)
    return command && fits(command) ? command : undefined
  }

  function run(id: string): boolean {
    const command = found(id, will)
    if (!command) return false
    void command.run()
    return true
  }

  function enabled(id: string): boolean {
    return found(id, can) !== undefined
  }

  /** The key of a command as menus and tips show it; '' without one. */
  function shortcut(id: string): string {
    if (!isCommandId(id)) return ''
    const key = keys.value.get(id)?.[0]
    if (key) return showKey(key, mac)
    const group = groups.get(id)
    return group ? shortcut(group) : ''
  }

  /** A label with the key of its command behind it. */
  function tip(label: string, id: string): string {
    const key = shortcut(id)
    return key ? `${label} (${key})` : label
  }

  /**
   * Runs the command of a key press; true when one ran.
   * @param scopes where the focus is, the narrowest first
   */
  function press(event: KeyPress, scopes: readonly Scope[]): boolean {
    const inField = scopes.includes('field')
    for (const name of keyNames(event, mac)) {
      const ids = byKey.value.get(name) ?? []
      for (const scope of scopes)
        for (const id of ids) {
          const info = catalogue[id]
          if ((info.scope ?? 'window') !== scope) continue
          if (inField && scope !== 'field' && (!info.inFields || typesText(name))) continue
          if (inField && info.commits && document.activeElement instanceof HTMLElement) {
            const field = document.activeElement
            field.blur()
            if (field.isConnected) field.focus()
          }
          if (run(id)) return true
        }
    }
    return false
  }

  return { all, mac, keys, paletteOpen, shortcutsOpen, register, run, enabled, shortcut, tip, press }
})

/** Commands of a component, as long as it stands on the page. */
export function useOwnCommands(own: Command[]): void {
  const commands = useCommands()
  whileShown(() => commands.register(own))
}
