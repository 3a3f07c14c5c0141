/** What no page may do here, ours included: leave, open windows, embed, use devices. */
import { app, shell } from 'electron'
import type { Session } from 'electron'
import { isOurUrl } from './messages.ts'

/** Before the first window is made. */
export function guardContents(origin: string): void {
  app.on('web-contents-created', (_event, contents) => {
    contents.on('will-navigate', (details) => {
      if (!isOurUrl(details.url, origin)) details.preventDefault()
    })
    contents.on('will-redirect', (details) => {
      if (!isOurUrl(details.url, origin)) details.preventDefault()
    })
    contents.on('will-attach-webview', (event) => event.preventDefault())
    contents.setWindowOpenHandler(({ url }) => {
      if (isSafeLink(url)) void shell.openExternal(url).catch(() => {})
      return { action: 'deny' }
    })
  })
}

export function guardSession(session: Session, origin: string): void {
  // copying text is all that the window asks for
  const allowed = (permission: string, url: string) => permission === 'clipboard-sanitized-write' && isOurUrl(url, origin)
  session.setPermissionRequestHandler((_contents, permission, answer, details) => answer(allowed(permission, details.requestingUrl)))
  session.setPermissionCheckHandler((_contents, permission, requestingOrigin) => allowed(permission, requestingOrigin))
  session.setDevicePermissionHandler(() => false)
  session.on('will-download', (event, item) => {
    // what the window made itself (a slice's file) is saved through the system's dialog
    if (!isOurUrl(item.getURL().replace(/^blob:/, ''), origin)) event.preventDefault()
  })
}

/** A link for the system's browser: https, without a user's name in it, which only serves to deceive. */
function isSafeLink(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, username, password } = new URL(url)
  return protocol === 'https:' && username === '' && password === ''
}
