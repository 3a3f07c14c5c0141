/**
 * All that the preload script gives to the window: a pipe for messages of the contract, as bytes, and a way for files of the system. Bytes, because the context bridge copies an object
 * property by property, which takes seconds for a large structure tree; the main process checks every message.
 */
export interface Bridge {
  send(bytes: Uint8Array): void
  /** one listener; a second call replaces it */
  listen(listener: (bytes: Uint8Array) => void): void
  /** opens files and folders of the system that were dropped or picked; the page does not see their paths. @returns how many are the system's */
  openFiles(files: readonly File[]): number
}

/** The only channels between the window and the main process of Electron. */
export const TO_MAIN = 'marrow:to-main'
/** from the preload script alone: paths that the system gave it for files */
export const PATHS_TO_MAIN = 'marrow:paths'
export const TO_WINDOW = 'marrow:to-window'
