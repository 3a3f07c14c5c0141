/** Commands for the members of an archive. */
import { answer, command, flag, required, several, text, WRITE } from '../command.ts'
import { printableReport } from '../output.ts'
import { say } from '../../../shared/texts/say.ts'
import type { Answer, CommandContext } from '../command.ts'
import type { ArchiveLeave, ArchiveWish } from '../archive.ts'

const ARCHIVE = required(text('archive', 'commandLine.archive.archive'))
const NAME = required(text('name', 'commandLine.archive.name'))
const FILE = required(text('file', 'commandLine.archive.add.file'))
const CHANGE = {
  dryRun: flag('commandLine.archive.dryRun'),
  out: text('file', 'commandLine.archive.out'),
  force: flag('commandLine.force'),
  ...WRITE,
}

async function change(archive: string, wish: ArchiveWish, leave: ArchiveLeave, context: CommandContext): Promise<Answer> {
  const { changeArchive, changeText, planText } = await import('../archive.ts')
  const tell = (report: Parameters<typeof planText>[0]): void => context.output.err(planText(printableReport(report)))
  const watch = {
    signal: context.signal(),
    onProgress: (done: number, all: number, pass: 'write' | 'read') =>
      context.progress.show(say(pass === 'write' ? 'archiveEdits.copying' : 'archiveEdits.reading', { done, all })),
  }
  return answer(await changeArchive(await context.models(), archive, wish, leave, tell, watch), changeText)
}

export const archiveCommands = [
  command({
    name: ['archive', 'list'],
    help: 'commandLine.archive.list.help',
    arguments: { archive: ARCHIVE },
    options: { filter: text('text', 'commandLine.archive.filter') },
    async run({ archive, filter }, { store }) {
      const { listArchive, listText } = await import('../archive.ts')
      return answer(listArchive(store, archive, filter), listText)
    },
  }),
  command({
    name: ['archive', 'extract'],
    help: 'commandLine.archive.extract.help',
    arguments: { archive: ARCHIVE, names: several(text('name', 'commandLine.archive.extract.names')) },
    options: {
      out: required(text('folder', 'commandLine.archive.extract.out')),
      filter: text('text', 'commandLine.archive.filter'),
      force: flag('commandLine.archive.extract.force'),
    },
    async run({ archive, names, out, filter, force }, { store, signal, progress }) {
      const { extractArchive, extractText } = await import('../archive.ts')
      const report = await extractArchive(store, archive, names ?? [], {
        out,
        filter,
        force: force === true,
        signal: signal(),
        onProgress: (current) => progress.show(current),
      })
      return answer(report, extractText, { failed: report.failures.length > 0 })
    },
  }),
  command({
    name: ['archive', 'add'],
    help: 'commandLine.archive.add.help',
    arguments: { archive: ARCHIVE, file: FILE },
    options: { name: text('name', 'commandLine.archive.add.name'), ...CHANGE },
    run: ({ archive, file, name, ...leave }, context) => change(archive, { kind: 'add', file, name }, leave, context),
  }),
  command({
    name: ['archive', 'replace'],
    help: 'commandLine.archive.replace.help',
    arguments: { archive: ARCHIVE, name: NAME, file: FILE },
    options: CHANGE,
    run: ({ archive, name, file, ...leave }, context) => change(archive, { kind: 'replace', name, file }, leave, context),
  }),
  command({
    name: ['archive', 'put'],
    help: 'commandLine.archive.put.help',
    arguments: { archive: ARCHIVE, folder: required(text('folder', 'commandLine.archive.put.folder')) },
    options: CHANGE,
    run: ({ archive, folder, ...leave }, context) => change(archive, { kind: 'put', folder }, leave, context),
  }),
  command({
    name: ['archive', 'rename'],
    help: 'commandLine.archive.rename.help',
    arguments: { archive: ARCHIVE, name: NAME, to: required(text('new', 'commandLine.archive.rename.to')) },
    options: CHANGE,
    run: ({ archive, name, to, ...leave }, context) => change(archive, { kind: 'rename', name, to }, leave, context),
  }),
  command({
    name: ['archive', 'remove'],
    help: 'commandLine.archive.remove.help',
    arguments: { archive: ARCHIVE, name: NAME },
    options: CHANGE,
    run: ({ archive, name, ...leave }, context) => change(archive, { kind: 'remove', name }, leave, context),
  }),
]
