/** What the rules find in files as they were saved, each judged with what stands around it: one code for the command line and the window. */
import { readForDecoding } from '../files/open-document.ts'
import type { FileStore } from '../files/store.ts'
import type { Family, LintModel } from '../formats/family.ts'
import type { Document, FileFormat } from '../formats/format.ts'
import type { Diagnostic } from '../../shared/api/errors.ts'
import type { Baseline } from './lint-baseline.ts'
import type { OpenModel } from '../workspace/open-model.ts'
import type { ModelFinder, Surroundings } from './model-finder.ts'

export interface JudgeOptions {
  /** which findings count */
  counts: (found: Diagnostic) => boolean
  /** what stood there before, for rules that look at it */
  baseline?: Baseline
  /** only what is new since then is told */
  onlyNew?: boolean
  /** files that were judged already */
  seen?: Set<string>
}

/** A file, or a member of an archive, that was looked at. */
export interface Judged {
  ref: string
  /** a format knows it */
  recognised: boolean
  found: Diagnostic[]
  /** why it could not be judged */
  error?: unknown
}

/** @param start what was given: the files stand below it, or are it @throws FormatError where it cannot be looked at */
export function* judged(
  { store, finder }: { store: FileStore; finder: ModelFinder },
  start: string,
  files: Iterable<string>,
  { counts, baseline, onlyNew = false, seen = new Set() }: JudgeOptions,
): Generator<Judged> {
  let surroundings: Surroundings | undefined

  /** @returns members of an archive, which are judged in their turn */
  function look(ref: string, into: Judged): readonly string[] {
    const found = store.identify(ref)
    if (!found) return []
    into.recognised = true
    if (found.archive) {
      const open = store.openArchive(ref)!
      into.found.push(...open.index.diagnostics.filter(counts))
      // the files of another directory over the same data are judged once
      return !open.leader || ref === start ? open.members.map((member) => member.ref) : []
    }
    surroundings ??= finder.surroundings(start)
    const { format, bytes } = readForDecoding(store, finder.source(ref))
    const before = baseline?.(ref)
    // a file that was never changed has nothing new
    if (onlyNew && !before) return []
    const family = store.registry.familyById(format.family)
    const { around } = surroundings
    const load = (other: string) => around.document(finder.source(other))
    const model: LintModel = { around, load, binding: surroundings.modelOf(ref)?.binding }
    const judge = (body: Uint8Array, original?: Document): Diagnostic[] => {
      const document = format.decode(body, ref)
      return [...document.diagnostics, ...(family?.lint(document, { ...model, original }) ?? [])].filter(counts)
    }
    const now = judge(bytes, originalOf(family, format, ref, bytes, before))
    into.found.push(...(onlyNew && before ? newSince(now, () => judge(before)) : now))
    return []
  }

  function* inTurn(ref: string): Generator<Judged> {
    if (seen.has(ref)) return
    seen.add(ref)
    const own: Judged = { ref, recognised: false, found: [] }
    let members: readonly string[] = []
    try {
      members = look(ref, own)
    } catch (error) {
      own.error = error
    }
    yield own
    for (const member of members) yield* inTurn(member)
  }

  for (const file of files) yield* inTurn(file)
}

/** Whether there are rules that look at what a file was. */
export function looksBack(family: Family | undefined, { id }: FileFormat): boolean {
  return family?.judgedByOriginal?.includes(id) === true
}

/** The document that a file was, where it is another now; undefined for one that nobody knows, or that cannot be read. */
export function originalOf(
  family: Family | undefined,
  format: FileFormat,
  ref: string,
  now: Uint8Array,
  before: Uint8Array | undefined,
): Document | undefined {
  if (!looksBack(family, format) || !before || before.length === 0 || Buffer.compare(before, now) === 0) return undefined
  try {
    return format.decode(before, ref)
  } catch {
    return undefined
  }
}

/** What was not found before. @param before an original that cannot be read had nothing that is known */
export function newSince(now: readonly Diagnostic[], before: () => readonly Diagnostic[]): Diagnostic[] {
  let old: readonly Diagnostic[] = []
  try {
    old = before()
  } catch {
    // all of it is new
  }
  const known = new Set(old.map(sameAs))
  return now.filter((found) => !known.has(sameAs(found)))
}

/** What makes a finding the one that was there before: where it stands in the bytes may have moved. */
export function sameAs({ code, path, message }: Diagnostic): string {
  return [code, path, message].join('\0')
}

/** All that was found in files, and of the scene that is made of them what no rule says of the file already. */
export function withScene(found: readonly Diagnostic[], scene: readonly Diagnostic[]): Diagnostic[] {
  const words = ({ code, ref, message }: Diagnostic): string => [code, ref, message].join('\0')
  const said = new Set(found.map(words))
  return [...found, ...scene.filter((one) => !said.has(words(one)))]
}

/** What rules look up in other files of an open model. */
export function lintModelOf(model: OpenModel, original?: Document): LintModel {
  return { binding: model.binding, around: model.around, load: (ref) => model.document(ref), original }
}
