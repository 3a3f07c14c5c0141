/**
 * Whether the directories of a disc say the same. Dark Cloud reads HD2 and never opens HED, Dark Cloud 2 reads HD4 or HD3 (sources differ):
 * a file that stands elsewhere in one of them is an old state of it for whoever reads that one.
 */
import { SECTOR, endOf, fileKey, placeOf } from './disc-directory.ts'
import { decodeText } from '../codecs/names.ts'
import { baseName } from '../../../../shared/ref.ts'
import { say } from '../texts/index.ts'
import type { Severity } from '../../../../shared/api/errors.ts'
import type { Diagnostics } from '../../format.ts'
import type { Directory } from './disc-directory.ts'

/** Findings of one kind that are told one by one; the rest is counted. */
const MOST_TOLD = 20

class Told {
  private n = 0
  private readonly diagnostics: Diagnostics
  private readonly code: string

  constructor(diagnostics: Diagnostics, code: string) {
    this.diagnostics = diagnostics
    this.code = code
  }

  add(severity: Severity, message: string, path: string): void {
    if (this.n++ < MOST_TOLD) this.diagnostics.add(severity, this.code, message, path)
  }

  end(severity: Severity): void {
    if (this.n > MOST_TOLD)
      this.diagnostics.add(severity, this.code, say('archives.disc.more', { count: this.n - MOST_TOLD, code: this.code }), 'records')
  }
}

/** What one directory says against itself. */
export function checkDirectory({ kind, records, names, numbers }: Directory, diagnostics: Diagnostics): void {
  const apart = new Told(diagnostics, 'level5.disc-sector')
  records.forEach((entry, i) => {
    const name = decodeText(names[i])
    if (entry.offset !== undefined && entry.offset !== placeOf(entry))
      apart.add('error', say('archives.disc.offsetApart', { name, offset: entry.offset, sector: entry.sector! }), `records[${i}].offset`)
    else if (placeOf(entry) % SECTOR !== 0 && entry.size > 0)
      apart.add('error', say('archives.disc.noSector', { name, offset: placeOf(entry) }), `records[${i}].offset`)
    const sectors = Math.ceil(entry.size / SECTOR)
    if (entry.sectors !== undefined && entry.sectors !== sectors)
      apart.add(
        'error',
        say('archives.disc.sectorsApart', { name, count: entry.sectors, wanted: sectors, size: entry.size }),
        `records[${i}].sectors`,
      )
  })
  apart.end('error')
  const twice = new Told(diagnostics, 'level5.disc-twice')
  for (const [key, i] of numbers) {
    if (key.endsWith('\x000')) continue
    const first = records[numbers.get(fileKey(key.slice(0, key.lastIndexOf('\0')), 0))!]
    const told = { name: decodeText(names[i]), kind: kind.toUpperCase() }
    // one reader of a disc found its last file so
    if (placeOf(first) === placeOf(records[i]) && first.size === records[i].size)
      twice.add('info', say('archives.disc.twiceAlike', told), `records[${i}]`)
    else twice.add('warning', say('archives.disc.twice', told), `records[${i}]`)
  }
  twice.end('warning')
}

/** @param all directories over one data file, in the order of `DISC_KINDS`; what is found is said of the first */
export function checkAgreement(all: readonly Directory[], diagnostics: Diagnostics): void {
  const [first, ...others] = all
  const apart = new Told(diagnostics, 'level5.disc-apart')
  const known = new Map<string, Directory>()
  for (const key of first.numbers.keys()) known.set(key, first)
  for (const other of others) {
    const missing: string[] = []
    for (const [key, directory] of known) {
      const i = directory.numbers.get(key)!
      const k = other.numbers.get(key)
      if (k === undefined) {
        missing.push(decodeText(directory.names[i]))
        continue
      }
      const [here, there] = [directory.records[i], other.records[k]]
      if (here.size === there.size && (here.size === 0 || endOf(here) === endOf(there))) continue
      apart.add(
        'error',
        say('archives.disc.apart', {
          name: decodeText(directory.names[i]),
          first: baseName(directory.ref),
          at: placeOf(here),
          size: here.size,
          other: baseName(other.ref),
          place: placeOf(there),
          bytes: there.size,
        }),
        directory === first ? `records[${i}]` : 'records',
      )
    }
    if (missing.length > 0) tellMissing(diagnostics, missing, other)
    const more: string[] = []
    for (const [key, i] of other.numbers) {
      if (known.has(key)) continue
      known.set(key, other)
      more.push(decodeText(other.names[i]))
    }
    if (more.length > 0) tellMissing(diagnostics, more, first, other)
  }
  apart.end('error')
}

function tellMissing(diagnostics: Diagnostics, names: readonly string[], { ref }: Directory, other?: Directory): void {
  const from = other ? baseName(other.ref) : say('archives.disc.theOthers')
  diagnostics.add('warning', 'level5.disc-missing', missingText(names, from, ref), 'records')
}

/** @param names of files that a directory does not have, and others do */
export function missingText(names: readonly string[], from: string, ref: string): string {
  return say('archives.disc.missing', { count: names.length, from, file: baseName(ref), name: names[0] })
}
