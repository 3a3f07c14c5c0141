/** `npm run make-library -- FOLDER --files N [--seed S]`: writes a library for measuring into a folder that is not there yet, or is empty. */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { mixedLibrary } from './mixed-library.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { files: { type: 'string', default: '50000' }, seed: { type: 'string', default: '1' } },
})
const [files, seed] = [Number(values.files), Number(values.seed)]
const folder = positionals.length === 1 ? resolve(positionals[0]) : ''
if (!folder || !Number.isSafeInteger(files) || files < 0 || !Number.isSafeInteger(seed)) {
  console.error('npm run make-library -- FOLDER --files N [--seed S]')
  process.exit(2)
}
if (existsSync(folder) && readdirSync(folder).length > 0) {
  console.error(`${folder} is not empty`)
  process.exit(2)
}
const made = { files: 0, disk: 0, bytes: 0 }
const folders = new Set<string>()
for (const { path, bytes, counts } of mixedLibrary(files, seed)) {
  const target = join(folder, path)
  if (!folders.has(dirname(target))) mkdirSync(dirname(target), { recursive: true })
  folders.add(dirname(target))
  writeFileSync(target, bytes)
  made.files += counts
  made.disk++
  made.bytes += bytes.length
}
console.log(`${made.files} files, ${made.disk} of them on disk and the others in archives, ${(made.bytes / 1e6).toFixed(0)} MB`)
