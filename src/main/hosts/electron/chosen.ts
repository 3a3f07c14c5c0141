/**
 * The one way of paths from outside to the window: arguments, a second start, the system's open-file event and dialogs, a drop, the menus of recent
 * folders. All of these are the user's own choice in this run, which no page can make up: `onChoose` is told of each, and the window fetches
 * them when it is there.
 */
import { MOST_PATHS } from '../../../shared/api/desktop.ts'

export interface ChosenPaths {
  /** the user chose it, whatever becomes of it */
  choose(path: string): void
  /** chosen, and to be opened by the window */
  open(paths: readonly string[]): void
  /** what the window has not opened yet; it is told once */
  take(): string[]
}

export function chosenPaths({ onChoose, onOpen }: { onChoose?: (path: string) => void; onOpen: () => void }): ChosenPaths {
  let waiting: string[] = []
  return {
    choose: (path) => onChoose?.(path),
    open(paths) {
      for (const path of paths) onChoose?.(path)
      waiting = [...waiting.filter((path) => !paths.includes(path)), ...paths].slice(-MOST_PATHS)
      if (paths.length > 0) onOpen()
    },
    take() {
      const taken = waiting
      waiting = []
      return taken
    },
  }
}
