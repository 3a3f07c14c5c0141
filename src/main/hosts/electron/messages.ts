/** Messages between windows and services. Every sender is checked: only the top frame of our own page may talk. */
import { ipcMain } from 'electron'
import type { IpcMainEvent, WebContents } from 'electron'
import { PATHS_TO_MAIN, TO_MAIN, TO_WINDOW } from '../../../shared/api/bridge.ts'
import { MOST_PATHS } from '../../../shared/api/desktop.ts'
import type { Services } from '../../services/service.ts'
import { openSession } from '../session.ts'
import type { Session } from '../session.ts'

export interface WindowPaths {
  /** paths of files that were dropped on the window or picked in it: the preload script has them of the system, not of the page */
  openPaths(paths: string[]): void
}

/** `origin`: of our page, e.g. `marrow://app`. Returns the way to stop. */
export function serveWindows(services: Services, origin: string, { openPaths }: WindowPaths): () => void {
  // one conversation for each document: a reload starts a new one
  const sessions = new Map<WebContents, Session>()

  function sessionOf(contents: WebContents): Session {
    const known = sessions.get(contents)
    if (known) return known
    const session = openSession({
      services,
      send(bytes) {
        if (!contents.isDestroyed()) contents.send(TO_WINDOW, bytes)
      },
    })
    const end = () => {
      session.close()
      if (sessions.get(contents) === session) sessions.delete(contents)
      contents.off('did-start-navigation', navigated)
      contents.off('render-process-gone', end)
      contents.off('destroyed', end)
    }
    const navigated = (details: { isMainFrame: boolean; isSameDocument: boolean }) => {
      if (details.isMainFrame && !details.isSameDocument) end()
    }
    contents.on('did-start-navigation', navigated)
    contents.on('render-process-gone', end)
    contents.on('destroyed', end)
    sessions.set(contents, session)
    return session
  }

  const receive = (event: IpcMainEvent, bytes: unknown) => {
    if (!isOurPage(event, origin)) {
      console.error('a message from a foreign frame was refused')
      return
    }
    const taken = bytes instanceof Uint8Array && sessionOf(event.sender).receive(bytes)
    if (!taken) console.error('a message that is none of the contract was refused')
  }

  const receivePaths = (event: IpcMainEvent, paths: unknown) => {
    const taken =
      isOurPage(event, origin) &&
      Array.isArray(paths) &&
      paths.every((path) => typeof path === 'string' && path !== '' && path.length <= 4096)
    if (taken) openPaths((paths as string[]).slice(0, MOST_PATHS))
    else console.error('paths that are none were refused')
  }

  ipcMain.on(TO_MAIN, receive)
  ipcMain.on(PATHS_TO_MAIN, receivePaths)
  return () => {
    ipcMain.off(TO_MAIN, receive)
    ipcMain.off(PATHS_TO_MAIN, receivePaths)
    for (const session of sessions.values()) session.close()
    sessions.clear()
  }
}

function isOurPage({ sender, senderFrame }: IpcMainEvent, origin: string): boolean {
  // null after the frame went away
  if (!senderFrame || senderFrame !== sender.mainFrame) return false
  return isOurUrl(senderFrame.url, origin)
}

/** The origin by its text: URL.origin of a scheme that is not the web's is 'null'. */
export function isOurUrl(url: string, origin: string): boolean {
  return url === origin || url.startsWith(`${origin}/`)
}
