// node unpack-chromium.mjs: unpacks the package's Chromium into TMPDIR, which is where the package unpacks to. A process of its own, so that
// no other one's temporary folder is moved, and so that it can be ended.
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

try {
  const main = fileURLToPath(import.meta.resolve('@sparticuz/chromium'))
  const { default: chromium, inflate } = await import('@sparticuz/chromium')
  // for whoever works in this folder: the package lets only its own user run it
  chmodSync(await chromium.executablePath(), 0o755)
  await inflate(join(main, '..', '..', 'bin', 'al2023.tar.br'))
  // the package's own names folders below /tmp, and a browser that finds no font at all ends at its first page
  writeFileSync(join(tmpdir(), 'fonts.conf'), readFileSync(new URL('fonts.conf', import.meta.url)))
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
}
