/** Decoding against copying the same bytes. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { corpusFolder, filesBelow } from './corpus.ts'
import { best, type Row } from './measure.ts'
import { encodeDocument } from '../../src/main/formats/format.ts'
import { motFormat } from '../../src/main/formats/level5/codecs/mot.ts'
import { newTrack } from '../../src/main/formats/level5/codecs/tracks.ts'
import { newWeightGroup, wgtFormat } from '../../src/main/formats/level5/codecs/wgt.ts'
import { formatById, identify } from '../../src/main/formats/registry.ts'
import { newMot, newWgt } from '../../src/main/formats/level5/make.ts'

/** About 8 MB of tracks: 250 tracks of 1000 keys. */
function largeMot(): Uint8Array {
  const frames = Array.from({ length: 1000 }, (_, i) => i + 1)
  const values = new Float32Array(4000).map((_, i) => Math.sin(i))
  return encodeDocument(motFormat, newMot(Array.from({ length: 250 }, (_, n) => newTrack({ node: n, type: 0, frames, values })))).bytes
}

function largeWgt(): Uint8Array {
  const vertices = Array.from({ length: 1000 }, (_, i) => i)
  const weights = vertices.map((v) => v % 101)
  return encodeDocument(wgtFormat, newWgt(Array.from({ length: 250 }, (_, n) => newWeightGroup(1, n, vertices, weights)))).bytes
}

/** The columns of a document and where each stands in its buffer: all that a reader of its layout has to give, whatever it does besides. */
function partsOf(value: unknown, out: ArrayBufferView[] = [], seen = new Set<object>()): ArrayBufferView[] {
  if (typeof value !== 'object' || value === null || seen.has(value)) return out
  seen.add(value)
  if (ArrayBuffer.isView(value)) out.push(value)
  else for (const inner of Object.values(value)) partsOf(inner, out, seen)
  return out
}

/** What reading parts of these sizes takes at least. */
function plain(bytes: Uint8Array, sizes: readonly number[]): { data: Uint8Array }[] {
  const { buffer } = new Uint8Array(bytes)
  const out: { data: Uint8Array }[] = []
  let at = 0
  for (const size of sizes) {
    out.push({ data: new Uint8Array(buffer, at, Math.min(size, bytes.length - at)) })
    at = at + size < bytes.length ? at + size : 0
  }
  return out
}

/** Small files are read in so little time that the optimising compiler comes late: what is measured is the state that a scan of a game soon reaches. */
const SMALL_RUNS = 40

export function codecRows(): Row[] {
  const rows: Row[] = []
  for (const [name, bytes, format] of [
    ['MOT decode', largeMot(), motFormat],
    ['WGT decode', largeWgt(), wgtFormat],
  ] as const) {
    const copy = best(15, () => void bytes.slice())
    rows.push({
      name,
      bytes: bytes.length,
      ms: best(15, () => void format.decode(bytes, 'bench')),
      against: 'copying the bytes',
      againstMs: copy,
      aim: 0.2,
    })
    const document = format.decode(bytes, 'bench')
    rows.push({
      name: name.replace('decode', 'encode'),
      bytes: bytes.length,
      ms: best(15, () => void encodeDocument<any>(format, document)),
      against: 'copying the bytes',
      againstMs: copy,
      aim: 0,
    })
  }
  const root = corpusFolder()
  if (!root) {
    console.log('(the corpus is not here: rows over real files are left out)')
    return rows
  }
  const real: [string, string, string, number][] = [
    ['DFF decode, real files', 'renderware', 'renderware.dff', 0.25],
    ['TXD decode, real files', 'renderware', 'renderware.txd', 0],
    ['IFP decode, real files', 'renderware', 'renderware.ifp', 0],
    ['W3D decode, real files', 'w3d', 'w3d.file', 0],
    ['MSH, ANI, SKL decode, real files', 'lostsaga', 'lostsaga.', 0],
  ]
  for (const [name, folder, id, aim] of real) {
    const files = filesBelow(join(root, folder)).flatMap((path) => {
      const bytes = new Uint8Array(readFileSync(path))
      const format = identify(bytes.subarray(0, 4096), path, bytes.length)?.format
      return format?.id.startsWith(id) ? [{ bytes, format: formatById(format.id)!, path }] : []
    })
    if (!files.length) continue
    const size = files.reduce((n, f) => n + f.bytes.length, 0)
    const ms = best(SMALL_RUNS, () => files.forEach((f) => void f.format.decode(f.bytes, f.path)))
    const row = { name, note: `${files.length}, ${Math.round((files.length / ms) * 1000)} files/s`, bytes: size, ms }
    rows.push({
      ...row,
      against: 'copying the bytes',
      againstMs: best(SMALL_RUNS, () => files.forEach((f) => void f.bytes.slice())),
      aim,
    })
    // copying a small file is nearly free: how near a decoder is to its limit shows beside what no reader of these parts can leave out
    const parts = files.map((f) => ({ bytes: f.bytes, sizes: partsOf(f.format.decode(f.bytes, f.path)).map((part) => part.byteLength) }))
    rows.push({
      ...row,
      name: `${name}: to the limit`,
      note: `${parts.reduce((n, { sizes }) => n + sizes.length, 0)} parts`,
      against: 'one copy, and an object with a view for each part',
      againstMs: best(SMALL_RUNS, () => parts.forEach(({ bytes, sizes }) => void plain(bytes, sizes))),
      aim: 0.25,
    })
  }
  return rows
}
