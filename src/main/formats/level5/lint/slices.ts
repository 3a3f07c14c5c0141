/** Windows and file names of a script. */
import { numberIn } from '../../address.ts'
import { folderOf } from '../../../../shared/ref.ts'
import { fix } from '../../lint.ts'
import { NAME_BYTES, setKey } from '../codecs/cfg-keys.ts'
import { cfgFiles, cfgMotions, keyPath } from '../codecs/cfg-motions.ts'
import { pieceOffsets } from '../codecs/cfg-text.ts'
import { frameRange } from '../codecs/mot.ts'
import { encodeText } from '../codecs/names.ts'
import { FolderFiles } from '../scene/bind.ts'
import { say } from '../texts/index.ts'
import type { Rule } from '../rules.ts'
import type { CfgDocument } from '../codecs/cfg-text.ts'
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

export const script: Rule<CfgDocument> = (document, report, model) => {
  if (document.compiled) return
  const offsets = pieceOffsets(document)
  const motions = cfgMotions(document)
  const here = new FolderFiles(folderOf(document.ref), model.around)
  const missing = (name: string, format: string): boolean => here.files.length > 0 && name !== '' && !here.named(name, format)
  const named = cfgFiles(document)
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
    const range = mot && frameRange(mot.tracks)
    motion.keys.forEach((key, k) => {
      const path = keyPath(m, k)
      const offset = offsets.get(key.statement.pieces[0]) ?? -1
      if (key.broken) return
      if (key.end < key.start)
        report.say('window-order', say('lint.windowEndsFirst', { end: key.end, start: key.start }), path, offset, FIX.swapWindow)
      else if (range && key.end > range.end)
        report.say('window-beyond', say('lint.windowAfterEnd', { end: key.end, file: motion.mot, last: range.end }), path, offset)
      if (key.speed < 0) report.say('window-speed', say('edit.slices.negativeSpeed'), path, offset)
      else if (key.speed === 0 && key.end > key.start) report.as('info', 'window-speed', say('edit.slices.standsStill'), path, offset)
      if (document.dialect === 'dc2' && byteLength(key.name) > NAME_BYTES)
        report.say('window-name', say('edit.slices.longName', { n: byteLength(key.name), most: NAME_BYTES }), path, offset)
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
