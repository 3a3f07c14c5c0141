/** Keys as the menu of a desktop host shows them. */
import * as v from 'valibot'
import { acceleratorSchema, menuCommandIds, type MenuKeys } from '../../../shared/api/menu.ts'
import type { CommandId } from './catalogue.ts'

/** As Electron reads it. */
type Accelerator = string
const NAMES: Record<string, Accelerator> = {
  ArrowLeft: 'Left',
  ArrowRight: 'Right',
  ArrowUp: 'Up',
  ArrowDown: 'Down',
  '+': 'Plus',
  Mod: 'CmdOrCtrl',
  Meta: 'Super',
}

/** `Mod+Shift+P` as `CmdOrCtrl+Shift+P`; undefined for a key that Electron has no name for. */
function acceleratorOf(key: string): string | undefined {
  // the key itself may be +
  const name = key
    .split(/\+(?=.)/)
    .map((part) => NAMES[part] ?? part)
    .join('+')
  return v.is(acceleratorSchema, name) ? name : undefined
}

/** What the host is told: the first key of each command of its menu. */
export function menuKeys(keys: ReadonlyMap<CommandId, readonly string[]>): MenuKeys {
  const shown = menuCommandIds.flatMap((id) => {
    const key = keys.get(id as CommandId)?.[0]
    const name = key && acceleratorOf(key)
    return name ? [[id, name] as const] : []
  })
  return Object.fromEntries(shown)
}
