/** What a host tells its window at the start, in the fragment of the window's address; and names that both ends of a transport use. */

export interface Launch {
  /** web host only: lets the page in, once */
  code?: string
  /** a folder to open; of an address in a browser a proposal and no more, since anybody can write one */
  folder?: string
}

/** What a page gets for its code, beside a cookie. */
export interface Entered {
  /** kept by the page; with the cookie it is the key to the services */
  key: string
  /** a folder that the host was started with */
  folder?: string
}

export const ENTER_PATH = '/enter'
export const MAX_CODE_LENGTH = 128
export const SOCKET_PATH = '/api'
export const SOCKET_PROTOCOL = 'marrow.1'
/** followed by the page's key: a browser's WebSocket can send no header of its own, but it can offer protocols */
export const KEY_PROTOCOL = 'marrow.key.'

/** Largest message from a window. An edit of every key of a large clip is a few megabytes. */
export const MAX_MESSAGE_BYTES = 64 * 1024 * 1024

/** The Electron host's own origin. */
export const APP_SCHEME = 'marrow'
export const APP_ORIGIN = `${APP_SCHEME}://app`

export function launchFragment(launch: Launch): string {
  const parts = Object.entries<string | undefined>({ ...launch }).flatMap(([key, value]) =>
    value ? [`${key}=${encodeURIComponent(value)}`] : [],
  )
  return parts.length > 0 ? `#${parts.join('&')}` : ''
}

export function parseLaunch(fragment: string): Launch {
  const launch: Launch = {}
  for (const part of fragment.replace(/^#/, '').split('&')) {
    const [key, value = ''] = part.split('=', 2)
    if (key !== 'code' && key !== 'folder') continue
    try {
      launch[key] = decodeURIComponent(value)
    } catch {
      // a fragment typed by hand
    }
  }
  return launch
}
