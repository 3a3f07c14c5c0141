/** The command that opens the workbench in a browser. */
import { FormatError } from '../../binary/format-error.ts'
import { packageVersion } from '../../services/version.ts'
import { command, several, text, whole, withDefault } from '../command.ts'
import { say } from '../../../shared/texts/say.ts'

export const serveCommand = command({
  name: ['serve'],
  help: 'commandLine.serve.help',
  arguments: { root: text('root', 'commandLine.serve.root') },
  options: {
    port: withDefault(whole('number', 'commandLine.serve.port'), 0),
    allow: several(text('folder', 'commandLine.serve.allow')),
  },
  json: false,
  async run({ root, port, allow }, { output, stateFolder, signal, registry, registryModule }) {
    if (port > 65_535) throw new FormatError('invalid-argument', say('commandLine.serve.noPort', { port }))
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
