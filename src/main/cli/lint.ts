/** `marrow lint`: what the games will choke on, told by the rules of each family. */
import { resolve } from 'node:path'
import { MemoryNeighbourhood } from '../files/memory-neighbourhood.ts'
import { readForDecoding } from '../files/open-document.ts'
import { failureOf, isRefusal } from './output.ts'
import { filesGiven } from './files.ts'
import type { Diagnostic } from '../../shared/api/errors.ts'
import type { FileStore } from '../files/store.ts'
import type { ModelBinding } from '../formats/format.ts'

export interface LintReport {
  /** recognised files that were looked at */
  files: number
  problems: { path: string; code: string; severity: string; message: string; field: string; offset: number }[]
}

export interface LintOptions {
  onProgress?: (report: Readonly<LintReport>, current: string) => void
}

/** Families judge a file with what stands around it: below a folder that is given, beside a file that is given. */
export function lint(store: FileStore, paths: readonly string[], options: LintOptions = {}): LintReport {
  const report: LintReport = { files: 0, problems: [] }
  const add = (path: string, { code, severity, message, path: field, offset }: Omit<Diagnostic, 'ref'>): void => {
    report.problems.push({ path, code, severity, message, field, offset })
  }
  const fail = (path: string, error: unknown): void => {
    const { code, message, offset } = failureOf(error, path)
    add(path, { code, severity: isRefusal(error) ? 'info' : 'error', message, path: '', offset })
  }
  const seen = new Set<string>()
  for (const path of paths) {
    let surroundings: Surroundings | undefined
    const check = (ref: string): void => {
      options.onProgress?.(report, ref)
      if (seen.has(ref)) return
      seen.add(ref)
      try {
        const found = store.identify(ref)
        if (!found) return
        report.files++
        if (found.archive) {
          const open = store.openArchive(ref)!
          for (const diagnostic of open.index.diagnostics) add(ref, diagnostic)
          for (const m of open.members) check(m.ref)
          return
        }
        surroundings ??= new Surroundings(store, path)
        const { format, bytes } = readForDecoding(store, ref)
        const document = format.decode(bytes, ref)
        for (const diagnostic of document.diagnostics) add(ref, diagnostic)
        const family = store.registry.familyById(format.family)
        const { around } = surroundings
        const problems =
          family?.lint(document, { around, load: (other) => around.document(other), binding: surroundings.bindingOf(ref) }) ?? []
        for (const diagnostic of problems) add(diagnostic.ref || ref, diagnostic)
      } catch (error) {
        fail(ref, error)
      }
    }
    for (const ref of filesGiven(store, [path], fail)) check(store.container(ref) === undefined ? resolve(ref) : ref)
  }
  return report
}

/** Where the files of one argument stand, and the models that they make; built when first needed. */
class Surroundings {
  readonly around: MemoryNeighbourhood
  private readonly store: FileStore
  private readonly bindings = new Map<string, ModelBinding>()
  private readonly bound = new Set<string>()
  private readonly whole: boolean

  constructor(store: FileStore, path: string) {
    this.store = store
    this.whole = store.isFolder(path) && store.container(path) === undefined
    this.around = this.whole ? MemoryNeighbourhood.of(store, path) : MemoryNeighbourhood.around(store, path)
  }

  /** Models of the file's own folder come first: looking through all folders is only for files that none of these has. */
  bindingOf(ref: string): ModelBinding | undefined {
    this.bind(this.store.folderOf(ref))
    if (!this.bindings.has(ref)) for (const folder of this.whole ? this.around.allFolders() : this.around.nearFolders()) this.bind(folder)
    return this.bindings.get(ref)
  }

  private bind(folder: string): void {
    if (this.bound.has(folder)) return
    this.bound.add(folder)
    for (const family of this.store.registry.families) {
      let models: ModelBinding[] = []
      try {
        models = family.bind(folder, this.around)
      } catch {
        // a binder that fails leaves its files to be judged one by one
      }
      for (const model of models)
        for (const member of model.members)
          if (!this.bindings.has(member.ref) || member.ref === model.primary) this.bindings.set(member.ref, model)
    }
  }
}

export function lintText(report: LintReport): string {
  const lines = report.problems.map(
    ({ path, code, severity, message, field, offset }) =>
      `${path}: ${severity}: ${message} [${code}${field ? ` ${field}` : ''}${offset >= 0 ? ` @${offset}` : ''}]`,
  )
  lines.push(`${report.files} files, ${report.problems.length} problems`)
  return `${lines.join('\n')}\n`
}
