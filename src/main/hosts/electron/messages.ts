/** Messages between windows and services. Every sender is checked: only the top frame of our own page may talk. */
import { ipcMain } from 'electron'
import type { IpcMainEvent, WebContents } from 'electron'
import { PATHS_TO_MAIN, TO_MAIN, TO_WINDOW } from '../../../shared/api/bridge.ts'
import { MOST_PATHS } from '../../../shared/api/desktop.ts'
import type { ServerMessage } from '../../../shared/api/transport.ts'
import { encodeMessage } from '../../../shared/api/wire.ts'
import type { Emit } from '../../services/service.ts'
import type { Backend, Talk } from '../backend/backend.ts'

export interface WindowPaths {
  /** paths of files that were dropped on the window or picked in it: the preload script has them of the system, not of the page */
  openPaths(paths: string[]): void
}

/** `origin`: of our page, e.g. `marrow://app`. Returns the way to tell the windows of the host's own events, which wait for no service. */
export function serveWindows(backend: Backend, origin: string, { openPaths }: WindowPaths): Emit {
  // one conversation for each document: a reload starts a new one
  const talks = new Map<WebContents, Talk>()

  function send(contents: WebContents, bytes: Uint8Array): void {
    if (!contents.isDestroyed()) contents.send(TO_WINDOW, bytes)
  }

  function talkOf(contents: WebContents): Talk {
    const known = talks.get(contents)
    if (known) return known
    const talk = backend.talk({ send: (bytes) => send(contents, bytes), hangUp: complain })
    const end = () => {
      talk.close()
      if (talks.get(contents) === talk) talks.delete(contents)
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
    talks.set(contents, talk)
    return talk
  }

  const receive = (event: IpcMainEvent, bytes: unknown) => {
    if (!isOurPage(event, origin)) {
      console.error('a message from a foreign frame was refused')
      return
    }
    if (bytes instanceof Uint8Array) talkOf(event.sender).receive(bytes)
    else complain()
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
  return (name, event) => {
    const bytes = encodeMessage({ kind: 'event', name, event } satisfies ServerMessage)
    for (const contents of talks.keys()) send(contents, bytes)
  }
}

function complain(): void {
  console.error('a message that is none of the contract was refused')
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
