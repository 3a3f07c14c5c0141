/**
 * All that the preload script gives to the window: a pipe for messages of the contract, as bytes. Bytes, because the context bridge copies an object
 * property by property, which takes seconds for a large structure tree; the main process checks every message.
 */
export interface Bridge {
  send(bytes: Uint8Array): void
  /** one listener; a second call replaces it */
  listen(listener: (bytes: Uint8Array) => void): void
}

/** The only two channels between the window and the main process of Electron. */
export const TO_MAIN = 'marrow:to-main'
export const TO_WINDOW = 'marrow:to-window'
