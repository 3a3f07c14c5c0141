/** The application as electron-builder packs it for three systems; only Electron's own binary is a stand-in. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { parseAst } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { projectRoot } from '../../scripts/lib/build.mjs'
import { FACTORY_WIRE, readFuses } from './electron-distribution.ts'
import type { PackedPlatform } from './electron-distribution.ts'
import { builderConfig, manifest, pack, packedFile, unpackAll } from './packed.ts'
import type { Packed } from './packed.ts'

/** Position on the wire: https://www.electronjs.org/docs/latest/tutorial/fuses */
const FUSES = [
  'runAsNode',
  'enableCookieEncryption',
  'enableNodeOptionsEnvironmentVariable',
  'enableNodeCliInspectArguments',
  'enableEmbeddedAsarIntegrityValidation',
  'onlyLoadAppFromAsar',
  'loadBrowserProcessSpecificV8Snapshot',
  'grantFileProtocolExtraPrivileges',
]
const nodeName = { linux: 'linux', win: 'win32', mac: 'darwin' }
const hostArch = process.arch === 'arm64' ? 'arm64' : 'x64'
const cases: { platform: PackedPlatform; arch: string; why: string | null }[] = [
  { platform: 'linux', arch: hostArch, why: null },
  { platform: 'win', arch: 'x64', why: null },
  { platform: 'mac', arch: 'arm64', why: process.platform === 'win32' ? 'electron-builder packs it on macOS and Linux only' : null },
]

/** What a module of the bundles asks for: literal specifiers of imports, static and dynamic. */
function importsOf(source: string): string[] {
  const found = new Set<string>()
  const visit = (node: any): void => {
    if (Array.isArray(node)) return node.forEach(visit)
    if (node === null || typeof node !== 'object') return
    if (/^(Import|Export)/.test(node.type ?? '') && typeof node.source?.value === 'string') found.add(node.source.value)
    for (const value of Object.values(node)) visit(value)
  }
  visit(parseAst(source))
  return [...found]
}

const bytesOf = (path: string): number => statSync(path).size

describe.each(cases)('a package for $platform $arch', ({ platform, arch, why }) => {
  let home: string
  let packed: Packed
  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'marrow-pack-'))
    if (why !== null) return
    packed = await pack(platform, arch, home)
    unpackAll(packed, join(home, 'inside'))
  })
  afterAll(() => rmSync(home, { recursive: true, force: true }))
  const test = why === null ? it : it.skip.bind(it)
  const titled = (title: string) => (why === null ? title : `${title} (skipped: ${why})`)

  test(titled('has the bundles, the icon and the manifest, and nothing else of the project'), () => {
    expect(packed.files).toContain(JSON.parse(packedFile(packed, 'package.json').toString()).main)
    expect(packed.files).toEqual(expect.arrayContaining(['out/preload/index.cjs', 'out/renderer/index.html', 'resources/icons/icon.png']))
    expect([...new Set(packed.files.map((path) => path.split('/')[0]))].sort()).toEqual([
      'node_modules',
      'out',
      'package.json',
      'resources',
    ])
    const built = (readdirSync(join(projectRoot, 'out'), { recursive: true }) as string[])
      .map((path) => `out/${path.replaceAll('\\', '/')}`)
      .filter(
        (path) => /^out\/(main|preload|renderer)\//.test(path) && statSync(join(projectRoot, path)).isFile() && !path.endsWith('.map'),
      )
    // lies beside the archive, where it can be read
    expect(packed.files.filter((path) => path.startsWith('out/')).sort()).toEqual(
      built.filter((path) => path !== 'out/renderer/licenses.md').sort(),
    )
    expect(packed.files.filter((path) => path.startsWith('resources/'))).toEqual(['resources/icons/icon.png'])
    expect(new Set(packed.files).size).toBe(packed.files.length)
  })

  test(titled('has every worker that the bundles start'), () => {
    const started = packed.files
      .filter((path) => /^out\/main\/[^/]+\.js$/.test(path))
      .flatMap((path) =>
        [
          ...packedFile(packed, path)
            .toString()
            .matchAll(/\(["'`]([\w-]+-worker)["'`], *import\.meta\.url\)/g),
        ].map(([, name]) => `${name}.js`),
      )
    const entries = readdirSync(join(projectRoot, 'out/main')).filter((name) => name.endsWith('-worker.js'))
    expect([...new Set(started)].sort()).toEqual(entries.sort())
    for (const name of started) expect(packed.files).toContain(`out/main/${name}`)
    const drawn = packed.files
      .filter((path) => /^out\/renderer\/assets\/.*\.js$/.test(path))
      .flatMap((path) =>
        [
          ...packedFile(packed, path)
            .toString()
            .matchAll(/new Worker\([^)]*?new URL\(\s*["'`]([^"'`]+)["'`]/g),
        ].map(([, url]) => url),
      )
    expect(drawn.length).toBeGreaterThan(0)
    for (const url of drawn) expect(packed.files).toContain(`out/renderer/assets/${basename(url)}`)
  })

  test(titled('carries each file as it is in the project'), () => {
    // a package that stands inside of another, because its version differs, may be packed beside it
    const nested = (path: string): string[] =>
      path.startsWith('node_modules/')
        ? Object.keys(manifest.dependencies).map((name) => join(projectRoot, 'node_modules', name, path))
        : []
    const changed = packed.files.filter((path) => {
      const bytes = packedFile(packed, path)
      const sources = [join(projectRoot, path), ...nested(path)].filter((source) => existsSync(source))
      return !sources.some((source) => bytes.equals(readFileSync(source)))
    })
    // electron-builder takes out of manifests what only development reads
    expect(changed.filter((path) => basename(path) !== 'package.json')).toEqual([])
    const { scripts, devDependencies, dependencies } = JSON.parse(packedFile(packed, 'package.json').toString())
    expect({ scripts, devDependencies }).toEqual({ scripts: undefined, devDependencies: undefined })
    expect(dependencies).toEqual(manifest.dependencies)
  })

  test(titled('has the native module of its system alone, beside the archive'), () => {
    const own = `node_modules/better-sqlite3/prebuilds/${nodeName[platform]}-${arch}.node`
    expect(packed.unpacked).toEqual([own])
    expect(packed.files.filter((path) => path.endsWith('.node'))).toEqual([own])
    expect(readFileSync(join(`${packed.archive}.unpacked`, own)).equals(readFileSync(join(projectRoot, own)))).toBe(true)
  })

  test(titled('has no sources, tests or other programs of packages'), () => {
    const packages = packed.files.filter((path) => path.startsWith('node_modules/'))
    expect(packages.filter((path) => /\.(c|cc|cpp|h|hpp|gyp|gypi|ts|mts|cts|map|exe|dll|so|dylib|wasm|tgz|zip)$/.test(path))).toEqual([])
    expect(packages.filter((path) => /\/(tests?|deps|benchmark|examples?)\//.test(path))).toEqual([])
    for (const name of Object.keys(manifest.optionalDependencies))
      expect(packages.filter((path) => path.startsWith(`node_modules/${name}/`))).toEqual([])
    for (const name of Object.keys(manifest.devDependencies))
      expect(packages.filter((path) => path.startsWith(`node_modules/${name}/`))).toEqual([])
  })

  test(titled('is as large as what it was made from'), () => {
    const native = packed.unpacked.reduce((sum, path) => sum + bytesOf(join(projectRoot, path)), 0)
    const rest = packed.files.reduce((sum, path) => sum + bytesOf(join(projectRoot, path)), 0) - native
    // the archive's list names each file with its folders, place, hash and block hashes (4 MiB each)
    const list = packed.files.reduce((sum, path) => sum + path.length + 512, 0)
    expect(bytesOf(packed.archive)).toBeLessThanOrEqual(rest + list)
    const everything = (readdirSync(packed.resources, { recursive: true }) as string[])
      .map((path) => join(packed.resources, path))
      .filter((path) => statSync(path).isFile())
      .reduce((sum, path) => sum + bytesOf(path), 0)
    const beside = ['LICENSE', 'out/renderer/licenses.md'].reduce((sum, path) => sum + bytesOf(join(projectRoot, path)), 0)
    const icon = bytesOf(join(projectRoot, 'resources/icons/icon.icns'))
    const fonts = readdirSync(join(projectRoot, 'node_modules/@fontsource-variable')).reduce(
      (sum, name) => sum + bytesOf(join(projectRoot, 'node_modules/@fontsource-variable', name, 'LICENSE')),
      0,
    )
    // what electron-builder writes itself: where updates are, the kind of package, a profile of AppArmor
    const own = 8192
    expect(everything).toBeLessThanOrEqual(rest + list + native + beside + fonts + icon + own)
  })

  test(titled('has its fuses on the wire, and the others as Electron has them'), () => {
    const expected = [...FACTORY_WIRE].map((factory, at) => {
      const wanted = builderConfig.electronFuses[FUSES[at]]
      return wanted === undefined ? factory : wanted ? '1' : '0'
    })
    expect(readFuses(readFileSync(packed.program))).toBe(expected.join(''))
    // none that is named is unknown
    expect(Object.keys(builderConfig.electronFuses).filter((name) => !FUSES.includes(name))).toEqual(['resetAdHocDarwinSignature'])
  })

  test(titled('has the licence texts'), () => {
    const licenses = join(packed.resources, 'licenses')
    expect(readFileSync(join(licenses, 'marrow.txt'), 'utf8')).toBe(readFileSync(join(projectRoot, 'LICENSE'), 'utf8'))
    const window = readFileSync(join(licenses, 'window.md'), 'utf8')
    for (const name of ['@babylonjs/core', '@vue/runtime-core', 'dockview-core']) expect(window).toContain(`## ${name} - `)
    const fonts = Object.keys(manifest.devDependencies).filter((name) => name.startsWith('@fontsource-variable/'))
    expect(fonts.length).toBeGreaterThan(0)
    for (const name of fonts) expect(readFileSync(join(licenses, 'fonts', basename(name), 'LICENSE'), 'utf8')).toMatch(/Open Font License/i)
    const packages = new Set(
      packed.files.map((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]).filter((name) => name !== undefined),
    )
    const withText = new Set(
      packed.files
        .map((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\/(?:licen[cs]e|copying)[^/]*$/i.exec(path)?.[1])
        .filter((name) => name !== undefined),
    )
    const given = readdirSync(join(licenses, 'packages')).map((name) => name.replace(/\.txt$/, ''))
    expect([...packages].filter((name) => !withText.has(name))).toEqual(given)
    // electron-builder takes them from the archive that Electron comes in; of a folder for macOS it takes the bundle alone
    if (platform !== 'mac')
      for (const name of ['LICENSE.electron.txt', 'LICENSES.chromium.html']) expect(existsSync(join(packed.folder, name))).toBe(true)
  })

  test(titled('finds every import of its bundles inside itself'), () => {
    const folder = join(home, 'inside')
    const modules = packed.files.filter((path) => /^out\/main\/[^/]+\.js$/.test(path))
    const wanted = modules.flatMap((path) => importsOf(readFileSync(join(folder, path), 'utf8')).map((name) => ({ path, name })))
    const own = new Set(
      wanted.map(({ name }) => name).filter((name) => !name.startsWith('node:') && !builtinModules.includes(name) && name !== 'electron'),
    )
    expect([...own].some((name) => name === 'better-sqlite3')).toBe(true)
    // asked of Node itself, from where the bundles are
    const asker = join(folder, 'out/main/asker.mjs')
    writeFileSync(asker, `console.log(JSON.stringify(process.argv.slice(2).map((name) => import.meta.resolve(name))))`)
    const answers: string[] = JSON.parse(execFileSync(process.execPath, [asker, ...own], { encoding: 'utf8' }))
    const inside = new URL('.', `file://${folder.replaceAll('\\', '/').replace(/^(?!\/)/, '/')}/`).href
    expect(answers.filter((url) => !url.startsWith(inside) || !existsSync(new URL(url)))).toEqual([])
  })

  const here = why === null && process.platform === nodeName[platform] && process.arch === arch
  it.skipIf(!here)(
    here
      ? 'runs as packed: page, calls, the library of samples'
      : `runs as packed (skipped: it is for ${platform} ${arch}, this is ${process.platform} ${process.arch})`,
    () => {
      const folder = join(home, 'inside')
      const driver = join(projectRoot, 'test/e2e/electron-built-driver.ts')
      const out = execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', driver], {
        encoding: 'utf8',
        env: { ...process.env, MARROW_HOME: join(home, 'state'), MARROW_PACKED: folder },
      })
      expect(JSON.parse(out.slice(out.indexOf('{')))).toMatchObject({ page: 200, host: 'electron', sample: 'indexed', ended: true })
    },
  )

  if (platform !== 'linux')
    test(titled('says which archive it runs, so that another is refused'), () => {
      const place = platform === 'mac' ? join(packed.folder, 'Marrow.app/Contents/Info.plist') : packed.program
      expect(readFileSync(place, 'latin1')).toMatch(
        platform === 'mac' ? /ElectronAsarIntegrity[^]*Resources\/app\.asar/ : /resources\\\\app\.asar","alg":"SHA256"/,
      )
    })

  if (platform === 'mac')
    test(titled('is signed anew once the fuses are flipped'), () => {
      expect(packed.signed).toEqual([expect.stringMatching(/^--sign - --force .*Marrow\.app$/)])
      // nothing changed the program after
      expect(readFileSync(join(home, 'signatures.program')).equals(readFileSync(packed.program))).toBe(true)
      // Apple Silicon loads no library without a signature; this one lies where codesign does not look
      expect(hasSignature(readFileSync(join(`${packed.archive}.unpacked`, packed.unpacked[0])))).toBe(true)
    })

  if (platform === 'linux') {
    test(titled('starts in the sandbox, and is found by its window'), () => {
      for (const entry of [packed.told.desktop.AppImage, packed.told.desktop.deb]) {
        expect(entry).toMatch(/^Exec=\S+ %U$/m)
        expect(entry).not.toContain('no-sandbox')
        expect(entry).toMatch(/^Icon=marrow$/m)
        expect(entry).toContain(`StartupWMClass=${basename(manifest.desktopName, '.desktop')}\n`)
      }
      expect(packed.told.debArguments).toContain(manifest.homepage)
      const icons = packed.told.debArguments.filter((argument) => argument.includes('/usr/share/icons/hicolor/'))
      expect(icons.length).toBe(readdirSync(join(projectRoot, 'resources/icons/linux')).length)
    })

    test(titled('is offered for the files that it is associated with'), () => {
      const associations: { ext: string | string[]; mimeType?: string }[] = [
        builderConfig.fileAssociations ?? [],
        builderConfig.linux.fileAssociations ?? [],
      ].flat()
      const types = associations.flatMap(({ mimeType }) => mimeType ?? [])
      for (const entry of Object.values(packed.told.desktop)) {
        const listed = /^MimeType=(.*)$/m.exec(entry)?.[1].split(';').filter(Boolean) ?? []
        expect(listed).toEqual(expect.arrayContaining(types))
      }
      const globs = packed.told.mimeFiles.flatMap((text) => [...text.matchAll(/<glob pattern="([^"]*)"/g)].map(([, glob]) => glob))
      for (const { ext, mimeType } of associations) if (mimeType) for (const one of [ext].flat()) expect(globs).toContain(`*.${one}`)
    })

    test(titled('knows where its updates are'), () => {
      const update = parse(readFileSync(join(packed.resources, 'app-update.yml'), 'utf8'))
      expect(`${update.owner}/${update.repo}`).toBe(/github\.com\/(.+)\.git$/.exec(manifest.repository.url)![1])
      expect(manifest.homepage).toContain(`${update.owner}/${update.repo}`)
    })
  }
})

/** A load command of a 64-bit Mach-O that says where its signature is. */
function hasSignature(bytes: Buffer): boolean {
  const [MAGIC_64, LC_CODE_SIGNATURE] = [0xfeedfacf, 0x1d]
  expect(bytes.readUInt32LE(0)).toBe(MAGIC_64)
  let at = 32
  for (let left = bytes.readUInt32LE(16); left > 0; left--) {
    if (bytes.readUInt32LE(at) === LC_CODE_SIGNATURE) return true
    at += bytes.readUInt32LE(at + 4)
  }
  return false
}
