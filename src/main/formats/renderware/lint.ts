/**
 * What the games will choke on, and what is odd but harmless. The rules about San Andreas come from a public write-up of its
 * loader and from counted files; docs/formats/renderware.md lists them with their evidence. What the decoder itself found
 * (locked sizes, raw chunks, tails) is in the document's own diagnostics.
 */
import { nameOf } from '../../binary/reader.ts'
import { invertAffine } from '../../../shared/scene/matrix.ts'
import { Diagnostics } from '../format.ts'
import { paddedMatrix } from './scene/basis.ts'
import { ID, stampVersion } from './codecs/chunk-ids.ts'
import { childOf, childrenOf, chunkPaths, valueOf } from './codecs/chunk.ts'
import { FRAME_WORDS } from './codecs/frame-list.ts'
import { HANIM, hanim, nodeParents } from './codecs/hanim.ts'
import { keyLayout } from './codecs/ifp.ts'
import { readModel } from './codecs/model.ts'
import { levelExtent, levelSize, rasterProblem } from './codecs/raster.ts'
import { nodeFlags } from './scene/skeleton.ts'
import { boneMatrix, boneStride, makeSplit, neededWeights, noSplit, skinPlg, splitProblems, weightedBones } from './codecs/skin.ts'
import { binMesh } from './codecs/bin-mesh.ts'
import { nativeTextureStruct, texDictionaryStruct, PLATFORM, dxtKind } from './codecs/texture-native.ts'
import { nodeName } from './codecs/texture.ts'
import { texturesOf } from './codecs/txd.ts'
import type { Chunk } from './codecs/chunk.ts'
import type { HAnim } from './codecs/hanim.ts'
import type { ClumpView, GeometryView } from './codecs/model.ts'
import type { DffDocument } from './codecs/dff.ts'
import type { IfpDocument } from './codecs/ifp.ts'
import type { Skin } from './codecs/skin.ts'
import type { TxdDocument } from './codecs/txd.ts'
import type { Document, Family, LintModel } from '../format.ts'
import type { Diagnostic, Severity } from '../../../shared/api/errors.ts'

export function lint(document: Document, model: LintModel): Diagnostic[] {
  const out = new Report(document.ref)
  if (document.format === 'renderware.dff') lintDff(document as DffDocument, model, out)
  else if (document.format === 'renderware.txd') lintTxd(document as TxdDocument, out)
  else if (document.format === 'renderware.ifp') lintIfp(document as IfpDocument, out)
  return out.list
}

type Fix = { id: string; label: string }

class Report extends Diagnostics {
  say(severity: Severity, code: string, message: string, path: string, offset: number, ...fixes: Fix[]): void {
    this.list.push({ severity, code: `renderware.${code}`, message, path, offset, ref: this.ref, ...(fixes.length ? { fixes } : {}) })
  }
}

const FIX = {
  clearNoMatrices: { id: 'renderware.clear-no-matrices', label: 'Clear the flag' },
  keySize: { id: 'renderware.key-size', label: 'Set the size to 36, as the game has it' },
  version: { id: 'renderware.hanim-version', label: 'Set the version to 0x100' },
  fullWeight: { id: 'renderware.full-weight', label: 'Give these vertices fully to the bone in their first slot' },
  normalize: { id: 'renderware.normalize-weights', label: 'Make weights sum to 1' },
  boneZero: { id: 'renderware.bone-zero', label: 'Clear these weights and set their bone to 0' },
  used: { id: 'renderware.recompute-used', label: 'List the bones that have weights' },
  maximum: { id: 'renderware.recompute-maximum', label: 'Count the weights anew' },
  header: { id: 'renderware.match-header', label: 'Make the header agree with the layout' },
  splitAgain: { id: 'renderware.split-again', label: 'Make split data anew for the same palette limit' },
  splitNone: { id: 'renderware.split-none', label: 'Remove split data, as all skins of the PC games are' },
  trimName: { id: 'renderware.trim-name', label: 'Take the padding off the name' },
  count: { id: 'renderware.txd-count', label: 'Set the count' },
  levels: { id: 'renderware.level-count', label: 'Count the level' },
  atomics: { id: 'renderware.atomic-count', label: 'Set the count' },
  skinnedLast: { id: 'renderware.skinned-last', label: 'Put an atomic with a skin last' },
  oneTable: { id: 'renderware.one-table', label: 'Keep the first table alone' },
  nodeOrder: { id: 'renderware.node-order', label: 'Number the nodes as they stand' },
  pushPop: { id: 'renderware.push-pop', label: 'Make the flags anew from the frames' },
  splitWords: { id: 'renderware.split-words', label: 'Add the three words: not split' },
  excess: { id: 'renderware.cut-excess', label: 'Cut these bytes off' },
  descend: { id: 'renderware.sort-weights', label: 'Sort the weights of each vertex' },
  total: { id: 'renderware.total-indices', label: 'Set the total' },
} as const

// --- models ------------------------------------------------------------------------------------------------------

/** Node numbers that the game looks up on every ped. */
const ALWAYS_USED = [0, 1, 2, 3, 4, 5, 6, 7, 8, 21, 22, 23, 24, 31, 32, 33, 34, 41, 42, 43, 51, 52, 53]

function lintDff(document: DffDocument, model: LintModel, out: Report): void {
  const paths = chunkPaths(document.roots)
  const { clumps } = readModel(document)
  if (clumps.length === 0) out.say('error', 'no-clump', 'the file has no clump: no game loads it as a model', '', 0)
  for (const clump of clumps) lintClump(clump, paths, out)
  if (document.trailing.some((b) => b !== 0))
    out.say(
      'info',
      'junk-tail',
      `${document.trailing.length} bytes follow the last chunk; games do not read them`,
      'trailing',
      document.roots[document.roots.length - 1]?.end ?? 0,
    )
  lintTextureNames(clumps, model, paths, out)
}

function lintClump(clump: ClumpView, paths: Map<Chunk, string>, out: Report): void {
  const path = (chunk: Chunk | undefined): string => (chunk && paths.get(chunk)) ?? ''
  const offset = (chunk: Chunk | undefined): number => chunk?.start ?? -1
  const skinned = clump.atomics.map((a) => clump.geometries[a.geometry]?.skin ?? a.legacySkin)
  const isPed = skinned.some(Boolean)
  // counts and links
  if (clump.struct && clump.struct.numAtomics !== clump.atomics.length)
    out.say(
      'error',
      'atomic-count',
      `the clump counts ${clump.struct.numAtomics} atomics and has ${clump.atomics.length}`,
      `${path(clump.chunk)}.struct.numAtomics`,
      offset(clump.chunk),
      FIX.atomics,
    )
  clump.atomics.forEach((atomic) => {
    if (atomic.frame < 0)
      out.say(
        'error',
        'atomic-frame',
        'the atomic names a frame that is not there',
        `${path(atomic.chunk)}.struct.frameIndex`,
        offset(atomic.chunk),
      )
    if (atomic.geometry < 0)
      out.say(
        'error',
        'atomic-geometry',
        'the atomic names a geometry that is not there',
        `${path(atomic.chunk)}.struct.geometryIndex`,
        offset(atomic.chunk),
      )
  })
  let badParents = 0
  let roots = 0
  for (let i = 0; i < clump.frames.length; i++) {
    const parent = clump.frameList!.ints[FRAME_WORDS * i + 12]
    if (parent < 0) roots++
    else if (parent >= i && badParents++ === 0)
      out.say(
        'error',
        'frame-parent',
        `frame ${i} stands before its parent ${parent}`,
        `${path(clump.frameListChunk)}.struct.frames[${i}].parent`,
        offset(clump.frameListChunk),
      )
  }
  if (clump.frames.length && roots !== 1)
    out.say(
      'warning',
      'frame-roots',
      `the frame list has ${roots} roots; known files have one`,
      `${path(clump.frameListChunk)}.struct`,
      offset(clump.frameListChunk),
    )
  for (const frame of clump.frames) {
    const bytes = valueOf(frame.nameChunk, nodeName)?.bytes
    if (bytes && bytes.length > 23) {
      const trims = bytes.indexOf(0) >= 0 && bytes.indexOf(0) <= 23
      out.say(
        'warning',
        'node-name-length',
        `the name of frame ${frame.index} takes ${bytes.length} bytes; the game keeps 24 with its end, the rest overwrites what follows`,
        path(frame.nameChunk),
        offset(frame.nameChunk),
        ...(trims ? [FIX.trimName] : []),
      )
    }
    if (frame.hanim && frame.hanim.version !== 0x100)
      out.say(
        'error',
        'hanim-version',
        `HAnim version is 0x${(frame.hanim.version >>> 0).toString(16)}; the game loads 0x100 only`,
        path(frame.hanimChunk),
        offset(frame.hanimChunk),
        FIX.version,
      )
  }
  lintGeometries(clump, path, out)
  if (clump.atomics.length === 0 && clump.tableFrame >= 0)
    out.say(
      'error',
      'no-atomic',
      'the clump has a table of bones and no atomic: San Andreas takes the skin of the last one and crashes',
      path(clump.chunk),
      offset(clump.chunk),
    )
  if (!isPed) return
  // the skinned ones: what the game does with a ped; files of earlier games break these rules and are fine there
  const crash: Severity = stampVersion(clump.chunk.stamp) >= 0x36000 ? 'error' : 'warning'
  const last = clump.atomics[clump.atomics.length - 1]
  if (last && !skinned[skinned.length - 1])
    out.say(
      crash,
      'last-atomic-unskinned',
      'the last atomic has no skin: San Andreas takes the skin of the last one and crashes',
      path(last.chunk),
      offset(last.chunk),
      FIX.skinnedLast,
    )
  const tables = clump.frames.filter((f) => f.hanim?.table)
  if (tables.length === 0) {
    out.say(
      crash,
      'no-hanim-table',
      'no frame has the table of bones: San Andreas crashes on a skinned model without one',
      path(clump.frameListChunk),
      offset(clump.frameListChunk),
    )
    return
  }
  if (tables.length > 1)
    out.say(
      'error',
      'several-tables',
      `frames ${tables.map((f) => f.index).join(', ')} have tables of bones; one is expected`,
      path(tables[1].hanimChunk),
      offset(tables[1].hanimChunk),
      FIX.oneTable,
    )
  const frame = tables[0]
  const table = frame.hanim!.table!
  const where = path(frame.hanimChunk)
  const at = offset(frame.hanimChunk)
  if (frame.parent < 0)
    out.say('warning', 'table-on-root', 'the table stands on the root frame: the figure is drawn at the origin of the map', where, at)
  if (table.flags & HANIM.noMatrices)
    out.say('error', 'hanim-no-matrices', 'the flag "no matrices" is set: San Andreas crashes', `${where}.flags`, at, FIX.clearNoMatrices)
  if (table.maxKeyFrameSize < 28)
    out.say(
      'error',
      'hanim-key-size',
      `keys of ${table.maxKeyFrameSize} bytes: San Andreas writes 28 and overwrites its heap`,
      `${where}.maxKeyFrameSize`,
      at,
      FIX.keySize,
    )
  const { underflows, left } = nodeParents(table)
  if (underflows || left)
    out.say(
      'error',
      'push-pop',
      underflows ? `the flags pop ${underflows} times more than they push` : `the flags push ${left} times more than they pop`,
      `${where}.nodes`,
      at,
      ...(framesTell(clump) ? [FIX.pushPop] : []),
    )
  const seen = new Set<number>()
  const twice = new Set<number>()
  for (const node of clump.nodes) (seen.has(node.id) ? twice : seen).add(node.id)
  if (twice.size)
    out.say('error', 'duplicate-node', `node ids ${[...twice].join(', ')} stand in the table more than once`, `${where}.nodes`, at)
  for (let i = 0; i < clump.nodes.length; i++) {
    if (table.nodes[3 * i + 1] === i) continue
    out.say(
      'error',
      'node-order',
      `node ${i} has index ${table.nodes[3 * i + 1]}: bones would take each other's matrices`,
      `${where}.nodes[${i}].index`,
      at,
      FIX.nodeOrder,
    )
    break
  }
  const homeless = clump.nodes.filter((_, i) => clump.frameOfNode[i] < 0)
  if (homeless.length)
    out.say('warning', 'node-without-frame', `no frame has the node ids ${list(homeless.map((n) => n.id))}`, `${where}.nodes`, at)
  const missing = ALWAYS_USED.filter((id) => !seen.has(id))
  if (missing.length && missing.length <= 8)
    out.say(
      'warning',
      'missing-nodes',
      `San Andreas looks up the nodes ${list(missing)} on every ped, and they are not there`,
      `${where}.nodes`,
      at,
    )
  clump.atomics.forEach((atomic, a) => {
    const skin = skinned[a]
    if (!skin) return
    const chunk = clump.geometries[atomic.geometry]?.skin ? clump.geometries[atomic.geometry].skinChunk : atomic.skinChunk
    if (skin.numBones !== clump.nodes.length)
      out.say(
        'error',
        'bone-count',
        `the skin has ${skin.numBones} bones, the table ${clump.nodes.length}: the game reads past the shorter one`,
        path(chunk),
        offset(chunk),
      )
  })
}

/** Whether every node has a frame, and stands behind its parent in an order that push and pop can say. */
function framesTell(clump: ClumpView): boolean {
  return nodeFlags(clump) !== undefined
}

function lintGeometries(clump: ClumpView, path: (chunk: Chunk | undefined) => string, out: Report): void {
  const lastGeometry = clump.atomics[clump.atomics.length - 1]?.geometry ?? -1
  clump.geometries.forEach((geometry, g) => {
    const where = path(geometry.chunk)
    const at = geometry.chunk.start
    if (geometry.native)
      out.say('warning', 'native-geometry', 'the geometry is in the form of a console or driver: the PC games do not draw it', where, at)
    lintBinMesh(geometry, where, path, out)
    const { skin, skinChunk } = geometry
    if (skin && skinChunk) lintSkin(skin, skinChunk, geometry, g === lastGeometry, path(skinChunk), out)
  })
  for (const atomic of clump.atomics)
    if (atomic.legacySkin)
      out.say(
        'info',
        'legacy-skin',
        'the skin stands on the atomic, as before version 3.4: San Andreas does not read it there',
        path(atomic.skinChunk),
        atomic.skinChunk?.start ?? -1,
      )
}

function lintBinMesh(geometry: GeometryView, where: string, path: (chunk: Chunk | undefined) => string, out: Report): void {
  const chunk = childrenOf(geometry.chunk, ID.extension)
    .map((e) => childOf(e, ID.binMesh))
    .find(Boolean)
  const bins = geometry.binMesh
  const { struct } = geometry
  if (!struct) return
  if (!bins) {
    if (!geometry.native && struct.numTriangles > 0)
      out.say('warning', 'no-bin-mesh', 'the geometry has no BinMesh: San Andreas draws nothing else', where, geometry.chunk.start)
    return
  }
  const total = bins.meshes.reduce((sum, m) => sum + m.numIndices, 0)
  if (total !== bins.totalIndices)
    out.say(
      'warning',
      'total-indices',
      `totalIndices is ${bins.totalIndices}, the meshes have ${total}`,
      `${path(chunk)}.totalIndices`,
      chunk!.start,
      FIX.total,
    )
  bins.meshes.forEach((mesh, m) => {
    if (mesh.material >= geometry.materials.length)
      out.say(
        'error',
        'material-range',
        `mesh ${m} names material ${mesh.material}, the geometry has ${geometry.materials.length}`,
        `${path(chunk)}.meshes[${m}].material`,
        chunk!.start,
      )
    let outside = 0
    for (const i of mesh.indices ?? []) if (i >= struct.numVertices) outside++
    if (outside)
      out.say(
        'error',
        'vertex-range',
        `${outside} indices of mesh ${m} name vertices that are not there`,
        `${path(chunk)}.meshes[${m}].indices`,
        chunk!.start,
      )
  })
  let flat = struct.triangles.length > 0 && bins.meshes.length > 1
  for (let t = 2; t < struct.triangles.length && flat; t += 4) flat = struct.triangles[t] === 0
  if (flat)
    out.say(
      'info',
      'struct-materials',
      'all triangles of the Struct have material 0 while BinMesh divides them; the game draws BinMesh, so this is harmless',
      `${where}.struct.triangles`,
      geometry.chunk.start,
    )
}

function lintSkin(skin: Skin, chunk: Chunk, geometry: GeometryView, isLast: boolean, where: string, out: Report): void {
  const at = chunk.start
  const say = (severity: Severity, code: string, message: string, field: string, ...fixes: Fix[]): void =>
    out.say(severity, code, message, field ? `${where}.${field}` : where, at, ...fixes)
  if (skin.numBones === 0) say('error', 'no-bones', 'the skin has no bones', 'numBones')
  if (skin.numBones > 64)
    say('error', 'too-many-bones', `${skin.numBones} bones: San Andreas keeps matrices for 64 on its stack`, 'numBones')
  if (chunk.data.length)
    say('error', 'skin-size', `${chunk.data.length} bytes more than the layout has: the game loses its place in the file`, '', FIX.excess)
  if (skin.layout === 'new' && skin.maxWeights === 0)
    say(
      'error',
      'skin-layout',
      'maxWeightsPerVertex is 0, so San Andreas reads the old layout, but the chunk has the new one',
      'maxWeightsPerVertex',
      FIX.header,
    )
  if (skin.layout === 'old' && skin.maxWeights !== 0)
    say(
      'error',
      'skin-layout',
      'maxWeightsPerVertex is not 0, so San Andreas reads the new layout, but the chunk has the old one',
      'maxWeightsPerVertex',
      FIX.header,
    )
  if (skin.layout === 'new' && !skin.split)
    say(
      'error',
      'no-split-words',
      'the three words of split data are missing: the game reads into the next chunk',
      'boneLimit',
      FIX.splitWords,
    )
  if (skin.maxWeights > 4)
    say('error', 'max-weights', `maxWeightsPerVertex is ${skin.maxWeights}; a vertex has four`, 'maxWeightsPerVertex', FIX.maximum)
  // used bones
  if (skin.layout === 'new') {
    const weighted = weightedBones(skin)
    const listed = new Set(skin.used)
    const lacking = [...weighted].filter((b) => !listed.has(b))
    const extra = [...skin.used].filter((b) => !weighted.includes(b))
    if (skin.numUsed === 0 && skin.maxWeights > 0)
      say(
        'error',
        'no-used-bones',
        'numUsedBones is 0 in the new layout: San Andreas does not count them itself, and draws garbage',
        'numUsedBones',
        FIX.used,
      )
    else if (lacking.length)
      say('warning', 'used-bones-missing', `bonesUsed lacks the weighted bones ${list(lacking)}`, 'bonesUsed', FIX.used)
    if (extra.length)
      say('info', 'used-bones-extra', `bonesUsed lists bones without weights: ${list(extra)}; this is harmless`, 'bonesUsed', FIX.used)
    if (skin.numUsed > 81)
      say('info', 'software-skinning', `${skin.numUsed} used bones: from 82 on the game skins on the processor`, 'numUsedBones')
    const needed = neededWeights(skin)
    if (skin.maxWeights > 0 && skin.maxWeights <= 4 && needed > skin.maxWeights)
      say(
        'warning',
        'max-weights-low',
        `maxWeightsPerVertex is ${skin.maxWeights}, vertices need ${needed}: the weights beyond are not used`,
        'maxWeightsPerVertex',
        FIX.maximum,
      )
    if (skin.maxWeights <= 4 && needed > 0 && needed < skin.maxWeights)
      say(
        'info',
        'max-weights-high',
        `maxWeightsPerVertex is ${skin.maxWeights}, vertices need ${needed}; this is harmless`,
        'maxWeightsPerVertex',
        FIX.maximum,
      )
  }
  lintWeights(skin, isLast, say)
  const matrix = new Float64Array(16)
  const singular: number[] = []
  let junk = 0
  for (let b = 0; b < skin.numBones; b++) {
    const own = boneMatrix(skin, b)
    paddedMatrix(matrix, 0, own, 0)
    if (!matrix.every(Number.isFinite) || !invertAffine(new Float64Array(16), 0, matrix, 0)) singular.push(b)
    const word = boneStride(skin) * (b + 1) - 16
    for (const k of [3, 7, 11, 15]) if (skin.bones[word + k] !== 0 && !(k === 3 && skin.bones[word + k] === 0x80000000)) junk++
  }
  if (singular.length)
    say('error', 'singular-matrix', `the matrices of bones ${list(singular)} cannot be inverted`, `bones[${singular[0]}].skinToBoneMatrix`)
  if (junk)
    say(
      'info',
      'matrix-padding',
      `${junk} padding words of the matrices hold left-over data; the game does not read them, and they are kept`,
      'bones',
    )
  const problems = splitProblems(skin, geometry.binMesh)
  if (problems.length)
    say('error', 'split-data', `split data is wrong: ${problems.slice(0, 3).join('; ')}`, 'meshBoneRLE', FIX.splitAgain, FIX.splitNone)
}

function lintWeights(
  skin: Skin,
  isLast: boolean,
  say: (severity: Severity, code: string, message: string, field: string, ...fixes: Fix[]) => void,
): void {
  let zero = 0,
    firstZero = -1,
    off = 0,
    unsorted = 0,
    notNumbers = 0,
    negative = 0,
    outside = 0,
    idle = 0,
    repeated = 0
  for (let v = 0; v < skin.numVertices; v++) {
    let sum = 0
    let descending = true
    for (let i = 4 * v; i < 4 * v + 4; i++) {
      const w = skin.weights[i]
      if (!Number.isFinite(w)) notNumbers++
      else if (w < 0) negative++
      sum += w
      if (i > 4 * v && w > skin.weights[i - 1]) descending = false
      if (skin.indices[i] >= skin.numBones) {
        if (w > 0) outside++
        else idle++
      }
      if (w > 0) for (let k = 4 * v; k < i; k++) if (skin.weights[k] > 0 && skin.indices[k] === skin.indices[i]) repeated++
    }
    if (sum === 0) {
      if (firstZero < 0) firstZero = v
      zero++
    } else if (Math.abs(sum - 1) > 1e-3) off++
    if (!descending) unsorted++
  }
  if (notNumbers) say('error', 'weight-not-a-number', `${notNumbers} weights are no numbers`, 'vertexBoneWeights')
  if (negative) say('warning', 'weight-negative', `${negative} weights are below zero`, 'vertexBoneWeights')
  if (zero)
    say(
      isLast ? 'error' : 'warning',
      'zero-weights',
      `${zero} vertices have no weight (the first is ${firstZero})${isLast ? ': the game divides by their sum, and they vanish' : ''}`,
      'vertexBoneWeights',
      FIX.fullWeight,
    )
  if (off)
    say(
      'info',
      'weight-sum',
      `the weights of ${off} vertices do not sum to 1; the game makes them${isLast ? '' : ', but only on the last atomic'}`,
      'vertexBoneWeights',
      FIX.normalize,
    )
  if (unsorted)
    say('info', 'weight-order', `the weights of ${unsorted} vertices do not descend; the game sorts them`, 'vertexBoneWeights', FIX.descend)
  if (repeated) say('info', 'bone-twice', `${repeated} weights name a bone that their vertex already has`, 'vertexBoneIndices')
  if (outside)
    say(
      'error',
      'bone-range',
      `${outside} weights name bones that are not there: the game takes matrices from elsewhere`,
      'vertexBoneIndices',
      FIX.boneZero,
    )
  if (idle)
    say(
      'info',
      'bone-range-idle',
      `${idle} slots without weight name bones that are not there; this is harmless`,
      'vertexBoneIndices',
      FIX.boneZero,
    )
}

function lintTextureNames(clumps: readonly ClumpView[], model: LintModel, paths: Map<Chunk, string>, out: Report): void {
  const dictionaries = (model.binding?.members ?? [])
    .filter((m) => m.role === 'textures')
    .map((m) => model.load(m.ref))
    .filter((d): d is Document => d?.format === 'renderware.txd')
  const known = new Set(dictionaries.flatMap((d) => texturesOf(d as TxdDocument).map((t) => t.name.toLowerCase())))
  const said = new Set<string>()
  for (const clump of clumps) {
    for (const geometry of clump.geometries) {
      for (const material of geometry.materials) {
        const name = material.texture?.name
        if (!name || said.has(name.toLowerCase())) continue
        said.add(name.toLowerCase())
        const path = paths.get(material.texture!.chunk) ?? ''
        if (name.length > 31)
          out.say(
            'warning',
            'texture-name-length',
            `the texture name "${name}" has ${name.length} characters; dictionaries hold 31`,
            path,
            material.texture!.chunk.start,
          )
        // without a dictionary at hand nothing is known about what the game would find
        if (dictionaries.length && !known.has(name.toLowerCase()))
          out.say('warning', 'texture-missing', `no texture dictionary of this model has "${name}"`, path, material.texture!.chunk.start)
      }
    }
  }
}

// --- texture dictionaries ------------------------------------------------------------------------------------------

function lintTxd(document: TxdDocument, out: Report): void {
  const paths = chunkPaths(document.roots)
  for (const root of document.roots) {
    const struct = childOf(root, ID.struct)
    const count = valueOf(struct, texDictionaryStruct)
    const there = childrenOf(root, ID.textureNative).length
    if (count && root.type === ID.texDictionary && count.count !== there)
      out.say(
        'error',
        'txd-count',
        `the dictionary counts ${count.count} textures and has ${there}`,
        `${paths.get(struct!)}.count`,
        struct!.start,
        FIX.count,
      )
  }
  const seen = new Set<string>()
  for (const texture of texturesOf(document)) {
    const path = paths.get(texture.chunk) ?? ''
    const at = texture.chunk.start
    const key = texture.name.toLowerCase()
    if (key && seen.has(key))
      out.say('warning', 'texture-twice', `two textures are named "${texture.name}"; the game takes the last`, path, at)
    seen.add(key)
    const { native } = texture
    if (!native || native.platform === PLATFORM.ps2 || native.platform === PLATFORM.xbox) {
      out.say(
        'info',
        'texture-platform',
        native
          ? `"${texture.name}" is for ${texture.format}: it is kept, and cannot be changed`
          : 'a texture of an unknown platform is kept as it is',
        path,
        at,
      )
      continue
    }
    const struct = childOf(texture.chunk, ID.struct)
    if (native.name.indexOf(0) < 0)
      out.say('warning', 'texture-name-end', `the name of "${texture.name}" fills its field without an end`, `${path}.struct.name`, at)
    if (native.levels.length !== native.numLevels)
      out.say(
        'warning',
        'level-count',
        `"${texture.name}" counts ${native.numLevels} levels and has ${native.levels.length}`,
        `${path}.struct.numLevels`,
        struct!.start,
        FIX.levels,
      )
    native.levels.some((level, i) => {
      const needed = levelSize(native, i)
      if (level.data.length !== needed)
        out.say(
          level.data.length < needed ? 'error' : 'warning',
          'level-size',
          `level ${i} of "${texture.name}" has ${level.data.length} bytes, ${levelExtent(native.width, i)} x ${levelExtent(native.height, i)} pixels take ${needed}`,
          `${path}.struct.levels[${i}]`,
          struct!.start,
        )
      return level.data.length !== needed
    })
    const problem = rasterProblem(native)
    if (problem && native.levels.length) out.say('warning', 'texture-format', `"${texture.name}": ${problem}`, path, at)
    if (!powerOfTwo(native.width) || !powerOfTwo(native.height))
      out.say(
        'info',
        'texture-size',
        `"${texture.name}" is ${native.width} x ${native.height}; old cards draw powers of two only`,
        path,
        at,
      )
    if (dxtKind(native) && (native.width % 4 || native.height % 4))
      out.say(
        'warning',
        'texture-blocks',
        `"${texture.name}" is block-compressed and ${native.width} x ${native.height}, no multiple of 4`,
        path,
        at,
      )
  }
}

function powerOfTwo(n: number): boolean {
  return n > 0 && (n & (n - 1)) === 0
}

// --- animations ----------------------------------------------------------------------------------------------------

function lintIfp(document: IfpDocument, out: Report): void {
  const names = new Set<string>()
  document.animations.forEach((animation, a) => {
    const path = `animations[${a}]`
    const name = nameOf(animation.name)
    if (names.has(name.toLowerCase())) out.say('info', 'clip-twice', `two animations are named "${name}"`, path, animation.start)
    names.add(name.toLowerCase())
    let backwards = 0,
      weak = 0,
      bad = 0
    const ids = new Set<number>()
    let twice = 0
    for (const bone of animation.bones) {
      if (bone.boneId >= 0 && ids.has(bone.boneId)) twice++
      ids.add(bone.boneId)
      const layout = keyLayout(document, bone)
      const column = bone.shorts ?? bone.floats
      if (!layout || !column) continue
      const unit = bone.shorts ? 1 / 4096 : 1
      for (let k = 0; k < bone.numKeys; k++) {
        const at = layout.stride * k
        const time = column[at + layout.time]
        if (k > 0 && time < column[at - layout.stride + layout.time]) backwards++
        const length = Math.hypot(column[at], column[at + 1], column[at + 2], column[at + 3]) * unit
        if (!Number.isFinite(length) || !Number.isFinite(time)) bad++
        else if (length < 0.5 || length > 1.2) weak++
      }
    }
    if (bad) out.say('error', 'key-not-a-number', `${bad} keys of "${name}" are no numbers`, path, animation.start)
    if (backwards) out.say('warning', 'key-order', `${backwards} keys of "${name}" stand before the key they follow`, path, animation.start)
    if (weak) out.say('warning', 'key-length', `${weak} rotations of "${name}" are far from length 1`, path, animation.start)
    if (twice) out.say('warning', 'clip-bone-twice', `"${name}" moves ${twice} bones twice`, path, animation.start)
  })
}

function list(values: readonly number[]): string {
  return values.slice(0, 12).join(', ') + (values.length > 12 ? ` … (${values.length})` : '')
}

// --- fixes -------------------------------------------------------------------------------------------------------

/** The chunk that a diagnostic is about: the longest path that the diagnostic's begins with. */
function chunkAt(document: Document, path: string): Chunk | undefined {
  let best: Chunk | undefined
  let length = -1
  for (const [chunk, own] of chunkPaths((document as DffDocument).roots)) {
    if ((path === own || path.startsWith(`${own}.`)) && own.length > length) {
      best = chunk
      length = own.length
    }
  }
  return best
}

function skinFix(change: (skin: Skin, bins: GeometryView | undefined) => void): (document: Document, diagnostic: Diagnostic) => void {
  return (document, diagnostic) => {
    const chunk = chunkAt(document, diagnostic.path)
    const skin = valueOf(chunk, skinPlg)
    if (!skin) return
    const geometry = readModel(document as DffDocument)
      .clumps.flatMap((c) => c.geometries)
      .find((g) => g.skin === skin)
    change(skin, geometry)
  }
}

/** Sets the list of used bones to those that have weights. */
export function recomputeUsed(skin: Skin): void {
  if (skin.layout !== 'new') return
  skin.used = weightedBones(skin)
  skin.numUsed = skin.used.length
}

/** Sets the maximum of weights to what the vertices need. */
export function recomputeMaximum(skin: Skin): void {
  if (skin.layout === 'new') skin.maxWeights = Math.max(1, neededWeights(skin))
}

export const fixes: NonNullable<Family['fixes']> = {
  [FIX.clearNoMatrices.id]: hanimFix((value) => {
    if (value.table) value.table.flags &= ~HANIM.noMatrices
  }),
  [FIX.keySize.id]: hanimFix((value) => {
    if (value.table) value.table.maxKeyFrameSize = 36
  }),
  [FIX.version.id]: hanimFix((value) => {
    value.version = 0x100
  }),
  [FIX.fullWeight.id]: skinFix((skin) => {
    for (let v = 0; v < skin.numVertices; v++) {
      if (skin.weights[4 * v] + skin.weights[4 * v + 1] + skin.weights[4 * v + 2] + skin.weights[4 * v + 3] !== 0) continue
      skin.weights[4 * v] = 1
      if (skin.indices[4 * v] >= skin.numBones) skin.indices[4 * v] = 0
    }
  }),
  [FIX.normalize.id]: skinFix((skin) => {
    for (let v = 0; v < skin.numVertices; v++) {
      const w = skin.weights.subarray(4 * v, 4 * v + 4)
      const sum = w[0] + w[1] + w[2] + w[3]
      if (sum > 0 && Math.abs(sum - 1) > 1e-3) for (let i = 0; i < 4; i++) w[i] /= sum
    }
  }),
  [FIX.boneZero.id]: skinFix((skin) => {
    for (let i = 0; i < skin.indices.length; i++) {
      if (skin.indices[i] < skin.numBones) continue
      skin.indices[i] = 0
      skin.weights[i] = 0
    }
  }),
  [FIX.used.id]: skinFix(recomputeUsed),
  [FIX.maximum.id]: skinFix(recomputeMaximum),
  [FIX.header.id]: skinFix((skin) => {
    if (skin.layout === 'new') recomputeMaximum(skin)
    else if (skin.layout === 'old') skin.maxWeights = 0
  }),
  [FIX.splitAgain.id]: skinFix((skin, geometry) => {
    if (geometry?.binMesh && skin.split) skin.split = makeSplit(skin, geometry.binMesh, skin.split.boneLimit || 64)
  }),
  [FIX.splitNone.id]: skinFix((skin) => {
    if (skin.split) skin.split = noSplit()
  }),
  [FIX.trimName.id]: (document, diagnostic) => {
    const value = valueOf(chunkAt(document, diagnostic.path), nodeName)
    if (!value) return
    const end = value.bytes.indexOf(0)
    if (end >= 0) value.bytes = value.bytes.slice(0, end)
  },
  [FIX.count.id]: (document, diagnostic) => {
    const roots = (document as TxdDocument).roots
    for (const root of roots) {
      const struct = childOf(root, ID.struct)
      const value = valueOf(struct, texDictionaryStruct)
      if (value && diagnostic.path.startsWith(chunkPaths(roots).get(root) ?? '?')) value.count = childrenOf(root, ID.textureNative).length
    }
  },
  [FIX.levels.id]: (document, diagnostic) => {
    const native = valueOf(chunkAt(document, diagnostic.path), nativeTextureStruct)
    if (native) native.numLevels = native.levels.length
  },
  [FIX.atomics.id]: clumpFix((clump) => {
    if (clump.struct) clump.struct.numAtomics = clump.atomics.length
  }),
  [FIX.skinnedLast.id]: clumpFix((clump) => {
    const skinned = clump.atomics.filter((a) => clump.geometries[a.geometry]?.skin ?? a.legacySkin)
    const chunk = skinned[skinned.length - 1]?.chunk
    const children = clump.chunk.children!
    if (!chunk) return
    children.splice(children.indexOf(chunk), 1)
    const last = clump.atomics.map((a) => children.indexOf(a.chunk)).reduce((a, b) => Math.max(a, b), -1)
    children.splice(last + 1, 0, chunk)
  }),
  [FIX.oneTable.id]: clumpFix((clump) => {
    for (const { hanim: own } of clump.frames.filter((f) => f.hanim?.table).slice(1)) {
      own!.numNodes = 0
      delete own!.table
    }
  }),
  [FIX.nodeOrder.id]: hanimFix((value) => {
    for (let i = 0; i < value.numNodes; i++) value.table!.nodes[3 * i + 1] = i
  }),
  [FIX.pushPop.id]: clumpFix((clump) => {
    const flags = nodeFlags(clump)
    const table = clump.frames[clump.tableFrame]?.hanim?.table
    if (!flags || !table) return
    for (let i = 0; i < flags.length; i++) table.nodes[3 * i + 2] = (table.nodes[3 * i + 2] & ~(HANIM.push | HANIM.pop)) | flags[i]
  }),
  [FIX.splitWords.id]: skinFix((skin) => {
    if (skin.layout === 'new') skin.split ??= noSplit()
  }),
  [FIX.excess.id]: (document, diagnostic) => {
    const chunk = chunkAt(document, diagnostic.path)
    if (chunk?.codec === skinPlg) chunk.data = new Uint8Array(0)
  },
  [FIX.descend.id]: skinFix((skin) => {
    for (let v = 0; v < skin.numVertices; v++) {
      const slots = [0, 1, 2, 3].map((i) => ({ bone: skin.indices[4 * v + i], weight: skin.weights[4 * v + i] }))
      if (slots.every(({ weight }, i) => i === 0 || !(weight > slots[i - 1].weight))) continue
      slots.sort((a, b) => b.weight - a.weight)
      slots.forEach(({ bone, weight }, i) => {
        skin.indices[4 * v + i] = bone
        skin.weights[4 * v + i] = weight
      })
    }
  }),
  [FIX.total.id]: (document, diagnostic) => {
    const bins = valueOf(chunkAt(document, diagnostic.path), binMesh)
    if (bins) bins.totalIndices = bins.meshes.reduce((sum, m) => sum + m.numIndices, 0)
  },
}

/** The clump that a diagnostic's path begins with. */
function clumpFix(change: (clump: ClumpView) => void): (document: Document, diagnostic: Diagnostic) => void {
  return (document, diagnostic) => {
    const paths = chunkPaths((document as DffDocument).roots)
    const clump = readModel(document as DffDocument).clumps.find(
      ({ chunk }) => diagnostic.path === paths.get(chunk) || diagnostic.path.startsWith(`${paths.get(chunk)}.`),
    )
    if (clump) change(clump)
  }
}

function hanimFix(change: (value: HAnim) => void): (document: Document, diagnostic: Diagnostic) => void {
  return (document, diagnostic) => {
    const value = valueOf(chunkAt(document, diagnostic.path), hanim)
    if (value) change(value)
  }
}
