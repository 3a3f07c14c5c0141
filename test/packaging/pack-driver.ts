/**
 * A program: packs the application with electron-builder.yml as it is, onto a stand-in for Electron's distribution, and prints what the installers would
 * be told. Arguments: platform (linux, win, mac), architecture, folder of the distribution, folder for the result.
 */
import { readFileSync } from 'node:fs'
import { Arch, build, Platform } from 'electron-builder'
import { projectRoot } from '../../scripts/lib/build.mjs'

const [platform, arch, electronDist, output] = process.argv.slice(2)
const on = { linux: Platform.LINUX, win: Platform.WINDOWS, mac: Platform.MAC }[platform]!
/** AppImage and deb of Linux are computed up to where their tools would be loaded; elsewhere the folder is all */
const targets = platform === 'linux' ? ['AppImage', 'deb'] : ['dir']

const desktop: Record<string, string> = {}
const mimeFiles: string[] = []
let debArguments: string[] = []

await build({
  projectDir: projectRoot,
  targets: on.createTarget(targets, Arch[arch as keyof typeof Arch]),
  publish: 'never',
  config: { electronDist, directories: { output } },
  effectiveOptionComputed: async (options: any) => {
    if (!Array.isArray(options)) desktop.AppImage = options.desktop
    else {
      debArguments = options[0]
      desktop.deb = readFileSync(options[1], 'utf8')
      for (const argument of debArguments) {
        const [from, to] = argument.split('=')
        if (to?.startsWith('/usr/share/mime/packages/')) mimeFiles.push(readFileSync(from, 'utf8'))
      }
    }
    return true
  },
} as Parameters<typeof build>[0])
// after whatever electron-builder logs
console.log(`\n${JSON.stringify({ desktop, mimeFiles, debArguments })}`)
