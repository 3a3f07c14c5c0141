/**
 * `npm run make-library -- [FOLDER] --files N [--seed S] [--sizes small|games]`: writes a library for measuring into a folder that is not there yet, or is empty; without one
 * into a folder of its size in .cache, which no other tool of the project looks into.
 */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { projectRoot } from '../../scripts/lib/build.mjs'
import { mixedLibrary } from './mixed-library.ts'

const USAGE = 'npm run make-library -- [FOLDER] --files N [--seed S] [--sizes small|games]'
const SIZES = ['small', 'games'] as const

interface Wish {
  folder: string
  files: number
  seed: number
  sizes: (typeof SIZES)[number]
}

/** @throws Error with what is wrong about it */
function wishOf(args: string[]): Wish {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      files: { type: 'string', default: '50000' },
      seed: { type: 'string', default: '1' },
      sizes: { type: 'string', default: 'small' },
    },
  })
  if (positionals.length > 1) throw new Error('one folder at a time')
  const [files, seed] = [Number(values.files), Number(values.seed)]
  if (!Number.isSafeInteger(files) || files < 0) throw new Error(`--files ${values.files}: a number from 0`)
  if (!Number.isSafeInteger(seed)) throw new Error(`--seed ${values.seed}: a whole number`)
  const sizes = SIZES.find((one) => one === values.sizes)
  if (!sizes) throw new Error(`--sizes ${values.sizes}: ${SIZES.join(' or ')}`)
  // npm runs scripts in the project's folder; INIT_CWD is the user's
  const [given] = positionals
  const folder = given
    ? resolve(process.env.INIT_CWD ?? process.cwd(), given)
    : join(projectRoot, '.cache', `library-${files}${sizes === 'games' ? '-games' : ''}`)
  mkdirSync(folder, { recursive: true })
  if (readdirSync(folder).length > 0) throw new Error(`${folder} is not empty`)
  return { folder, files, seed, sizes }
}

let wish: Wish
try {
  wish = wishOf(process.argv.slice(2))
} catch (error) {
  console.error(`${(error as Error).message}\n${USAGE}`)
  process.exit(2)
}
const { folder, files, seed, sizes } = wish
console.log(`Writing ${files} files into ${folder}`)
const made = { files: 0, disk: 0, bytes: 0 }
const folders = new Set<string>()
for (const { path, bytes, counts } of mixedLibrary(files, seed, sizes)) {
  const target = join(folder, path)
  const place = dirname(target)
  if (!folders.has(place)) mkdirSync(place, { recursive: true })
  folders.add(place)
  writeFileSync(target, bytes)
  made.files += counts
  made.disk++
  made.bytes += bytes.length
}
console.log(`${made.files} files, ${made.disk} of them on disk and the others in archives, ${(made.bytes / 1e6).toFixed(0)} MB`)
