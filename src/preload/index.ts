/** Runs sandboxed beside the window's page and gives it the pipe of the contract and a way for dropped files. Nothing of Electron gets through. */
import { contextBridge, ipcRenderer, webUtils } from 'electron'
import { PATHS_TO_MAIN, TO_MAIN, TO_WINDOW } from '../shared/api/bridge.ts'
import type { Bridge } from '../shared/api/bridge.ts'

let receive: ((bytes: Uint8Array) => void) | undefined

ipcRenderer.on(TO_WINDOW, (_event, bytes: unknown) => {
  if (bytes instanceof Uint8Array) receive?.(bytes)
})

const bridge: Bridge = {
  send(bytes) {
    if (!(bytes instanceof Uint8Array)) throw new TypeError('a message is a Uint8Array')
    ipcRenderer.send(TO_MAIN, bytes)
  },
  listen(listener) {
    if (typeof listener !== 'function') throw new TypeError('a listener is a function')
    receive = listener
  },
  openFiles(files) {
    // a file that a script made has no path: nothing can be opened that the user did not choose
    const paths = [...files].map((file) => webUtils.getPathForFile(file)).filter((path) => path !== '')
    if (paths.length > 0) ipcRenderer.send(PATHS_TO_MAIN, paths)
    return paths.length
  },
}

contextBridge.exposeInMainWorld('marrow', bridge)
