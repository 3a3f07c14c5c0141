/** Folders that only their user may look into. */
import { chmodSync, mkdirSync, statSync } from 'node:fs'

/** Made where it is not there, and closed to others where it is open to them. On Windows the profile's own rights do that. */
export function ensurePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (process.platform !== 'win32' && (statSync(folder).mode & 0o077) !== 0) chmodSync(folder, 0o700)
}
