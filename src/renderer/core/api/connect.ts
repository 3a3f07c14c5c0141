/** The window's way to the services, whatever the host. */
import type { ApiError } from '../../../shared/api/api-error.ts'
import type { Bridge } from '../../../shared/api/bridge.ts'
import type { Api } from '../../../shared/api/transport.ts'
import { ENTER_PATH, MAX_CODE_LENGTH, parseLaunch } from '../../../shared/api/launch.ts'
import type { Entered, Launch } from '../../../shared/api/launch.ts'
import { CONNECTION_KEY } from '../kept.ts'
import { createElectronClient } from './electron-client.ts'
import { createWebClient, notIn } from './web-client.ts'

export interface Connection extends Api {
  /** resolves when the connection is gone for good, with why; never where that cannot be */
  ended?: Promise<ApiError>
  /** Told when nobody answers any more (true), and when somebody does again. Absent where that cannot be. */
  onLost?(listener: (lost: boolean) => void): void
  /** Tries at once to connect again, not after the next wait. */
  retry?(): void
}

declare global {
  interface Window {
    /** the preload script's bridge; absent in a browser */
    marrow?: Bridge
  }
}

let launched: Launch | undefined
/** of the host itself, which was started with it */
let own: string | undefined

/** What the address says. Takes it out of the address. */
function address(): Launch {
  if (!launched) {
    launched = parseLaunch(location.hash)
    if (launched.code !== undefined || launched.folder !== undefined) history.replaceState(null, '', location.pathname + location.search)
  }
  return launched
}

/**
 * A folder to open once there is a connection: at once where the application asks for it, after a question where only the address does. Each is
 * told once.
 */
export function folderToOpen(): { folder: string; asked: boolean } | null {
  const { folder } = address()
  launched = { ...address(), folder: undefined }
  // no page but the application's own main process writes the address of its window
  const wanted = window.marrow ? folder : own
  own = undefined
  if (wanted) return { folder: wanted, asked: true }
  return folder ? { folder, asked: false } : null
}

/** Rejects with an ApiError (`refused`, `io`) whose message can be shown. */
export async function connect(): Promise<Connection> {
  const { code } = address()
  if (window.marrow) return createElectronClient(window.marrow)
  if (code) {
    launched = { ...address(), code: undefined }
    const entered = await enter(code)
    // a code that does not work takes nothing away from a page that is in already
    if (entered) {
      localStorage.setItem(CONNECTION_KEY, entered.key)
      own = entered.folder
    }
  }
  if (!localStorage.getItem(CONNECTION_KEY)) throw notIn()
  // read for each try: another tab may have come in anew
  const client = createWebClient({ origin: location.origin, key: () => localStorage.getItem(CONNECTION_KEY) ?? '' })
  await client.connected().catch((error: unknown) => {
    client.close()
    throw error
  })
  return client
}

async function enter(code: string): Promise<Entered | null> {
  try {
    const answer = await fetch(ENTER_PATH, { method: 'POST', body: code.slice(0, MAX_CODE_LENGTH), cache: 'no-store' })
    return answer.ok ? ((await answer.json()) as Entered) : null
  } catch {
    // nobody answers: the connection will say so
    return null
  }
}
