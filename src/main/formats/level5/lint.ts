/** Rules: what the game will choke on, and what a modder wants to be told. */
import { numberIn } from '../address.ts'
import { baseName, stemOf } from '../../../shared/ref.ts'
import { decompose } from '../../../shared/scene/matrix.ts'
import { nodeAttributes } from './codecs/attributes.ts'
import { isZeroMatrix } from './codecs/bbp.ts'
import { FolderFiles } from './scene/bind.ts'
import { NAME_BYTES, cfgFiles, cfgMotions, keyPath, pieceOffsets, setKey } from './codecs/cfg.ts'
import { checkBindPose, checkSkins, checkTextures, checkTrackNodes } from './scene/checks.ts'
import { entryName, imgPictures } from './codecs/img.ts'
import { meshOf, nodeName, nodeOrder, sectionNames, sectionOffsets } from './codecs/mds.ts'
import { frameRange, isWeightType } from './codecs/mot.ts'
import { encodeText } from './codecs/names.ts'
import { decodePicture } from './codecs/tim2.ts'
import {
  KEY_WORDS,
  TRACK_TYPE,
  isKnownType,
  keyFloats,
  keyTotal,
  setKeys,
  trackOffsets,
  typeComponents,
  typeLabel,
} from './codecs/track-list.ts'
import { weightGroups } from './codecs/wgt.ts'
import type { Diagnostic, Severity } from '../../../shared/api/errors.ts'
import type { Document, LintModel } from '../format.ts'
import type { BbpDocument } from './codecs/bbp.ts'
import type { CfgDocument } from './codecs/cfg.ts'
import type { ImgDocument } from './codecs/img.ts'
import type { MdsDocument } from './codecs/mds.ts'
import type { Tim2Document, Tim2Node } from './codecs/tim2.ts'
import type { TrackListDocument, TrackNode } from './codecs/track-list.ts'

type Fix = { id: string; label: string }
type Add = (severity: Severity, code: string, message: string, path?: string, offset?: number, fixes?: Fix[]) => void

/** DC1 keeps this many skinned vertices. */
const MAX_SKINNED = 3000

export function lint(document: Document, model: LintModel): Diagnostic[] {
  const out: Diagnostic[] = []
  const add: Add = (severity, code, message, path = '', offset = -1, fixes) =>
    out.push({ severity, code: `level5.${code}`, message, path, offset, ref: document.ref, ...(fixes ? { fixes } : {}) })
  const mds = mdsOf(document, model)
  switch (document.format) {
    case 'level5.mds':
      lintMds(document as MdsDocument, model, add, out)
      break
    case 'level5.mot':
      lintTracks(document as TrackListDocument, add)
      lintMot(document as TrackListDocument, mds, add)
      if (mds) out.push(...checkTrackNodes(document as TrackListDocument, mds))
      break
    case 'level5.wgt':
      lintTracks(document as TrackListDocument, add)
      lintWgt(document as TrackListDocument, mds, add)
      if (mds) out.push(...checkSkins(document as TrackListDocument, mds))
      break
    case 'level5.bbp':
      lintBbp(document as BbpDocument, add)
      if (mds) out.push(...checkBindPose(document as BbpDocument, mds))
      break
    case 'level5.cfg':
      lintCfg(document as CfgDocument, model, add)
      break
    case 'level5.img':
      lintImg(document as ImgDocument, add)
      break
    case 'level5.tim2':
      lintPicture((document as Tim2Document).tim2, '', add)
      break
  }
  return out
}

/** The model that a file belongs to, where it is at hand. */
function mdsOf(document: Document, model: LintModel): MdsDocument | undefined {
  if (document.format === 'level5.mds' || !model.binding) return undefined
  const mds = model.load(model.binding.primary)
  return mds?.format === 'level5.mds' ? (mds as MdsDocument) : undefined
}

// --- MDS ---------------------------------------------------------------------------------------------------------

function lintMds(document: MdsDocument, model: LintModel, add: Add, out: Diagnostic[]): void {
  const n = document.nodes.length
  const { parents } = nodeOrder(document)
  document.nodes.forEach((node, i) => {
    const at = node.range.start
    const path = `nodes[${i}]`
    if (node.index !== i)
      add('warning', 'node-index', `node ${i} says that it is number ${node.index}`, `${path}.index`, at, [
        { id: 'level5.number-nodes', label: 'Number the nodes' },
      ])
    if (node.recordSize !== 0x70)
      add('warning', 'node-size', `the record size is ${node.recordSize}, known is 112`, `${path}.recordSize`, at + 4)
    if (node.name.indexOf(0) < 0) add('warning', 'node-name', 'the name has no end within its field', `${path}.name`, at + 8)
    if (nodeName(node).includes('\ufffd')) add('info', 'node-name', 'the name is no CP932 text', `${path}.name`, at + 8)
    const { unknown } = nodeAttributes(nodeName(node))
    if (unknown) add('info', 'node-attribute', `nobody knows the attribute "${unknown}" of ${nodeName(node)}`, `${path}.name`, at + 8)
    if (node.parent < -1 || node.parent >= n)
      add('error', 'node-parent', `parent ${node.parent} is none of the ${n} nodes`, `${path}.parent`, at + 0x2c)
    else if (node.parent >= 0 && parents[i] < 0)
      add('error', 'node-cycle', `${nodeName(node)} hangs below itself`, `${path}.parent`, at + 0x2c)
    else if (node.parent > i)
      add(
        'warning',
        'node-order',
        `the parent of ${nodeName(node)} stands behind it; the game builds in order`,
        `${path}.parent`,
        at + 0x2c,
      )
    if (!node.matrix.every(Number.isFinite))
      add('error', 'node-matrix', `the matrix of ${nodeName(node)} holds what is no number`, `${path}.matrix`, at + 0x30)
    else if (node.matrix[3] !== 0 || node.matrix[7] !== 0 || node.matrix[11] !== 0 || node.matrix[15] !== 1)
      add('warning', 'node-matrix', `the last column of the matrix of ${nodeName(node)} is not 0 0 0 1`, `${path}.matrix`, at + 0x30)
  })
  const names = sectionNames(document)
  const offsets = sectionOffsets(document)
  document.sections.forEach((section, i) => {
    if (section.kind === 'gap') return
    if (offsets[i] % 16)
      add(
        'warning',
        'mdt-alignment',
        'a mesh does not stand at a multiple of 16; the game sends it to the GPU as it lies',
        names[i],
        offsets[i],
      )
    if (section.kind !== 'mdt') return
    const odd = section.mdt.faces?.primitives.filter((p) => ![3, 4, 5].includes(p.type & 7)).length ?? 0
    if (odd) add('info', 'primitive-kind', `${odd} primitives are no triangles and are not shown`, `${names[i]}.faces`, offsets[i])
  })
  if (!model.binding) return
  const pictures = new Set<string>()
  let known = true
  for (const member of model.binding.members) {
    const other = model.load(member.ref)
    if (other?.format === 'level5.img') for (const p of imgPictures(other as ImgDocument)) pictures.add(stemOf(p.name))
    else if (other?.format === 'level5.tim2') pictures.add(stemOf(other.ref))
    else if (!other) known = false
    if (other?.format === 'level5.wgt') {
      for (const owner of new Set((other as TrackListDocument).tracks.map((t) => t.node))) {
        const mdt = document.nodes[owner] && meshOf(document, document.nodes[owner])
        if (mdt && mdt.vertices.length / 4 > MAX_SKINNED)
          add(
            'warning',
            'vertex-limit',
            `the skinned mesh of ${nodeName(document.nodes[owner])} has ${mdt.vertices.length / 4} vertices; Dark Cloud 1 has room for ${MAX_SKINNED}`,
            `nodes[${owner}].mdt.vertices`,
            -1,
          )
      }
    }
  }
  if (known) out.push(...checkTextures(document, (texture) => pictures.has(stemOf(texture))))
}

// --- MOT, WGT ----------------------------------------------------------------------------------------------------

function lintTracks(document: TrackListDocument, add: Add): void {
  const offsets = trackOffsets(document)
  const weights = document.format === 'level5.wgt'
  document.tracks.forEach((track, i) => {
    const path = `tracks[${i}]`
    const last = i === document.tracks.length - 1
    const size = track.headerSize + track.keys.byteLength + track.gap.length
    if (document.byCount) {
      if (i === 0)
        add('error', 'track-next', 'the distances to the next track are none: the game walks by them', `${path}.next`, offsets[0] + 20, [
          { id: 'level5.set-distances', label: 'Write the distances' },
        ])
    } else if (last && track.next !== 0)
      add('warning', 'track-stop', 'the last track has no stop flag: the game reads on behind the file', `${path}.next`, offsets[i] + 20, [
        { id: 'level5.set-stop', label: 'Set the stop flag' },
      ])
    else if (!last && track.next !== size)
      add('warning', 'track-next', `the next track is ${track.next} bytes away, the keys say ${size}`, `${path}.next`, offsets[i] + 20)
    if (!isKnownType(track.type)) add('info', 'track-type', `nobody knows track type ${track.type}`, `${path}.type`, offsets[i] + 8)
    else if (isWeightType(track.type) !== weights)
      add('warning', 'track-kind', `${typeLabel(track.type)} in ${weights ? 'a WGT' : 'an animation'}`, `${path}.type`, offsets[i] + 8)
    const floats = keyFloats(track)
    const width = typeComponents(track.type).length
    let bad = -1
    for (let k = keyTotal(track) - 1; k >= 0 && isKnownType(track.type); k--)
      for (let c = 0; c < width; c++) if (!Number.isFinite(floats[KEY_WORDS * k + 4 + c])) bad = k
    if (bad >= 0) add('error', 'key-value', 'a value is no number', `${path}.keys[${bad}]`, offsets[i] + 32 + 32 * bad + 16)
  })
}

function firstDisorder(track: TrackNode): number {
  for (let k = 1; k < keyTotal(track); k++) if (track.keys[KEY_WORDS * k] < track.keys[KEY_WORDS * (k - 1)]) return k
  return -1
}

function lintMot(document: TrackListDocument, mds: MdsDocument | undefined, add: Add): void {
  const offsets = trackOffsets(document)
  const seen = new Map<string, number>()
  const scaled = new Set(document.tracks.filter((t) => t.type === TRACK_TYPE.scale && keyTotal(t) > 0).map((t) => t.node))
  document.tracks.forEach((track, i) => {
    const path = `tracks[${i}]`
    const floats = keyFloats(track)
    const n = keyTotal(track)
    const disorder = firstDisorder(track)
    if (disorder >= 0)
      add(
        'warning',
        'keys-order',
        'the frames of the keys are not in ascending order',
        `${path}.keys[${disorder}]`,
        offsets[i] + 32 + 32 * disorder,
        [{ id: 'level5.sort-keys', label: 'Sort the keys' }],
      )
    const id = `${track.node}/${track.type}/${[TRACK_TYPE.vertex, TRACK_TYPE.transparency, TRACK_TYPE.color].includes(track.type as 12) ? track.target : ''}`
    const first = seen.get(id)
    if (first !== undefined)
      add(
        'info',
        'track-duplicate',
        `node ${track.node} has a ${typeLabel(track.type)} track already (number ${first}); the later one wins`,
        path,
        offsets[i],
      )
    else seen.set(id, i)
    if (track.type === TRACK_TYPE.rotation) {
      for (let k = 0; k < n; k++) {
        const length = Math.hypot(
          floats[KEY_WORDS * k + 4],
          floats[KEY_WORDS * k + 5],
          floats[KEY_WORDS * k + 6],
          floats[KEY_WORDS * k + 7],
        )
        if (Math.abs(length - 1) > 0.01) {
          add(
            'warning',
            'rotation-length',
            `a rotation has length ${length.toFixed(3)}, not 1`,
            `${path}.keys[${k}]`,
            offsets[i] + 32 + 32 * k + 16,
          )
          break
        }
      }
    }
    if (track.type === TRACK_TYPE.transparency) {
      for (let k = 0; k < n; k++) {
        const x = floats[KEY_WORDS * k + 4]
        if (x < -1e-4 || x > 1 + 1e-4) {
          add(
            'info',
            'transparency-range',
            `type 40 with ${Number(x.toPrecision(4))}: outside 0 to 1 it is no transparency`,
            `${path}.keys[${k}].x`,
            offsets[i] + 32 + 32 * k + 16,
          )
          break
        }
      }
    }
    const node = mds?.nodes[track.node]
    if (!mds || !node) return
    const mdt = meshOf(mds, node)
    if (track.type === TRACK_TYPE.vertex && (!mdt || track.target < 1 || track.target > mdt.vertices.length / 4))
      add('error', 'track-target', `${nodeName(node)} has no vertex ${track.target - 1}`, `${path}.target`, offsets[i] + 4)
    if (
      (track.type === TRACK_TYPE.transparency || track.type === TRACK_TYPE.color) &&
      (!mdt || track.target < 0 || track.target >= mdt.materials.length)
    )
      add('warning', 'track-target', `${nodeName(node)} has no material ${track.target}`, `${path}.target`, offsets[i] + 4)
    if (track.type === TRACK_TYPE.rotation && n > 0 && !scaled.has(track.node)) {
      const scale = new Float32Array(3)
      decompose(node.matrix, 0, new Float32Array(3), 0, new Float32Array(4), 0, scale, 0)
      if (scale.some((s) => Math.abs(Math.abs(s) - 1) > 0.01))
        add(
          'warning',
          'rotation-without-scale',
          `${nodeName(node)} is turned but not scaled, and its bind scale is ${Array.from(scale, (s) => Number(s.toPrecision(3))).join(' ')}: Marrow keeps it, the game may show 1`,
          path,
          offsets[i],
        )
    }
  })
}

function lintWgt(document: TrackListDocument, mds: MdsDocument | undefined, add: Add): void {
  const offsets = trackOffsets(document)
  const owners = new Map<number, { track: TrackNode; index: number }[]>()
  const all = new Set(weightGroups(document))
  document.tracks.forEach((track, index) => {
    if (!all.has(track)) return
    const list = owners.get(track.node)
    if (list) list.push({ track, index })
    else owners.set(track.node, [{ track, index }])
  })
  for (const [owner, groups] of owners) {
    const sums = new Map<number, number>()
    const counts = new Map<number, number>()
    for (const { track, index } of groups) {
      const floats = keyFloats(track)
      const inGroup = new Set<number>()
      let range = -1
      let twice = -1
      for (let k = keyTotal(track) - 1; k >= 0; k--) {
        const vertex = track.keys[KEY_WORDS * k]
        const weight = floats[KEY_WORDS * k + 4]
        if (weight < 0 || weight > 100.01) range = k
        if (inGroup.has(vertex)) twice = k
        inGroup.add(vertex)
        if (!Number.isFinite(weight)) continue
        sums.set(vertex, (sums.get(vertex) ?? 0) + weight)
        if (weight !== 0) counts.set(vertex, (counts.get(vertex) ?? 0) + 1)
      }
      if (range >= 0)
        add(
          'warning',
          'weight-range',
          `weight ${floats[KEY_WORDS * range + 4]} is not within 0 to 100`,
          `tracks[${index}].keys[${range}].weight`,
          offsets[index] + 32 + 32 * range + 16,
        )
      if (twice >= 0)
        add(
          'warning',
          'weight-twice',
          `vertex ${track.keys[KEY_WORDS * twice]} stands twice in the group of bone ${track.target}`,
          `tracks[${index}].keys[${twice}]`,
          offsets[index] + 32 + 32 * twice,
        )
    }
    const off = [...sums].filter(([, sum]) => Math.abs(sum - 100) > 0.5)
    if (off.length)
      add(
        'warning',
        'weight-sum',
        `the weights of ${off.length} vertices of node ${owner} do not sum to 100 (vertex ${off[0][0]}: ${Number(off[0][1].toFixed(2))})`,
        `tracks[${groups[0].index}]`,
        offsets[groups[0].index],
        [{ id: 'level5.normalise-weights', label: 'Scale the weights to a sum of 100' }],
      )
    const most = [...counts.values()].reduce((a, b) => Math.max(a, b), 0)
    if (most > 5)
      add(
        'info',
        'weight-influences',
        `a vertex of node ${owner} has ${most} bones; known files have up to 5`,
        `tracks[${groups[0].index}]`,
        offsets[groups[0].index],
      )
    if (!mds || !mds.nodes[owner]) continue
    // a list with empty groups is DC1's matrix program: reset first, ancestors before descendants
    if (!groups.some(({ track }) => keyTotal(track) === 0)) continue
    const { parents } = nodeOrder(mds)
    if (groups[0].track.target !== mds.nodes[owner].parent || keyTotal(groups[0].track) > 0)
      add(
        'info',
        'group-reset',
        `the groups of node ${owner} do not begin with an empty one of its parent, as Dark Cloud 1 expects`,
        `tracks[${groups[0].index}]`,
        offsets[groups[0].index],
      )
    const place = new Map(groups.map(({ track }, i) => [track.target, i]))
    for (const { track, index } of groups) {
      const parent = parents[track.target] ?? -1
      if (parent >= 0 && (place.get(parent) ?? -1) > place.get(track.target)!)
        add(
          'warning',
          'group-order',
          `the group of bone ${track.target} stands before that of its parent ${parent}; Dark Cloud 1 reads them as a chain`,
          `tracks[${index}]`,
          offsets[index],
        )
    }
  }
}

// --- BBP, CFG, IMG -----------------------------------------------------------------------------------------------

function lintBbp(document: BbpDocument, add: Add): void {
  const count = document.matrices.length / 16
  let zero = 0
  for (let i = 0; i < count; i++) {
    if (isZeroMatrix(document.matrices, 16 * i)) zero++
    else if (!document.matrices.subarray(16 * i, 16 * i + 16).every(Number.isFinite))
      add('error', 'bbp-matrix', 'a bind matrix holds what is no number', `matrices[${i}]`, 64 * i)
  }
  if (zero) add('info', 'bbp-zero', `${zero} of ${count} bind matrices are zero: the MDS counts there`, 'matrices', 0)
}

/** Folder or archive of a file. */
function folderOf(ref: string): string {
  return ref.slice(0, Math.max(0, ref.length - baseName(ref).length - 1))
}

function lintCfg(document: CfgDocument, model: LintModel, add: Add): void {
  if (document.compiled) return
  const offsets = pieceOffsets(document)
  const motions = cfgMotions(document)
  const here = new FolderFiles(folderOf(document.ref), model.around)
  const missing = (name: string, format: string): boolean => here.files.length > 0 && name !== '' && !here.named(name, format)
  const named = cfgFiles(document)
  for (const name of named.model) if (missing(name, 'level5.mds')) add('warning', 'file-missing', `MODEL "${name}" is not here`, 'MODEL')
  for (const name of named.images) if (missing(name, 'level5.img')) add('warning', 'file-missing', `IMG "${name}" is not here`, 'IMG')
  motions.forEach((motion, m) => {
    const at = motion.statement ? offsets.get(motion.statement.pieces[0]) : -1
    for (const [name, format] of [
      [motion.mot, 'level5.mot'],
      [motion.bbp, 'level5.bbp'],
      [motion.wgt, 'level5.wgt'],
    ] as const)
      if (missing(name, format))
        add('warning', 'file-missing', `MOTION ${motion.number} names "${name}", which is not here`, `motions[${m}]`, at)
    if (motion.keys.length && !motion.keyStart) add('warning', 'key-start', 'windows without a KEY_START before them', `motions[${m}]`, at)
    if (document.dialect === 'dc2' && motion.keyStart && !motion.keyEnd)
      add('warning', 'key-end', 'KEY_START without KEY_END', `motions[${m}]`, at)
    const file = motion.mot ? here.named(motion.mot, 'level5.mot') : undefined
    const mot = file && (model.load(file.ref) as TrackListDocument | undefined)
    const range = mot && frameRange(mot.tracks)
    motion.keys.forEach((key, k) => {
      const path = keyPath(m, k)
      const offset = offsets.get(key.statement.pieces[0]) ?? -1
      if (key.broken) return
      if (key.end < key.start)
        add('error', 'window-order', `the window ends (${key.end}) before it starts (${key.start})`, path, offset, [
          { id: 'level5.swap-window', label: 'Swap start and end' },
        ])
      else if (range && key.end > range.end)
        add(
          'warning',
          'window-beyond',
          `the window ends on frame ${key.end}, the last key of ${motion.mot} stands on ${range.end}`,
          path,
          offset,
        )
      if (key.speed < 0) add('warning', 'window-speed', 'a negative speed is not known from any file', path, offset)
      else if (key.speed === 0 && key.end > key.start) add('info', 'window-speed', 'speed 0: the first frame stands still', path, offset)
      if (document.dialect === 'dc2' && byteLength(key.name) > NAME_BYTES)
        add('warning', 'window-name', `the name has ${byteLength(key.name)} bytes, the game keeps about ${NAME_BYTES}`, path, offset)
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

function lintImg(document: ImgDocument, add: Add): void {
  const seen = new Set<string>()
  document.entries.forEach((entry, i) => {
    const name = entryName(entry)
    const key = name.toLowerCase()
    if (seen.has(key))
      add(
        'warning',
        'picture-name',
        `two entries are called "${name}"; the first is found`,
        `entries[${i}].name`,
        0x10 + i * (document.magic === 'IM3' ? 0x40 : 0x30),
      )
    seen.add(key)
    const body = document.bodies[entry.body]
    if (body?.kind === 'tim2') lintPicture(body.tim2, `entries[${i}].image.`, add)
  })
}

function lintPicture(tim2: Tim2Node, path: string, add: Add): void {
  tim2.pictures.forEach((p, i) => {
    const power = (v: number): boolean => v > 0 && (v & (v - 1)) === 0
    if (!power(p.width) || !power(p.height))
      add('warning', 'picture-size', `${p.width} x ${p.height}: the GS repeats textures by powers of two`, `${path}pictures[${i}]`)
    if (!decodePicture(p, 'linear'))
      add('warning', 'picture-unread', 'size, type and bytes of the picture do not go together', `${path}pictures[${i}]`)
  })
}

// --- fixes -------------------------------------------------------------------------------------------------------

export const fixes: Readonly<Record<string, (document: Document, diagnostic: Diagnostic) => void>> = {
  'level5.number-nodes': (document) => (document as MdsDocument).nodes.forEach((n, i) => (n.index = i)),
  'level5.set-stop': (document) => {
    const last = (document as TrackListDocument).tracks.at(-1)
    if (last) last.next = 0
  },
  'level5.set-distances': (document) => {
    const list = document as TrackListDocument
    list.tracks.forEach(
      (track, i) => (track.next = i === list.tracks.length - 1 ? 0 : track.headerSize + track.keys.byteLength + track.gap.length),
    )
    delete list.byCount
  },
  'level5.sort-keys': (document, diagnostic) => {
    const track = (document as TrackListDocument).tracks[numberIn(diagnostic.path, 'tracks') ?? -1]
    if (!track) return
    const order = Array.from({ length: keyTotal(track) }, (_, k) => k).sort(
      (a, b) => track.keys[KEY_WORDS * a] - track.keys[KEY_WORDS * b] || a - b,
    )
    const keys = new Uint32Array(track.keys.length)
    order.forEach((k, i) => keys.set(track.keys.subarray(KEY_WORDS * k, KEY_WORDS * k + KEY_WORDS), KEY_WORDS * i))
    setKeys(track, keys)
  },
  'level5.normalise-weights': (document, diagnostic) => {
    const list = document as TrackListDocument
    const owner = list.tracks[numberIn(diagnostic.path, 'tracks') ?? -1]?.node
    const groups = weightGroups(list).filter((t) => t.node === owner)
    const sums = new Map<number, number>()
    const each = (body: (vertex: number, floats: Float32Array, at: number) => void): void => {
      for (const group of groups) {
        const floats = keyFloats(group)
        for (let k = 0; k < group.keys.length; k += KEY_WORDS) if (Number.isFinite(floats[k + 4])) body(group.keys[k], floats, k + 4)
      }
    }
    each((vertex, floats, at) => sums.set(vertex, (sums.get(vertex) ?? 0) + floats[at]))
    each((vertex, floats, at) => {
      const sum = sums.get(vertex)!
      // vertices that are right keep their bits
      if (sum > 0 && Math.abs(sum - 100) > 0.5) floats[at] = (floats[at] * 100) / sum
    })
  },
  'level5.swap-window': (document, diagnostic) => {
    const cfg = document as CfgDocument
    const key = cfgMotions(cfg)[numberIn(diagnostic.path, 'motions') ?? -1]?.keys[numberIn(diagnostic.path, 'keys') ?? -1]
    if (key && key.end < key.start) setKey(cfg, key, { start: key.end, end: key.start })
  },
}
