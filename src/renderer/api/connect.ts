/** The window's way to the services, whatever the host. */
import { apiError } from '../../shared/api/api-error.ts'
import type { Bridge } from '../../shared/api/bridge.ts'
import type { Api } from '../../shared/api/contract.ts'
import { parseLaunch } from '../../shared/api/launch.ts'
import type { Launch } from '../../shared/api/launch.ts'
import { createElectronClient } from './electron-client.ts'
import { createWebClient } from './web-client.ts'

declare global {
  interface Window {
    /** the preload script's bridge; absent in a browser */
    marrow?: Bridge
  }
}

/** localStorage: one for each origin, port included, and shared by tabs, so that a second tab works */
const TOKEN_KEY = 'marrow.token'

let launched: Launch | undefined

/** What the host asked for at the start (a folder to open). Takes it out of the address, token included. */
export function launch(): Launch {
  if (!launched) {
    launched = parseLaunch(location.hash)
    if (launched.token) localStorage.setItem(TOKEN_KEY, launched.token)
    if (launched.token || launched.folder) history.replaceState(null, '', location.pathname + location.search)
  }
  return launched
}

/** Rejects with an ApiError (`refused`, `io`) whose message can be shown. */
export async function connect(): Promise<Api> {
  const { token = localStorage.getItem(TOKEN_KEY) } = launch()
  if (window.marrow) return createElectronClient(window.marrow)
  if (!token) throw apiError('refused', 'This page has no key: open the address that was printed when Marrow was started')
  const client = createWebClient({ origin: location.origin, token })
  await client.connected()
  return client
}
