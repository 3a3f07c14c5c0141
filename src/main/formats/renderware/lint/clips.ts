/** Animations of a package. */
import { numberIn } from '../../address.ts'
import { nameOf } from '../../../binary/reader.ts'
import { stemOf } from '../../../../shared/ref.ts'
import { fix } from '../../lint.ts'
import { keyLayout, withColumns, type KeyColumns } from '../codecs/ifp-bones.ts'
import { say } from '../texts/index.ts'
import { length4 } from '../../../../shared/scene/length.ts'
import type { Report, Rule } from '../rules.ts'
import type { IfpAnimation, IfpBone, IfpDocument } from '../codecs/ifp-bones.ts'

export const FIX = {
  sortKeys: fix<IfpDocument>(
    'renderware.sort-keys',
    () => say('lint.fixes.sortKeys'),
    (document, diagnostic) => {
      const animation = document.animations[numberIn(diagnostic.path, 'animations') ?? -1]
      for (const bone of animation?.bones ?? []) {
        const layout = keyLayout(document, bone)
        const column = bone.shorts ?? bone.floats
        if (!layout || !column || !backwardsIn(bone, column, layout)) continue
        const time = (k: number): number => column[layout.stride * k + layout.time]
        // the sort is stable: keys of one time keep their order
        const order = Array.from({ length: bone.numKeys }, (_, k) => k).sort((a, b) => time(a) - time(b))
        const size = layout.stride * column.BYTES_PER_ELEMENT
        const keys = bone.keys.slice()
        order.forEach((from, to) => keys.set(bone.keys.subarray(size * from, size * (from + 1)), size * to))
        bone.keys = keys
        withColumns(bone, bone.shorts !== null)
      }
    },
  ),
}

type Column = Int16Array | Float32Array

function backwardsIn(bone: IfpBone, column: Column, layout: KeyColumns): number {
  let n = 0
  for (let k = 1; k < bone.numKeys; k++) {
    const at = layout.stride * k + layout.time
    if (column[at] < column[at - layout.stride]) n++
  }
  return n
}

/** What all bones of one animation have come to. */
const COUNTS = {
  backwards: 0,
  weak: 0,
  off: 0,
  bad: 0,
  beyond: 0,
  late: 0,
  still: 0,
  close: 0,
  empty: 0,
  twice: 0,
  moved: 0,
  names: 0,
  long: 0,
  scaled: 0,
  crowded: 0,
}

/** Counters of San Andreas are signed 16-bit numbers; its table of all animations has so much room. */
const MOST_COUNT = 32767
const MOST_CLIPS = 2500
/** Letters that San Andreas copies of a name. */
const MOST_LETTERS = 23

/** San Andreas counts a sequence's time in sixtieths of a second, in 16 bits; translations in 1024ths, rotations in 4096ths. */
const TICKS = 60
const MOST_TIME = 32767 / TICKS
const MOST_PLACE = 32
const MOST_TURN = 8

function look(document: IfpDocument, bone: IfpBone, counts: typeof COUNTS): void {
  const layout = keyLayout(document, bone)
  const column = bone.shorts ?? bone.floats
  if (bone.numKeys === 0) counts.empty++
  if (!layout || !column) return
  const packed = bone.shorts !== null
  const unit = packed ? 1 / 4096 : 1
  const ticks = packed ? 1 : TICKS
  const seconds = packed ? 1 / TICKS : 1
  for (let k = 0; k < bone.numKeys; k++) {
    const at = layout.stride * k
    const time = column[at + layout.time]
    if (k > 0) {
      const step = (time - column[at - layout.stride + layout.time]) * ticks
      if (step >= 0 && step < 0.999) counts.close++
    }
    const length = length4(column[at], column[at + 1], column[at + 2], column[at + 3]) * unit
    let placed = true
    if (layout.translation >= 0) for (let c = 0; c < 3; c++) placed &&= Number.isFinite(column[at + layout.translation + c])
    if (!Number.isFinite(length) || !Number.isFinite(time) || !placed) {
      counts.bad++
      continue
    }
    if (length < 0.5 || length > 1.2) counts.weak++
    else if (Math.abs(length - 1) > 0.005) counts.off++
    let beyond = time * seconds > MOST_TIME || time < 0
    for (let c = 0; c < 4; c++) beyond ||= Math.abs(column[at + c] * unit) >= MOST_TURN
    if (!packed && layout.translation >= 0)
      for (let c = 0; c < 3; c++) beyond ||= Math.abs(column[at + layout.translation + c]) >= MOST_PLACE
    if (beyond) counts.beyond++
  }
  counts.backwards += backwardsIn(bone, column, layout)
  const first = column[layout.time]
  if (bone.numKeys > 0 && first > 0) counts.late++
  if (bone.numKeys > 1 && first === column[layout.stride * (bone.numKeys - 1) + layout.time]) counts.still++
  if (layout.translation >= 0 && !isRoot(bone)) counts.moved++
  if (layout.scale >= 0) counts.scaled++
}

function isRoot(bone: IfpBone): boolean {
  return bone.boneId === 0 || /^\s*(root|normal)$/i.test(nameOf(bone.name).trim())
}

export const animations: Rule<IfpDocument> = (document, report) => {
  const names = new Set<string>()
  let moved = 0
  let ignored = 0
  let scaled = 0
  document.animations.forEach((animation, a) => {
    const path = `animations[${a}]`
    const name = nameOf(animation.name)
    if (names.has(name.toLowerCase())) report.say('clip-twice', say('lint.clipTwice', { name }), path, animation.start)
    names.add(name.toLowerCase())
    const counts = { ...COUNTS }
    const ids = new Set<number | string>()
    for (const bone of animation.bones) {
      const id = bone.boneId >= 0 ? bone.boneId : nameOf(bone.name).toLowerCase()
      if (ids.has(id)) counts.twice++
      ids.add(id)
      look(document, bone, counts)
      if (bone.numKeys > MOST_COUNT) counts.crowded++
      if (bone.anpk && nameOf(bone.name).length > MOST_LETTERS) counts.long++
      if (bone.name.indexOf(0) < 0) counts.names++
      if (bone.anpk && bone.anpk.links.length === 2) ignored++
    }
    moved += counts.moved
    scaled += counts.scaled
    tell(report, document, animation, { name, path, counts })
  })
  if (moved) report.say('translation-not-root', say('lint.translationNotRoot', { count: moved }), 'animations', -1)
  if (scaled) report.say('key-scale', say('lint.keyScale', { count: scaled }), 'animations', -1)
  if (document.animations.length > MOST_CLIPS)
    report.say('clip-limit', say('lint.clipLimit', { count: document.animations.length }), 'animations', -1)
  if (ignored) report.say('bone-ids-ignored', say('lint.boneIdsIgnored', { count: ignored }), 'animations', -1)
  if (document.kind === 'ANP3') {
    const name = nameOf(document.name)
    if (name.length > 15 || name.toLowerCase() !== stemOf(document.ref).toLowerCase())
      report.say('package-name', say('lint.packageName', { name, file: stemOf(document.ref) }), 'name', 8)
  }
}

/** Packed bones beside bones of floats: the class of the first counts for all. */
function mixed({ bones }: IfpAnimation): boolean {
  const keyed = bones.filter(({ numKeys }) => numKeys > 0)
  return keyed.some(({ shorts }) => (shorts === null) !== (keyed[0].shorts === null))
}

function tell(
  report: Report,
  document: IfpDocument,
  animation: IfpAnimation,
  { name, path, counts }: { name: string; path: string; counts: typeof COUNTS },
): void {
  const at = animation.start
  if (counts.bad) report.say('key-not-a-number', say('lint.keysNoNumbers', { count: counts.bad, name }), path, at)
  if (counts.backwards) report.say('key-order', say('lint.keyOrder', { count: counts.backwards, name }), path, at, FIX.sortKeys)
  if (counts.weak) report.say('key-length', say('lint.keyLength', { count: counts.weak, name }), path, at)
  if (counts.off) report.as('info', 'key-length', say('lint.keyLengthOff', { count: counts.off, name }), path, at)
  // only San Andreas packs them; a package of floats may be another game's, which does not
  if (counts.beyond)
    report.as(
      document.kind === 'ANPK' ? 'info' : 'error',
      'packed-range',
      say('lint.packedRange', { count: counts.beyond, name }),
      path,
      at,
    )
  if (counts.late) report.say('key-first', say('lint.keyFirst', { count: counts.late, name }), path, at)
  if (counts.still && !counts.backwards) report.say('key-no-time', say('lint.keyNoTime', { count: counts.still, name }), path, at)
  else if (counts.close) report.say('key-tick', say('lint.keyTick', { count: counts.close, name }), path, at)
  if (counts.empty) report.say('clip-empty', say('lint.boneEmpty', { count: counts.empty, name }), path, at)
  if (animation.bones.length === 0) report.say('clip-empty', say('lint.clipEmpty', { name }), path, at)
  if (counts.twice) report.say('clip-bone-twice', say('lint.boneTwice', { name, count: counts.twice }), path, at)
  if (animation.bones.length > MOST_COUNT || counts.crowded)
    report.say('clip-counts', say('lint.clipCounts', { name, count: animation.bones.length, crowded: counts.crowded }), path, at)
  if (document.kind !== 'ANPK' && mixed(animation)) report.say('clip-mixed', say('lint.clipMixed', { name }), path, at)
  if (counts.long || (animation.anpk && name.length > MOST_LETTERS))
    report.say('clip-name-length', say('lint.clipNameLength', { name, most: MOST_LETTERS }), path, at)
  if (counts.names || (document.kind === 'ANP3' && animation.name.indexOf(0) < 0))
    report.say('clip-name-end', say('lint.clipNameEnd', { name }), path, at)
}
