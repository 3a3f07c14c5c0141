/** Commands for mods as zips. */
import { packageVersion } from '../../services/version.ts'
import { answer, command, flag, required, text, WRITE } from '../command.ts'

export const patchCommands = [
  command({
    name: 'patch export',
    help: 'write a zip of the files that differ from the game, with a manifest; of archives the changed members',
    arguments: { root: required(text('root', "the game's folder")) },
    options: {
      out: required(text('file', 'the zip')),
      mod: text('folder', 'a mod folder (default: files saved in place, against the originals that were kept)'),
      name: text('name', 'name of the mod'),
      force: flag('replace a file that is there'),
    },
    async run({ root, out, mod, name, force }, { store, stateFolder }) {
      const { patchExport, patchExportText } = await import('../patch.ts')
      const options = { out, mod, name, force: force === true, stateFolder, version: packageVersion() }
      return answer(await patchExport(store, root, options), patchExportText)
    },
  }),
  command({
    name: 'patch build',
    help: 'make a mod folder from a zip; what the game changed since is told, and written only with --force',
    arguments: { zip: required(text('zip', 'a patch')) },
    options: {
      game: required(text('folder', "the game's folder")),
      out: required(text('folder', 'the mod folder; made when it is not there')),
      force: flag('write over what the game updated and what stands in the folder'),
      ...WRITE,
    },
    async run({ zip, game, out, force, replaceReadOnly }, { store, signal }) {
      const { patchBuild, patchBuildText } = await import('../patch.ts')
      const report = await patchBuild(store, zip, { game, out, force: force === true, replaceReadOnly, signal: signal() })
      return answer(report, patchBuildText, { failed: report.files.some((file) => !file.written && file.state !== 'same') })
    },
  }),
]
