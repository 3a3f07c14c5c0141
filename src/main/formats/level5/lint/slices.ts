/** Windows and file names of a script. */
import { numberIn } from '../../address.ts'
import { baseName, folderOf, stemOf } from '../../../../shared/ref.ts'
import { fix } from '../../lint.ts'
import { NAME_BYTES, setKey } from '../codecs/cfg-keys.ts'
import { cfgFiles, cfgMotions, keyPath } from '../codecs/cfg-motions.ts'
import { meshOf, nodeName } from '../codecs/mds.ts'
import { KEY_WORDS, keyTotal } from '../codecs/tracks.ts'
import { TRACK_TYPE } from '../codecs/track-types.ts'
import { mdsOf } from './lookup.ts'
import { argNumber, argText, pieceOffsets } from '../codecs/cfg-text.ts'
import { frameRange } from '../codecs/mot.ts'
import { encodeText } from '../codecs/names.ts'
import { FolderFiles } from '../scene/bind.ts'
import { say } from '../texts/index.ts'
import type { LintModel } from '../../family.ts'
import type { CfgKey } from '../codecs/cfg-motions.ts'
import type { Report, Rule } from '../rules.ts'
import type { CfgDocument, CfgPiece } from '../codecs/cfg-text.ts'
import type { TrackListDocument } from '../codecs/tracks.ts'

export const FIX = {
  swapWindow: fix<CfgDocument>(
    'level5.swap-window',
    () => say('lint.swapStartAndEnd'),
    (document, diagnostic) => {
      const cfg = document
      const key = cfgMotions(cfg)[numberIn(diagnostic.path, 'motions') ?? -1]?.keys[numberIn(diagnostic.path, 'keys') ?? -1]
      if (key && key.end < key.start) setKey(cfg, key, { start: key.end, end: key.start })
    },
  ),
}

/** Dark Cloud 1 keeps as many buffers for meshes that change. */
const MOST_BUFFERS = 8

/** Buffers for meshes that are morphed or skinned, of Dark Cloud 1. */
function buffers(document: CfgDocument, report: Report, model: LintModel): void {
  if (document.dialect !== 'dc1') return
  const lines = document.statements.filter(({ command }) => command === 'ALLOC_DBUFF')
  if (lines.length > MOST_BUFFERS) report.say('alloc-count', say('lint.allocCount', { count: lines.length }), 'ALLOC_DBUFF')
  const mds = mdsOf(model)
  if (!mds) return
  const named = new Set(lines.flatMap(({ args }) => args.map((arg) => argText(arg).toLowerCase())))
  const nodes = new Set(mds.nodes.map((node) => nodeName(node).toLowerCase()))
  for (const name of named) if (name && !nodes.has(name)) report.say('alloc-unknown', say('lint.allocUnknown', { name }), 'ALLOC_DBUFF')
  const changed = new Set<number>()
  for (const { ref } of model.binding!.members) {
    const other = model.load(ref)
    if (other?.format === 'level5.wgt') for (const track of (other as TrackListDocument).tracks) changed.add(track.node)
    if (other?.format === 'level5.mot')
      for (const track of (other as TrackListDocument).tracks) if (track.type === TRACK_TYPE.vertex) changed.add(track.node)
  }
  for (const i of changed) {
    const node = mds.nodes[i]
    if (node && meshOf(mds, node) && !named.has(nodeName(node).toLowerCase()))
      report.say('alloc-missing', say('lint.allocMissing', { node: nodeName(node) }), 'ALLOC_DBUFF')
  }
}

/** Every track covers the windows: the games do not hold the first and last key. */
function covered(report: Report, { tracks }: TrackListDocument, keys: readonly CfgKey[], path: string): void {
  const windows = keys.filter(({ broken, start, end }) => !broken && end > start)
  if (windows.length === 0) return
  const start = Math.min(...windows.map((key) => key.start))
  const end = Math.max(...windows.map((key) => key.end))
  let late = 0
  let early = 0
  let first = Infinity
  let last = 0
  for (const track of tracks) {
    const n = keyTotal(track)
    if (n === 0) continue
    const begins = track.keys[0]
    const ends = track.keys[KEY_WORDS * (n - 1)]
    if (begins > start) {
      late++
      first = Math.min(first, begins)
    }
    if (ends < end) {
      early++
      last = Math.max(last, ends)
    }
  }
  if (late) report.say('track-starts-late', say('lint.trackStartsLate', { count: late, first, start }), path)
  if (early) report.say('track-ends-early', say('lint.trackEndsEarly', { count: early, last, end }), path)
}

/** Sounds of the motion stand on frames of its timeline. */
function events(document: CfgDocument, offsets: ReadonlyMap<CfgPiece, number>, report: Report): void {
  const windows = cfgMotions(document).flatMap(({ keys }) => keys.filter(({ broken, start, end }) => !broken && end > start))
  if (windows.length === 0) return
  for (const { command, args, pieces } of document.statements) {
    const frame = command === 'EVENT' ? argNumber(args[0]) : undefined
    if (frame === undefined || windows.some(({ start, end }) => frame >= start && frame <= end)) continue
    report.say('event-outside', say('lint.eventOutside', { frame }), 'EVENT', offsets.get(pieces[0]) ?? -1)
  }
}

/** In a pack the loader asks for the script by its name. */
function ownName({ ref }: CfgDocument, models: readonly string[], report: Report): void {
  const pack = folderOf(ref)
  // a file on disk stands for nothing: tools unpack packs to any folder
  if (!models[0] || !ref.includes('!')) return
  const usual = ['info', ...models, pack].map((name) => stemOf(name).toLowerCase())
  if (!usual.includes(stemOf(ref).toLowerCase()))
    report.say('script-name', say('lint.scriptName', { model: models[0], name: baseName(ref) }), '', 0)
}

export const script: Rule<CfgDocument> = (document, report, model) => {
  if (document.compiled) return
  buffers(document, report, model)
  const offsets = pieceOffsets(document)
  const motions = cfgMotions(document)
  const here = new FolderFiles(folderOf(document.ref), model.around)
  const missing = (name: string, format: string): boolean => here.files.length > 0 && name !== '' && !here.named(name, format)
  const named = cfgFiles(document)
  events(document, offsets, report)
  ownName(document, named.model, report)
  for (const name of named.model) if (missing(name, 'level5.mds')) report.say('file-missing', say('lint.noModel', { name }), 'MODEL')
  for (const name of named.images) if (missing(name, 'level5.img')) report.say('file-missing', say('lint.noImg', { name }), 'IMG')
  motions.forEach((motion, m) => {
    const at = motion.statement ? offsets.get(motion.statement.pieces[0]) : -1
    for (const [name, format] of [
      [motion.mot, 'level5.mot'],
      [motion.bbp, 'level5.bbp'],
      [motion.wgt, 'level5.wgt'],
    ] as const)
      if (missing(name, format)) report.say('file-missing', say('lint.motionNotHere', { number: motion.number, name }), `motions[${m}]`, at)
    if (motion.keys.length && !motion.keyStart) report.say('key-start', say('lint.windowsWithoutStart'), `motions[${m}]`, at)
    if (document.dialect === 'dc2' && motion.keyStart && !motion.keyEnd)
      report.say('key-end', say('lint.startWithoutEnd'), `motions[${m}]`, at)
    const file = motion.mot ? here.named(motion.mot, 'level5.mot') : undefined
    const mot = file && (model.load(file.ref) as TrackListDocument | undefined)
    const range = mot && frameRange(mot)
    if (mot) covered(report, mot, motion.keys, `motions[${m}]`)
    motion.keys.forEach((key, k) => {
      const path = keyPath(m, k)
      const offset = offsets.get(key.statement.pieces[0]) ?? -1
      if (key.broken) return
      // swapped, one with an end below 0 would begin before every track
      const fixes = key.end >= 0 ? [FIX.swapWindow] : []
      if (key.end < key.start)
        report.say('window-order', say('lint.windowEndsFirst', { end: key.end, start: key.start }), path, offset, ...fixes)
      else if (range && key.end > range.end)
        report.say('window-beyond', say('lint.windowAfterEnd', { end: key.end, file: motion.mot, last: range.end }), path, offset)
      if (key.speed < 0) report.say('window-speed', say('edit.slices.negativeSpeed'), path, offset)
      else if (key.speed === 0 && key.end > key.start) report.as('info', 'window-speed', say('edit.slices.standsStill'), path, offset)
      if (document.dialect === 'dc2' && byteLength(key.name) > NAME_BYTES)
        report.say('window-name', say('edit.slices.longName', { count: byteLength(key.name), most: NAME_BYTES }), path, offset)
    })
  })
}

function byteLength(name: string): number {
  try {
    return encodeText(name).length
  } catch {
    return name.length
  }
}
