/** Runs sandboxed beside the window's page and gives it one thing: the pipe of the contract. Nothing of Electron gets through. */
import { contextBridge, ipcRenderer } from 'electron'
import { TO_MAIN, TO_WINDOW } from '../shared/api/bridge.ts'
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
}

contextBridge.exposeInMainWorld('marrow', bridge)
