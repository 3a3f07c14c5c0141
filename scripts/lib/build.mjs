// Builds what is out of date, and nothing else.
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { removeAbandoned } from './abandoned.mjs'

export const projectRoot = fileURLToPath(new URL('../..', import.meta.url))

const inputs = {
  renderer: ['src/renderer', 'src/shared', 'electron.vite.config.ts', 'package-lock.json'],
  cli: ['src/main', 'src/shared', 'electron.vite.config.ts', 'package-lock.json'],
  all: ['src', 'electron.vite.config.ts', 'package-lock.json'],
}
// written last by each build
const outputs = {
  renderer: ['out/renderer/index.html'],
  cli: ['out/main/cli.js'],
  all: ['out/main/index.js', 'out/preload/index.cjs', 'out/renderer/index.html'],
}

const timeOf = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

/** Every start of the command line waits for it: a folder tells of its entries what they are, and paths are put together as they are. */
function newest(path, isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
  // a folder's own time tells of files that were taken away
  let time = timeOf(path)
  if (isFolder)
    for (const entry of readdirSync(path, { withFileTypes: true }))
      time = Math.max(time, newest(`${path}/${entry.name}`, entry.isDirectory()))
  return time
}

/** @param {'renderer' | 'cli' | 'all'} what */
export function isBuilt(what, root = projectRoot) {
  const made = outputs[what].map((path) => join(root, path))
  if (!made.every((path) => existsSync(path))) return false
  const oldest = Math.min(...made.map((path) => statSync(path).mtimeMs))
  return inputs[what].every((path) => newest(join(root, path)) <= oldest)
}

/** Beside the old build, then in its place: a host that serves the old one, or a second build, is not disturbed. */
export async function buildRenderer({ mode = 'production', outDir } = {}) {
  // the compiler of templates asks while it is loaded, before Vite sets it: with another answer it keeps comments, and a component that begins with
  // one takes no classes from where it stands
  process.env.NODE_ENV = 'production'
  const { build } = await import('vite')
  const { default: config } = await import('../../electron.vite.config.ts')
  const target = outDir ?? config.renderer.build.outDir
  await replaced([target], target, (fresh) =>
    build({ ...config.renderer, configFile: false, mode, logLevel: 'warn', build: { ...config.renderer.build, outDir: fresh } }),
  )
}

/** Main, preload and window. Throws where the build fails. */
export async function buildAll({ quiet = true } = {}) {
  // takes longer to load than the rest of what the command line's start does here
  const { spawnSync } = await import('node:child_process')
  const cli = join(projectRoot, 'node_modules', 'electron-vite', 'bin', 'electron-vite.js')
  const out = join(projectRoot, 'out')
  const targets = ['main', 'preload', 'renderer'].map((name) => join(out, name))
  await replaced(targets, join(out, 'all'), (fresh) => {
    const args = ['build', '--outDir', fresh, ...(quiet ? ['--logLevel', 'warn'] : [])]
    // standard output stays clean for what the caller prints
    const result = spawnSync(process.execPath, [cli, ...args], { cwd: projectRoot, stdio: ['ignore', 2, 2] })
    if (result.status !== 0) throw new Error('the build failed')
  })
}

/**
 * Makes what belongs in `targets` beside `place`, and puts it there once it is complete; nothing is left of a build that fails.
 * @param {string[]} targets folders; several are folders of the same names in the one that `make` fills
 */
export async function replaced(targets, place, make) {
  const fresh = `${place}.${process.pid}`
  removeAbandoned(dirname(place), basename(place))
  try {
    await make(fresh)
    for (const target of targets) putInPlace(target === place ? fresh : join(fresh, basename(target)), target, `${fresh}.old`)
  } finally {
    for (const folder of [fresh, `${fresh}.old`]) rmSync(folder, { recursive: true, force: true })
  }
}

/** Another build may do the same at this moment: the later one stays. */
function putInPlace(fresh, target, old) {
  for (let tries = 1; ; tries++) {
    try {
      rmSync(old, { recursive: true, force: true })
      if (existsSync(target)) renameSync(target, old)
      renameSync(fresh, target)
      return
    } catch (error) {
      // taken away or put there since it was looked for
      if (tries === 20 || !['ENOENT', 'ENOTEMPTY', 'EEXIST', 'EPERM'].includes(error.code)) throw error
    }
  }
}
