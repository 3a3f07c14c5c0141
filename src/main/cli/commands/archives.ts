/** Commands for the members of an archive. */
import { FormatError } from '../../binary/format-error.ts'
import { answer, choice, command, flag, required, several, text, watchOf, WRITE } from '../command.ts'
import { printableReport, problemText } from '../output.ts'
import { say } from '../../../shared/texts/say.ts'
import type { Answer, CommandContext, Value } from '../command.ts'
import type { ArchiveLeave, ArchiveWish, MovePlace } from '../archive.ts'

const ARCHIVE = required(text('archive', 'commandLine.archive.archive'))
const NAME = required(text('name', 'commandLine.archive.name'))
const FILE = required(text('file', 'commandLine.archive.add.file'))
const FORMAT: Value<string | undefined> = {
  ...text('format', 'commandLine.archive.new.format'),
  choices: ({ families }) =>
    families.flatMap(({ archives }) => archives.flatMap((one) => (one.make ? (one.makes ?? [one]).map(({ id }) => id) : []))),
}
const CHANGE = {
  dryRun: flag('commandLine.archive.dryRun'),
  out: text('file', 'commandLine.archive.out'),
  force: flag('commandLine.force'),
  ...WRITE,
}

async function change(archive: string, wish: ArchiveWish, leave: ArchiveLeave, context: CommandContext): Promise<Answer> {
  const { changeArchive, changeText, planText } = await import('../archive.ts')
  const tell = (report: Parameters<typeof planText>[0]): void => context.output.err(planText(printableReport(report)))
  return answer(await changeArchive(await context.models(), archive, wish, leave, tell, watchOf(context)), changeText)
}

export const archiveCommands = [
  command({
    name: ['archive', 'list'],
    help: 'commandLine.archive.list.help',
    arguments: { archive: ARCHIVE },
    options: { filter: text('text', 'commandLine.archive.filter') },
    async run({ archive, filter }, { store }) {
      const { listArchive, listText } = await import('../archive.ts')
      const report = listArchive(store, archive, filter)
      return answer(report, listText, { aside: report.diagnostics.map(problemText) })
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
      const { extractArchive } = await import('../../workspace/archive-extract.ts')
      const { extractText } = await import('../archive.ts')
      const report = await extractArchive(store, archive, names ?? [], {
        out,
        filter,
        force: force === true,
        signal: signal(),
        onProgress: (current, done, all) => progress.show(say('archiveEdits.extracting', { done, all, name: current })),
      })
      const { diagnostics } = store.openArchive(report.archive)!.index
      return answer({ ...report, diagnostics }, extractText, {
        aside: diagnostics.map(problemText),
        failed: report.failures.length > 0,
      })
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
  command({
    name: ['archive', 'reorder'],
    help: 'commandLine.archive.reorder.help',
    arguments: { archive: ARCHIVE, names: several(text('name', 'commandLine.archive.reorder.names')) },
    options: {
      before: text('name', 'commandLine.archive.reorder.before'),
      after: text('name', 'commandLine.archive.reorder.after'),
      first: flag('commandLine.archive.reorder.first'),
      last: flag('commandLine.archive.reorder.last'),
      by: choice('order', 'commandLine.archive.reorder.by', ['name', 'place'] as const),
      ...CHANGE,
    },
    run({ archive, names = [], before, after, first, last, by, ...leave }, context) {
      const places: MovePlace[] = [
        ...(before === undefined ? [] : [{ before }]),
        ...(after === undefined ? [] : [{ after }]),
        ...(first ? [{ end: 'first' } as const] : []),
        ...(last ? [{ end: 'last' } as const] : []),
        ...(by ? [{ by }] : []),
      ]
      const [to] = places
      if (places.length !== 1 || (names.length === 0) !== (by !== undefined))
        throw new FormatError('invalid-argument', say('archiveEdits.onePlace'))
      return change(archive, { kind: 'reorder', names, to }, leave, context)
    },
  }),
  command({
    name: ['archive', 'rebuild'],
    help: 'commandLine.archive.rebuild.help',
    arguments: { archive: ARCHIVE },
    options: CHANGE,
    run: ({ archive, ...leave }, context) => change(archive, { kind: 'rebuild' }, leave, context),
  }),
  command({
    name: ['archive', 'new'],
    help: 'commandLine.archive.new.help',
    arguments: {
      archive: required(text('archive', 'commandLine.archive.new.archive')),
      files: several(text('file', 'commandLine.archive.new.files')),
    },
    options: {
      format: FORMAT,
      dryRun: flag('commandLine.archive.dryRun'),
    },
    async run({ archive, files = [], format, dryRun }, context) {
      const { newArchive, newArchiveText } = await import('../archive.ts')
      const tell = (report: Parameters<typeof newArchiveText>[0]): void => context.output.err(newArchiveText(printableReport(report)))
      return answer(await newArchive(context.store, archive, files, { format, dryRun }, tell, watchOf(context)), (report) =>
        report.written.length > 0 ? `${report.written.join('\n')}\n` : `${newArchiveText(report)}${say('archiveEdits.plan.dry')}\n`,
      )
    },
  }),
]
