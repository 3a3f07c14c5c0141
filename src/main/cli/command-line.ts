/** The commands of `marrow` and their options. Exit status: 0 no failure, 1 a failure, 2 a call that is wrong or not available. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { FormatError } from '../binary/format-error.ts'
import { FileStore } from '../files/store.ts'
import { stateFolder } from '../hosts/state-folder.ts'
import { printable } from '../../shared/printable.ts'
import { info, infoText } from './info.ts'
import { lint, lintText } from './lint.ts'
import { failureOf, failureText, printableOutput, printableReport, printJson, Progress } from './output.ts'
import { roundtrip, roundtripText } from './roundtrip.ts'
import { changeSlices, extractSlice, slices, slicesText } from './slices.ts'
import type { Registry } from '../formats/registry.ts'
import type { Output } from './output.ts'
import type { SliceValues } from '../formats/editing.ts'
import type { SliceChange } from './slices.ts'
import type { FamilyId, LibraryPart } from '../../shared/api/types.ts'

export interface CommandContext {
  output: Output
  store: FileStore
  /** asked for by commands that can be stopped on the way */
  signal: () => AbortSignal
  progress: Progress
  registryModule?: string
  /** where index, originals and journals stand: one place with the application */
  stateFolder: string
}

export interface CommandLineOptions {
  registry?: Registry
  /** URL of a module that exports the same families, for the index worker */
  registryModule?: string
  stateFolder?: string
  signal?: () => AbortSignal
}

const FAMILIES: readonly FamilyId[] = ['level5', 'w3d', 'renderware', 'lostsaga']
const PARTS: readonly LibraryPart[] = ['bones', 'meshes', 'clips', 'slices', 'textures']

/** Of every command that writes the game's files. */
interface WriteArguments {
  json?: boolean
  replaceReadOnly?: boolean
}

interface ExportArguments {
  animation?: string[]
  hidden?: boolean
  lods?: boolean
  visibility?: boolean
  textures: boolean
  to: 'gltf' | 'glb' | 'png'
  out: string
  filter?: string
  family?: FamilyId
  with?: LibraryPart[]
  layout: 'flat' | 'folders'
  tickRate: number
  skip?: boolean
  force?: boolean
  json?: boolean
}

/** Runs one call. @returns the exit status */
export async function runCommandLine(args: readonly string[], raw: Output, options: CommandLineOptions = {}): Promise<number> {
  const store = new FileStore({ registry: options.registry })
  const output = printableOutput(raw)
  const context: CommandContext = {
    output,
    store,
    signal: options.signal ?? (() => new AbortController().signal),
    // draws over itself
    progress: new Progress(raw),
    registryModule: options.registryModule,
    stateFolder: options.stateFolder ?? stateFolder(),
  }
  const json = args.includes('--json')
  let status = 0
  const program = createProgram(context, (value) => {
    status = value
  })
  try {
    await program.parseAsync([...args], { from: 'user' })
    return status
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return 0
      if (json)
        printJson(output, { error: { path: '', code: 'invalid-argument', message: error.message.replace(/^error: /, ''), offset: -1 } })
      return 2
    }
    context.progress.end()
    const failure = failureOf(error, '')
    failure.path = error instanceof FormatError ? error.file : failure.path
    if (json) printJson(output, { error: failure })
    const text = failure.path && !failure.message.includes(failure.path) ? failureText(failure) : failure.message
    output.err(`marrow: ${printable(text)}\n`)
    return failure.code === 'unsupported' || failure.code === 'invalid-argument' ? 2 : 1
  } finally {
    context.progress.end()
    store.close()
  }
}

function createProgram(context: CommandContext, exit: (status: number) => void): Command {
  const { output, store, progress } = context
  /** The report as JSON, or as text with what is told aside of it. */
  const tell = <R>(json: boolean | undefined, report: R, text: (report: R) => string, aside: readonly string[] = []): void => {
    progress.end()
    if (json) return printJson(output, report)
    for (const line of aside) output.err(`${printable(line)}\n`)
    output.out(text(printableReport(report)))
  }
  const program = new Command('marrow')
  program
    .description('Skeletons, skins and animations of old games: look, check, edit, and write back with every unedited byte as it was')
    .version(version(), '-V, --version')
    .exitOverride()
    .configureOutput({ writeOut: (text) => output.out(text), writeErr: (text) => output.err(text) })

  program
    .command('scan')
    .description('index a folder, archives as folders; what did not change since the last scan is not read again')
    .argument('<root>', 'a folder')
    .option('--db <file>', 'the index (default: the one that the application uses)')
    .option('--json', 'print one JSON object')
    .action(async (root: string, options: { db?: string; json?: boolean }) => {
      // the database is loaded for this command only
      const { defaultDatabase, scan, scanText } = await import('./scan.ts')
      const report = await scan(root, {
        db: options.db ?? defaultDatabase(context.stateFolder, root),
        signal: context.signal(),
        registryModule: context.registryModule,
        onProgress: ({ phase, done, total, current }) => progress.show(`${phase} ${done}/${total} ${current}`),
      })
      tell(options.json, report, scanText)
    })

  program
    .command('roundtrip')
    .description('decode and encode every recognised file and archive member, and compare whole bytes')
    .argument('<path...>', 'files, folders, archives or members (archive!member)')
    .option('--json', 'print one JSON object')
    .option('--copy', 'check the path that a save takes')
    .action((paths: string[], options: { json?: boolean; copy?: boolean }) => {
      const report = roundtrip(store, paths, {
        copy: options.copy,
        onProgress: ({ files }, current) => progress.show(`${files} files, ${current}`),
      })
      tell(options.json, report, roundtripText, [
        ...report.notes.map((note) => `skipped ${failureText(note)}`),
        ...report.failures.map(failureText),
      ])
      exit(report.failures.length > 0 ? 1 : 0)
    })

  program
    .command('info')
    .description('what a file is and what is in it, field by field')
    .argument('<file>', 'a file, an archive, or a member (archive!member)')
    .option('--json', 'print one JSON object')
    .action((file: string, options: { json?: boolean }) => {
      const report = info(store, file)
      tell(options.json, report, infoText)
      exit(report.error ? 1 : 0)
    })

  program
    .command('lint')
    .description('what the game will choke on')
    .argument('<path...>', 'files, folders, archives or members (archive!member)')
    .option('--json', 'print one JSON object')
    .action((paths: string[], options: { json?: boolean }) => {
      const report = lint(store, paths, { onProgress: ({ files }, current) => progress.show(`${files} files, ${current}`) })
      tell(options.json, report, lintText)
      exit(report.problems.some((problem) => problem.severity === 'error') ? 1 : 0)
    })

  program
    .command('slices')
    .description("the windows on a model's animations, with the game's numbers")
    .argument('<model>', 'a folder, a pack, or any file of the model')
    .option('--json', 'print one JSON object')
    .action((model: string, options: { json?: boolean }) => {
      const report = slices(store, model)
      tell(options.json, report, slicesText)
    })

  const slice = program.command('slice').description("edit the slices in the game's own files; the first write keeps the original")
  const changed = async (path: string, change: SliceChange, { json, replaceReadOnly }: WriteArguments): Promise<void> => {
    const report = await changeSlices(store, path, change, context.stateFolder, { replaceReadOnly })
    const savedText = ({ saved }: typeof report) =>
      saved.map(({ target, changedBytes }) => `${changedBytes} bytes changed in ${target}\n`).join('') || 'nothing changed\n'
    tell(
      json,
      report,
      (r) => slicesText(r) + savedText(r),
      report.warnings.map((warning) => `warning: ${warning}`),
    )
  }
  slice
    .command('add')
    .description('add a slice')
    .argument('<model>', 'a folder, a pack, or any file of the model')
    .requiredOption('--start <frame>', 'first frame', number)
    .requiredOption('--end <frame>', 'last frame, shown as a pose', number)
    .option('--name <name>', 'its name, where the game keeps names', '')
    .option('--speed <frames>', 'frames per tick', number, 1)
    .option('--at <index>', 'its place in the list (default: the end)', whole)
    .option('--clip <index>', 'the animation that it is a window on', whole, 0)
    .option('--replace-read-only', 'replace files that are write-protected; they stay protected')
    .option('--json', 'print one JSON object')
    .action(
      (
        model: string,
        {
          name,
          start,
          end,
          speed,
          at,
          clip,
          ...rest
        }: { name: string; start: number; end: number; speed: number; at?: number; clip: number } & WriteArguments,
      ) => changed(model, { kind: 'add', at, clip, values: { name, start, end, speed } }, rest),
    )
  slice
    .command('set')
    .description('change a slice')
    .argument('<model>', 'a folder, a pack, or any file of the model')
    .argument('<slice>', 'its number, or its name where only one has it')
    .option('--name <name>', 'new name')
    .option('--start <frame>', 'first frame', number)
    .option('--end <frame>', 'last frame, shown as a pose', number)
    .option('--speed <frames>', 'frames per tick', number)
    .option('--replace-read-only', 'replace files that are write-protected; they stay protected')
    .option('--json', 'print one JSON object')
    .action((model: string, which: string, { json, replaceReadOnly, ...values }: Partial<SliceValues> & WriteArguments) => {
      if (Object.keys(values).length === 0)
        throw new FormatError('invalid-argument', 'nothing to change: give --name, --start, --end or --speed')
      return changed(model, { kind: 'set', slice: which, values }, { json, replaceReadOnly })
    })
  slice
    .command('remove')
    .description('remove a slice; those behind it move up')
    .argument('<model>', 'a folder, a pack, or any file of the model')
    .argument('<slice>', 'its number, or its name where only one has it')
    .option('--replace-read-only', 'replace files that are write-protected; they stay protected')
    .option('--json', 'print one JSON object')
    .action((model: string, which: string, options: WriteArguments) => changed(model, { kind: 'remove', slice: which }, options))
  slice
    .command('extract')
    .description('write one window as an animation file of its own, the poses at its ends evaluated')
    .argument('<model>', 'a folder, a pack, or any file of the model')
    .argument('<slice>', 'its number, or its name where only one has it')
    .option('--out <file>', 'where to (default: named after the slice, in this folder)')
    .option('--force', 'replace a file that is there')
    .option('--json', 'print one JSON object')
    .action(async (model: string, which: string, { out, force, json }: { out?: string; force?: boolean; json?: boolean }) => {
      const report = await extractSlice(store, model, which, out, { stateFolder: context.stateFolder, force: force === true })
      tell(json, report, ({ bytes, file }) => `${bytes} bytes written to ${file}\n`)
    })

  program
    .command('export')
    .description('write a model as glTF or its textures as PNG')
    .argument('<model>', 'a folder, a pack, or any file of the model')
    .addOption(new Option('--to <form>', 'gltf, glb, or png for the textures alone').choices(['gltf', 'glb', 'png']).makeOptionMandatory())
    .requiredOption('--out <folder>', 'where to; made when it is not there')
    .option('--filter <text>', 'only models with these words in their name or path')
    .addOption(new Option('--family <family>', 'only models of a family').choices(FAMILIES))
    .option('--with <parts>', `only models with at least one of each, separated by commas: ${PARTS.join(', ')}`, partList)
    .addOption(
      new Option('--layout <layout>', 'flat: all in one folder; folders: as they stand below the folder that is given')
        .choices(['flat', 'folders'])
        .default('flat'),
    )
    .option('--tick-rate <number>', 'game ticks per second of Level-5 animations', rate, 30)
    .option('--animation <name...>', 'only these slices and clips')
    .option('--hidden', 'meshes that the game does not show too, marked as hidden')
    .option('--lods', 'every level of detail; all but the highest are marked as hidden')
    .option('--visibility', 'when meshes are shown, as animations with KHR_animation_pointer')
    .option('--no-textures', 'materials without pictures')
    .option('--skip', 'leave models out whose files are there')
    .option('--force', 'replace files that are there')
    .option('--json', 'print one JSON object')
    .action(async (model: string, options: ExportArguments) => {
      const { to, out, filter, family, with: has, layout, tickRate, skip, force, json } = options
      const { animation: animations, hidden, lods, visibility, textures } = options
      if (skip && force) throw new FormatError('invalid-argument', 'give --skip or --force, not both')
      const { exportModels, exportText } = await import('./export.ts')
      const report = await exportModels(store, model, {
        to,
        folder: out,
        tickRate,
        parts: { animations, hidden, lods, visibility, textures },
        layout,
        existing: force ? 'replace' : skip ? 'skip' : 'refuse',
        filter: { text: filter, family, has },
        signal: context.signal(),
        onProgress: (done, current) => progress.show(`${done} models, ${current}`),
      })
      tell(json, report, exportText, report.failures.map(failureText))
      exit(report.failures.length > 0 ? 1 : 0)
    })
  program
    .command('import')
    .description(
      'take animations of a glTF file onto the clips and slices of a model, by names of joints; the first write keeps the original',
    )
    .argument('<model>', 'a folder, a pack, or any file of the model')
    .requiredOption('--from <file>', 'a .glb or .gltf file')
    .option('--animation <name>', 'one animation of the file, by name or number (default: each that has a clip or slice of its name)')
    .option('--clip <index>', 'the clip that it goes into', whole)
    .option('--slice <index>', 'the slice that it goes into', whole)
    .option('--map <file>', 'JSON: {"node of the glTF": "joint", "other node": null}; or auto for joints of like names and places')
    .addOption(
      new Option('--timing <which>', "keep the clip's own key times, or take those that the file was sampled at")
        .choices(['keep', 'take'])
        .default('keep'),
    )
    .option('--tolerance <degrees>', 'turns up to this, and ways in proportion, count as rounding (default: 0.02)', rate)
    .option('--tick-rate <number>', 'game ticks per second of Level-5 animations', rate, 30)
    .option('--replace-read-only', 'replace files that are write-protected; they stay protected')
    .option('--json', 'print one JSON object')
    .action(
      async (
        model: string,
        {
          from,
          animation,
          clip,
          slice,
          map,
          timing,
          tolerance,
          tickRate,
          json,
          replaceReadOnly,
        }: {
          from: string
          animation?: string
          clip?: number
          slice?: number
          map?: string
          timing: 'keep' | 'take'
          tolerance?: number
          tickRate: number
        } & WriteArguments,
      ) => {
        if (clip !== undefined && slice !== undefined) throw new FormatError('invalid-argument', 'give --clip or --slice, not both')
        const { importFrom, importText } = await import('./import.ts')
        const report = await importFrom(store, model, {
          from,
          animation,
          clip,
          slice,
          mapFile: map,
          timing,
          tolerance,
          tickRate,
          replaceReadOnly,
          stateFolder: context.stateFolder,
        })
        tell(json, report, importText)
      },
    )

  const texture = program.command('texture').description('one texture of a model or a dictionary, as a PNG and from one')
  texture
    .command('list')
    .description('the textures of a model: size, how they are stored')
    .argument('<model>', 'a folder, a pack, any file of the model, or a texture dictionary')
    .option('--json', 'print one JSON object')
    .action(async (model: string, { json }: { json?: boolean }) => {
      const { listTextures, texturesText } = await import('./texture.ts')
      const report = await listTextures(store, model, context.stateFolder)
      tell(json, report, texturesText)
    })
  texture
    .command('get')
    .description('write a texture as PNG')
    .argument('<model>', 'a folder, a pack, any file of the model, or a texture dictionary')
    .argument('<name>', 'name of the texture')
    .argument('<file>', 'the PNG')
    .option('--force', 'replace a file that is there')
    .option('--json', 'print one JSON object')
    .action(async (model: string, name: string, file: string, { force, json }: { force?: boolean; json?: boolean }) => {
      const { getTexture } = await import('./texture.ts')
      const report = await getTexture(store, model, name, file, { force: force === true, stateFolder: context.stateFolder })
      tell(json, report, (r) => `${r.texture}: ${r.width} x ${r.height} written to ${r.file}\n`)
    })
  texture
    .command('set')
    .description("put a PNG in the place of a texture, stored in the texture's own format; the first write keeps the original")
    .argument('<model>', 'a folder, a pack, any file of the model, or a texture dictionary')
    .argument('<name>', 'name of the texture')
    .argument('<file>', 'a PNG')
    .option('--replace-read-only', 'replace files that are write-protected; they stay protected')
    .option('--json', 'print one JSON object')
    .action(async (model: string, name: string, file: string, { json, replaceReadOnly }: WriteArguments) => {
      const { setTexture, textureSetText } = await import('./texture.ts')
      const report = await setTexture(store, model, name, file, context.stateFolder, { replaceReadOnly })
      tell(json, report, textureSetText)
    })

  const patch = program.command('patch').description('a mod as a zip of what changed, and a mod folder from such a zip')
  patch
    .command('export')
    .description('write a zip of the files that differ from the game, with a manifest; of archives the changed members')
    .argument('<root>', "the game's folder")
    .requiredOption('--out <file>', 'the zip')
    .option('--mod <folder>', 'a mod folder (default: files saved in place, against the originals that were kept)')
    .option('--name <name>', 'name of the mod')
    .option('--force', 'replace a file that is there')
    .option('--json', 'print one JSON object')
    .action(
      async (
        root: string,
        { out, mod, name, force, json }: { out: string; mod?: string; name?: string; force?: boolean; json?: boolean },
      ) => {
        const { patchExport, patchExportText } = await import('./patch.ts')
        const report = await patchExport(store, root, {
          out,
          mod,
          name,
          force: force === true,
          stateFolder: context.stateFolder,
          version: version(),
        })
        tell(json, report, patchExportText)
      },
    )
  patch
    .command('build')
    .description('make a mod folder from a zip; what the game changed since is told, and written only with --force')
    .argument('<zip>', 'a patch')
    .requiredOption('--game <folder>', "the game's folder")
    .requiredOption('--out <folder>', 'the mod folder; made when it is not there')
    .option('--force', 'write over what the game updated and what stands in the folder')
    .option('--replace-read-only', 'replace files that are write-protected; they stay protected')
    .option('--json', 'print one JSON object')
    .action(
      async (zip: string, { game, out, force, json, replaceReadOnly }: { game: string; out: string; force?: boolean } & WriteArguments) => {
        const { patchBuild, patchBuildText } = await import('./patch.ts')
        const report = await patchBuild(store, zip, { game, out, force: force === true, replaceReadOnly, signal: context.signal() })
        tell(json, report, patchBuildText)
        exit(report.files.some((file) => !file.written && file.state !== 'same') ? 1 : 0)
      },
    )

  program
    .command('serve')
    .description('open the workbench in a browser, from this machine only, until it is stopped')
    .argument('[root]', 'a folder to open')
    .option('--port <number>', 'port (default: any that is free)', whole, 0)
    .option('--allow <folder...>', 'further folders that the window may use, beside the home folder and mounted media')
    .action(async (root: string | undefined, { port, allow }: { port: number; allow?: string[] }) => {
      if (port > 65_535) throw new FormatError('invalid-argument', `${port} is no port`)
      const [{ serve }, { tellAddress }] = await Promise.all([import('./serve.ts'), import('../hosts/web/terminal.ts')])
      await serve({
        root,
        port,
        places: allow,
        stateFolder: context.stateFolder,
        version: version(),
        signal: context.signal(),
        onListening: (host) => tellAddress(host, { print: (text) => output.out(text), input: process.stdin }),
      })
    })

  return program
}

function number(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value)) throw new InvalidArgumentError('not a number')
  return value
}

function partList(text: string): LibraryPart[] {
  const parts = text.split(',').map((part) => part.trim())
  const wrong = parts.find((part) => !(PARTS as readonly string[]).includes(part))
  if (wrong !== undefined) throw new InvalidArgumentError(`${wrong || 'nothing'} is none of ${PARTS.join(', ')}`)
  return parts as LibraryPart[]
}

function rate(text: string): number {
  const value = number(text)
  if (value < 1 || value > 240) throw new InvalidArgumentError(`${value} ticks per second are outside 1 to 240`)
  return value
}

function whole(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('not a whole number')
  return Number(text)
}

function version(): string {
  const text = readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
