/**
 * Opens the browser without a secret in its arguments, which every user of the machine can read: they name a file that only this user can, and
 * the file leads on to the address.
 */
import { randomBytes } from 'node:crypto'
import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensurePrivateFolder } from '../../files/private-folder.ts'

/** Files of hosts that were killed before they took them away: their codes work no more. */
const STALE_MS = 10 * 60_000

export interface WayIn {
  path: string
  remove(): void
}

/** @param folder made for this user alone where it is not there */
export function writeWayIn(folder: string, address: string): WayIn {
  ensurePrivateFolder(folder)
  sweep(folder)
  const path = join(folder, `enter-${randomBytes(8).toString('hex')}.html`)
  const safe = address.replace(/[&"<>]/g, (c) => `&#${c.charCodeAt(0)};`)
  writeFileSync(
    path,
    // eslint-disable-next-line texts/in-catalogue -- a page that nobody sees
    `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0; url=${safe}"><title>Marrow</title>\n`,
    { flag: 'wx', mode: 0o600 },
  )
  return { path, remove: () => rmSync(path, { force: true }) }
}

function sweep(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (!/^enter-[0-9a-f]{16}\.html$/.test(name)) continue
    const path = join(folder, name)
    const stat = statSync(path, { throwIfNoEntry: false })
    if (stat && Date.now() - stat.mtimeMs > STALE_MS) rmSync(path, { force: true })
  }
}

/**
 * Programs that `BROWSER` names, the first one first. The system's opener looks at it last, after whatever the machine has for a page in a
 * file. One with arguments of its own is left to the opener, and Windows and macOS do not know the name.
 */
function namedBrowsers(): string[] {
  if (process.platform === 'win32' || process.platform === 'darwin') return []
  return (process.env.BROWSER ?? '').split(':').filter((name) => name && !/[%\s]/.test(name))
}

/** A machine without a browser is no error: the address was printed. */
export async function openBrowser(path: string): Promise<void> {
  const page = pathToFileURL(path).href
  for (const name of [...namedBrowsers(), undefined]) {
    try {
      const { default: open } = await import('open')
      const child = await open(page, name === undefined ? {} : { app: { name } })
      child.on('error', () => {})
      return
    } catch {
      // the next one; after the last, the user can open the printed address
    }
  }
}
