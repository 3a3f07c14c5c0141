/** As much of an Electron distribution as electron-builder looks at: its files by name, and a fuse wire in the program. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { NtExecutable, NtExecutableResource, Resource } from 'resedit'

export type PackedPlatform = 'linux' | 'win' | 'mac'

/** https://www.electronjs.org/docs/latest/tutorial/fuses: sentinel, version, count, then one byte each, `0` off or `1` on */
const FUSE_SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'
const FUSE_VERSION = 1
/** as Electron's own binaries carry it: one fuse more than the packager knows */
export const FACTORY_WIRE = '101100011'

const wire = Buffer.concat([Buffer.from(FUSE_SENTINEL), Buffer.from([FUSE_VERSION, FACTORY_WIRE.length]), Buffer.from(FACTORY_WIRE)])
const program = Buffer.concat([Buffer.from('a program '), wire, Buffer.from(' and its end')])

/** The state bytes behind the sentinel. */
export function readFuses(bytes: Buffer): string {
  const at = bytes.indexOf(FUSE_SENTINEL)
  if (at < 0) throw new Error('there is no fuse wire')
  const from = at + FUSE_SENTINEL.length + 2
  return bytes.toString('latin1', from, from + bytes[from - 1])
}

/** Makes the distribution in `folder`. */
export function makeDistribution(folder: string, platform: PackedPlatform, version: string): void {
  const put = (path: string, content: string | Buffer, mode = 0o644) => {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
    chmodSync(file, mode)
  }
  put('version', version)
  put('LICENSE', 'the licence of Electron')
  put('LICENSES.chromium.html', 'the licences of Chromium')
  if (platform === 'mac') return makeBundle(put)
  put('locales/en-US.pak', 'texts')
  mkdirSync(join(folder, 'resources'))
  if (platform === 'linux') {
    put('electron', program, 0o755)
    put('chrome-sandbox', 'the setuid sandbox', 0o755)
  } else put('electron.exe', windowsProgram(), 0o755)
}

/** A program of Windows with a version to edit. */
function windowsProgram(): Buffer {
  const executable = NtExecutable.createEmpty(false, false)
  const resource = NtExecutableResource.from(executable)
  const version = Resource.VersionInfo.createEmpty()
  const language = { lang: 1033, codepage: 1200 }
  version.setFileVersion(1, 0, 0, 0, language.lang)
  version.setStringValues(language, { ProductName: 'Electron', FileDescription: 'Electron' })
  version.outputToResourceEntries(resource.entries)
  resource.outputResource(executable)
  executable.setExtraData(program)
  return Buffer.from(executable.generate())
}

function makeBundle(put: (path: string, content: string | Buffer, mode?: number) => void): void {
  const bundle = (path: string, name: string) => {
    const keys = { CFBundleName: name, CFBundleExecutable: name, CFBundleIdentifier: 'com.github.Electron', CFBundleVersion: '1.0' }
    const entries = Object.entries(keys).map(([key, value]) => `<key>${key}</key><string>${value}</string>`)
    put(`${path}/Contents/Info.plist`, `<?xml version="1.0"?><plist version="1.0"><dict>${entries.join('')}</dict></plist>`)
    put(`${path}/Contents/MacOS/${name}`, 'a program', 0o755)
  }
  const frameworks = 'Electron.app/Contents/Frameworks'
  bundle('Electron.app', 'Electron')
  for (const helper of ['', ' (GPU)', ' (Plugin)', ' (Renderer)'])
    bundle(`${frameworks}/Electron Helper${helper}.app`, `Electron Helper${helper}`)
  put(`${frameworks}/Electron Framework.framework/Electron Framework`, program, 0o755)
  put('Electron.app/Contents/Resources/electron.icns', 'a picture')
}
