/** How rows of a list are chosen, whatever they look like: one, several with Ctrl and Shift, by their first letters, and what the right button is about. */
import { typeAhead } from './type-ahead.ts'

/** What a list of rows can be told. */
export interface ChoosableRows {
  count: number
  active: number
  /** several rows can be chosen: Ctrl adds to them */
  multi?: boolean
  /** with Shift all from one to another are, with Ctrl+A all that there are */
  ranges?: boolean
  /** whether a row is chosen, where several can be; the active one without it */
  chosen?: (index: number) => boolean
  /** rows are dragged away, several at one time: one that is chosen stays so until the button is up again */
  carries?: boolean
  /** letters lead to the row that begins so: from the given one on, else from the first */
  seek?: (begin: string, from: number) => void
}

/** What a list of rows tells. */
export interface RowEmits {
  'update:active': [index: number]
  /** one more, or one less, where several can be chosen */
  turn: [index: number]
  /** all up to this one, where ranges can be chosen */
  reach: [index: number]
  /** all of them, where ranges can be chosen */
  all: []
  /** the right button or the menu key; `below` is the row, where the keyboard asked */
  menu: [index: number, event: MouseEvent, below: Element | null]
}

type Emit = <K extends keyof RowEmits>(name: K, ...args: RowEmits[K]) => void

/** @param rowAt the element of a row, null for one that is not in view */
export function rowChoice(
  rows: ChoosableRows,
  emit: Emit,
  rowAt: (index: number) => Element | null,
): {
  press(index: number, event: MouseEvent): void
  menu(event: MouseEvent): void
  /** true where the key was one of these: nothing else is done with it */
  key(event: KeyboardEvent): boolean
  /** goes to a row by keyboard; with Shift all up to it are chosen. Returns the row that it came to, -1 for none */
  go(index: number, event: KeyboardEvent): number
} {
  const typed = typeAhead((begin, next) => rows.seek?.(begin, Math.max(0, rows.active) + (next ? 1 : 0)))

  return {
    press(index, event) {
      // what the right button is about says who shows a menu; where none is, nothing happens
      if (event.button !== 0) return
      if (rows.multi && (event.ctrlKey || event.metaKey)) emit('turn', index)
      else if (rows.ranges && event.shiftKey) emit('reach', index)
      else if (rows.carries && rows.chosen?.(index)) {
        const waits = new AbortController()
        const choose = (): void => {
          waits.abort()
          emit('update:active', index)
        }
        window.addEventListener('mouseup', choose, { signal: waits.signal })
        window.addEventListener('dragstart', () => waits.abort(), { signal: waits.signal })
      } else emit('update:active', index)
    },

    /** The menu key is pressed in the list, not on a row; the right button below all rows is about none of them. */
    menu(event) {
      if (event.target === event.currentTarget && event.button !== 2 && rows.active >= 0)
        emit('menu', rows.active, event, rowAt(rows.active))
    },

    key(event) {
      const mod = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey
      if (rows.ranges && mod && event.key === 'a') emit('all')
      else if (rows.ranges && mod && event.key === ' ' && rows.active >= 0) emit('turn', rows.active)
      else if (!rows.seek || !typed(event)) return false
      event.preventDefault()
      event.stopPropagation()
      return true
    },

    go(index, event) {
      if (rows.count === 0) return -1
      const to = Math.min(rows.count - 1, Math.max(0, index))
      if (rows.ranges && event.shiftKey) emit('reach', to)
      else emit('update:active', to)
      return to
    },
  }
}
