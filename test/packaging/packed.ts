/** Packs the application in a process of its own and opens what came of it. */
import asar from '@electron/asar'
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import { projectRoot } from '../../scripts/lib/build.mjs'
import { makeDistribution } from './electron-distribution.ts'
import type { PackedPlatform } from './electron-distribution.ts'

/** electron-builder.yml, as written. */
export const builderConfig = parse(readFileSync(join(projectRoot, 'electron-builder.yml'), 'utf8'))
export const manifest = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'))
const electronVersion: string = JSON.parse(readFileSync(join(projectRoot, 'node_modules/electron/package.json'), 'utf8')).version

export interface Packed {
  /** what a user would get, and the program in it that has the fuses */
  folder: string
  program: string
  resources: string
  archive: string
  /** files of the archive, `/` between folders, none in front; those beside it are among them */
  files: string[]
  /** of `files`, those that lie beside the archive */
  unpacked: string[]
  /** calls of `codesign`: its arguments, and the program's bytes as they were then */
  signed: string[]
  told: { desktop: Record<string, string>; mimeFiles: string[]; debArguments: string[] }
}

const layouts: Record<PackedPlatform, (arch: string) => { folder: string; program: string; resources: string }> = {
  linux: (arch) => ({ folder: arch === 'x64' ? 'linux-unpacked' : `linux-${arch}-unpacked`, program: 'marrow', resources: 'resources' }),
  win: (arch) => ({ folder: arch === 'x64' ? 'win-unpacked' : `win-${arch}-unpacked`, program: 'Marrow.exe', resources: 'resources' }),
  mac: (arch) => ({
    folder: arch === 'x64' ? 'mac' : `mac-${arch}`,
    program: 'Marrow.app/Contents/Frameworks/Electron Framework.framework/Electron Framework',
    resources: 'Marrow.app/Contents/Resources',
  }),
}

/** @param home an empty folder, for everything that the run writes */
export async function pack(platform: PackedPlatform, arch: string, home: string): Promise<Packed> {
  const distribution = join(home, 'electron')
  const output = join(home, 'dist')
  const tools = join(home, 'tools')
  const signatures = join(home, 'signatures')
  const temporary = join(home, 'temporary')
  for (const part of [distribution, tools, temporary]) mkdirSync(part)
  makeDistribution(distribution, platform, electronVersion)
  const layout = layouts[platform](arch)
  const folder = join(output, layout.folder)
  const program = join(folder, layout.program)
  // codesign is on macOS alone; this one notes what it was asked for, and the program as it was then
  writeFileSync(join(tools, 'codesign'), `#!/bin/sh\necho "$@" >> '${signatures}'\ncp '${program}' '${signatures}.program'\n`, {
    mode: 0o755,
  })

  const driver = join(import.meta.dirname, 'pack-driver.ts')
  const nowhere = 'http://127.0.0.1:9'
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', driver, platform, arch, distribution, output],
    {
      cwd: projectRoot,
      maxBuffer: 2 ** 24,
      env: {
        ...process.env,
        PATH: `${tools}${delimiter}${process.env.PATH}`,
        // electron-builder's loader of settings keeps what it compiles
        ...Object.fromEntries(['TMPDIR', 'TEMP', 'TMP'].map((name) => [name, temporary])),
        // its caches are empty, and whatever would be loaded fails
        ELECTRON_BUILDER_CACHE: join(home, 'cache'),
        HTTPS_PROXY: nowhere,
        HTTP_PROXY: nowhere,
        https_proxy: nowhere,
        http_proxy: nowhere,
        CSC_IDENTITY_AUTO_DISCOVERY: 'false',
        CI: '',
        NO_COLOR: '1',
        FORCE_COLOR: undefined,
      },
    },
  )
  const resources = join(folder, layout.resources)
  const archive = join(resources, 'app.asar')
  const files: string[] = []
  const unpacked: string[] = []
  for (const line of asar.listPackage(archive, { isPack: true })) {
    const [, how, path] = /^(\w+)\s*: [\\/](.*)$/.exec(line)!
    const entry = asar.statFile(archive, path)
    if ('files' in entry) continue
    const name = path.replaceAll('\\', '/')
    files.push(name)
    if (how === 'unpack') unpacked.push(name)
  }
  const signed = (() => {
    try {
      return readFileSync(signatures, 'utf8').trim().split('\n')
    } catch {
      return []
    }
  })()
  return { folder, program, resources, archive, files, unpacked, signed, told: JSON.parse(stdout.slice(stdout.lastIndexOf('\n{'))) }
}

/** Bytes of a file of the archive. */
export const packedFile = ({ archive }: Packed, path: string): Buffer => asar.extractFile(archive, join(...path.split('/')))

/** Everything of the archive, with what lies beside it, as real files in `folder`. */
export const unpackAll = ({ archive }: Packed, folder: string): void => asar.extractAll(archive, folder)
