/** Where files go: the system's dialog, where the host has one. */
import { useSession } from '../../core/session.ts'

/** @returns the folder, null where the user thought better of it; undefined where the host has no dialog and the window has to ask */
export async function pickFolder(): Promise<string | null | undefined> {
  const session = useSession()
  try {
    const picked = await session.call('folders.pick', {})
    return picked ?? (session.app?.host === 'electron' ? null : undefined)
  } catch (error) {
    session.report(error)
    return null
  }
}
