/** The command that opens the workbench in a browser. */
import { FormatError } from '../../binary/format-error.ts'
import { packageVersion } from '../../services/version.ts'
import { command, several, text, whole, withDefault } from '../command.ts'

export const serveCommand = command({
  name: 'serve',
  help: 'open the workbench in a browser, from this machine only, until it is stopped',
  arguments: { root: text('root', 'a folder to open') },
  options: {
    port: withDefault(whole('number', 'port (default: any that is free)'), 0),
    allow: several(text('folder', 'further folders that the window may use, beside the home folder and mounted media')),
  },
  json: false,
  async run({ root, port, allow }, { output, stateFolder, signal, registry, registryModule }) {
    if (port > 65_535) throw new FormatError('invalid-argument', `${port} is no port`)
    const [{ serve }, { tellAddress }] = await Promise.all([import('../serve.ts'), import('../../hosts/web/terminal.ts')])
    await serve({
      root,
      port,
      places: allow,
      stateFolder,
      registry,
      registryModule,
      version: packageVersion(),
      signal: signal(),
      onListening: (host) => tellAddress(host, { print: (line) => output.out(line), input: process.stdin }),
    })
    return undefined
  },
})
