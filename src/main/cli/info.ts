/** `marrow info`: what a file is and what is in it. */
import { readForDecoding } from '../files/open-document.ts'
import { decodeVerified } from '../formats/format.ts'
import { bytesText, failureOf, failureText, problemText } from './output.ts'
import type { Diagnostic } from '../../shared/api/errors.ts'
import type { FileStore } from '../files/store.ts'
import type { FileSummary, StructureNode } from '../formats/format.ts'
import type { Failure } from './output.ts'
import { say } from '../../shared/texts/say.ts'

export interface InfoReport {
  path: string
  size: number
  /** null where no format knows the file */
  format: string | null
  label: string
  family: string | null
  kind: string
  /** why it can be looked at but not changed; empty when it can */
  readOnly: string
  diagnostics: Diagnostic[]
  summary?: FileSummary
  structure?: StructureNode
  /** archives of the same folder in the order in which the game searches them, where it has one */
  loadOrder?: string[]
  /** of the data file of an archive in two parts: the file that names its members */
  directory?: string
  /** of an archive */
  members?: { path: string; name: string; offset: number; size: number; format: string | null }[]
  /** how many of each are not listed, since there are more than can be printed */
  left?: { members: number; nodes: number }
  error?: Failure
}

/** Members and nodes that are listed: a text of JSON has an end, and nobody reads so many. */
const MOST_MEMBERS = 100_000
const MOST_NODES = 50_000

/** @throws FormatError where there is no such file; one that cannot be decoded is a report with `error` */
export function info(store: FileStore, ref: string): InfoReport {
  const report: InfoReport = {
    path: ref,
    size: store.stat(ref).size,
    format: null,
    label: say('reports.info.unknown'),
    family: null,
    kind: 'other',
    readOnly: '',
    diagnostics: [],
  }
  try {
    // what is in a data file, its directory knows
    const archive = store.archiveOfData(ref)
    if (archive !== ref) report.directory = archive
    const found = store.identify(archive)
    if (found?.archive) {
      Object.assign(report, {
        format: found.archive.id,
        label: found.archive.label,
        family: found.archive.family,
        kind: 'archive',
        readOnly: found.archive.readOnly ?? '',
      })
      const open = store.openArchive(archive)!
      report.diagnostics = open.index.diagnostics
      report.members = open.members
        .slice(0, MOST_MEMBERS)
        .map(({ ref: path, key, offset, size }) => ({ path, name: key, offset, size, format: formatOf(store, path) }))
      report.structure = found.archive.describe(open.index)
      leftOut(report, open.members.length - report.members.length)
      const { archive: format } = found
      if (format.loadOrder)
        report.loadOrder = format.loadOrder(
          store
            .list(store.folderOf(ref))
            .filter((f) => f.archive && store.identify(f.ref)?.archive?.id === format.id)
            .map((f) => f.name),
        )
    } else if (found?.format) {
      Object.assign(report, { format: found.format.id, label: found.format.label, family: found.format.family, kind: found.format.kind })
      const { format, bytes } = readForDecoding(store, ref)
      const document = decodeVerified(format, bytes, ref)
      report.readOnly = document.readOnly || store.readOnly(ref)
      report.diagnostics = document.diagnostics
      report.summary = format.summarize(document)
      report.structure = format.describe(document)
      leftOut(report, 0)
    }
  } catch (error) {
    report.error = failureOf(error, ref)
  }
  return report
}

/** Cuts the tree, parents before their children, and says how much is missing. */
function leftOut(report: InfoReport, members: number): void {
  let nodes = 0
  let level = report.structure ? [report.structure] : []
  for (let seen = level.length; level.length > 0;) {
    const next: StructureNode[] = []
    for (const node of level) {
      const room = Math.max(0, MOST_NODES - seen)
      if (node.children.length > room) {
        nodes += node.children.slice(room).reduce((sum, child) => sum + countNodes(child), 0)
        node.children = node.children.slice(0, room)
      }
      seen += node.children.length
      for (const child of node.children) next.push(child)
    }
    level = next
  }
  if (members > 0 || nodes > 0) report.left = { members, nodes }
}

function countNodes(node: StructureNode): number {
  let count = 0
  for (const open = [node]; open.length > 0; count++) for (const child of open.pop()!.children) open.push(child)
  return count
}

function formatOf(store: FileStore, ref: string): string | null {
  try {
    const found = store.identify(ref)
    return found?.format?.id ?? found?.archive?.id ?? null
  } catch {
    return null
  }
}

const MOST_LINES = 400

export function infoText(report: InfoReport): string {
  const lines = [report.path, `  ${report.label}${report.format ? ` (${report.format})` : ''}, ${bytesText(report.size)}`]
  const told = [report.summary?.counted, report.summary?.note].filter(Boolean)
  if (told.length) lines.push(`  ${told.join(', ')}`)
  if (report.directory) lines.push(`  ${say('reports.info.directory', { file: report.directory })}`)
  if (report.readOnly) lines.push(`  ${say('reports.info.readOnly', { why: report.readOnly })}`)
  if (report.error) lines.push(`  ${failureText(report.error)}`)
  for (const { severity, code, message, path, offset } of report.diagnostics)
    lines.push(`  ${problemText({ severity, code, message, path, offset })}`)
  if (report.loadOrder && report.loadOrder.length > 1)
    lines.push('', say('reports.info.order'), ...report.loadOrder.map((name, i) => `  ${i + 1}. ${name}`))
  if (report.members) {
    lines.push(
      '',
      report.left?.members
        ? say('reports.info.membersListed', { n: report.members.length + report.left.members, listed: report.members.length })
        : say('reports.info.members', { n: report.members.length }),
    )
    for (const { name, size, format } of report.members) lines.push(`  ${String(size).padStart(10)}  ${name}${format ? `  ${format}` : ''}`)
  } else if (report.structure) {
    lines.push('')
    treeLines(report.structure, '', lines)
    if (lines.length >= MOST_LINES) lines.push(say('reports.info.cut', { n: MOST_LINES }))
  }
  return `${lines.join('\n')}\n`
}

function treeLines(node: StructureNode, indent: string, lines: string[]): void {
  if (lines.length >= MOST_LINES) return
  lines.push(
    `${indent}${node.name}: ${node.type} ${node.start}..${node.end}${node.opaque ? ` ${say('reports.info.raw')}` : ''}${node.summary ? ` ${node.summary}` : ''}`,
  )
  for (const { name, type, value, unknown, note } of node.fields) {
    if (lines.length >= MOST_LINES) return
    lines.push(`${indent}  ${name} = ${value} (${unknown ? say('reports.info.unknownField', { type }) : type})${note ? ` – ${note}` : ''}`)
  }
  for (const child of node.children) treeLines(child, `${indent}  `, lines)
}
