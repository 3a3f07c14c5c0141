/** Commands for mods as zips. */
import { packageVersion } from '../../services/version.ts'
import { answer, command, flag, required, text, watchOf, WRITE } from '../command.ts'

export const patchCommands = [
  command({
    name: ['patch', 'export'],
    help: 'commandLine.patch.export.help',
    arguments: { root: required(text('root', 'commandLine.patch.game')) },
    options: {
      out: required(text('file', 'commandLine.patch.export.out')),
      mod: text('folder', 'commandLine.patch.export.mod'),
      name: text('name', 'commandLine.patch.export.name'),
      force: flag('commandLine.force'),
    },
    async run({ root, out, mod, name, force }, { store, stateFolder }) {
      const { patchExport, patchExportText } = await import('../patch.ts')
      const options = { out, mod, name, force: force === true, stateFolder, version: packageVersion() }
      return answer(await patchExport(store, root, options), patchExportText)
    },
  }),
  command({
    name: ['patch', 'build'],
    help: 'commandLine.patch.build.help',
    arguments: { zip: required(text('zip', 'commandLine.patch.build.zip')) },
    options: {
      game: required(text('folder', 'commandLine.patch.game')),
      out: required(text('folder', 'commandLine.patch.build.out')),
      force: flag('commandLine.patch.build.force'),
      loose: flag('commandLine.patch.build.loose'),
      replaceReadOnly: WRITE.replaceReadOnly,
    },
    async run({ zip, game, out, force, loose, replaceReadOnly }, context) {
      const { patchBuild, patchBuildText } = await import('../patch.ts')
      const report = await patchBuild(context.store, zip, {
        game,
        out,
        loose: loose === true,
        force: force === true,
        replaceReadOnly,
        stateFolder: context.stateFolder,
        watch: watchOf(context),
      })
      return answer(report, patchBuildText, { failed: report.files.some((file) => !file.written && file.state !== 'same') })
    },
  }),
]
