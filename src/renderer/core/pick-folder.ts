/** Choosing a folder: by the system's dialog where the host has one. */
import { useSession } from './session.ts'

/**
 * Asks the user.
 * @param browse the host has no dialog: the window lists folders itself
 * @returns the path; null where none was chosen, or none yet
 */
export type AskFolder = (browse?: () => void) => Promise<string | null>

/** Where asking fails it is told in a message. */
export function useFolderPicker(): AskFolder {
  const session = useSession()
  return async (browse) => {
    try {
      const picked = await session.call('folders.pick', {})
      if (picked === null && session.app?.host !== 'electron') browse?.()
      return picked
    } catch (error) {
      session.report(error)
      return null
    }
  }
}
