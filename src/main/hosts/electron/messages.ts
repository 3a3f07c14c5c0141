/** Messages between windows and services. Every sender is checked: only the top frame of our own page may talk. */
import { ipcMain } from 'electron'
import type { IpcMainEvent, WebContents } from 'electron'
import { TO_MAIN, TO_WINDOW } from '../../../shared/api/bridge.ts'
import type { Services } from '../../services/service.ts'
import { openSession } from '../session.ts'
import type { Session } from '../session.ts'

/** `origin`: of our page, e.g. `marrow://app`. Returns the way to stop. */
export function serveWindows(services: Services, origin: string): () => void {
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

  ipcMain.on(TO_MAIN, receive)
  return () => {
    ipcMain.off(TO_MAIN, receive)
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
