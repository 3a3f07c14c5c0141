/** Skins: layout, used bones, weights, matrices, split data. */
import { determinant } from '../../../../shared/scene/matrix.ts'
import { valueOf } from '../codecs/chunk.ts'
import { readModel } from '../codecs/model.ts'
import { boneMatrix, boneStride, neededWeights, recomputeMaximum, recomputeUsed, skinPlg, weightedBones } from '../codecs/skin.ts'
import { makeSplit, noSplit, splitProblems } from '../codecs/skin-split.ts'
import { paddedMatrix } from '../scene/basis.ts'
import { fix, type Fix } from '../../lint.ts'
import { chunkAt, listed } from './lookup.ts'
import { say } from '../texts/index.ts'
import type { Report, RuleId } from '../rules.ts'
import type { Diagnostic } from '../../../../shared/api/errors.ts'
import type { Document } from '../../format.ts'
import type { Chunk } from '../codecs/chunk.ts'
import type { DffDocument } from '../codecs/dff.ts'
import type { GeometryView } from '../codecs/model.ts'
import type { Skin } from '../codecs/skin.ts'

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

export const FIX = {
  fullWeight: fix(
    'renderware.full-weight',
    () => say('lint.fixes.fullWeight'),
    skinFix((skin) => {
      for (let v = 0; v < skin.numVertices; v++) {
        if (skin.weights[4 * v] + skin.weights[4 * v + 1] + skin.weights[4 * v + 2] + skin.weights[4 * v + 3] !== 0) continue
        skin.weights[4 * v] = 1
        if (skin.indices[4 * v] >= skin.numBones) skin.indices[4 * v] = 0
      }
    }),
  ),
  normalize: fix(
    'renderware.normalize-weights',
    () => say('lint.fixes.normalize'),
    skinFix((skin) => {
      for (let v = 0; v < skin.numVertices; v++) {
        const w = skin.weights.subarray(4 * v, 4 * v + 4)
        const sum = w[0] + w[1] + w[2] + w[3]
        if (sum > 0 && Math.abs(sum - 1) > 1e-3) for (let i = 0; i < 4; i++) w[i] /= sum
      }
    }),
  ),
  boneZero: fix(
    'renderware.bone-zero',
    () => say('lint.fixes.boneZero'),
    skinFix((skin) => {
      for (let i = 0; i < skin.indices.length; i++) {
        if (skin.indices[i] < skin.numBones) continue
        skin.indices[i] = 0
        skin.weights[i] = 0
      }
    }),
  ),
  used: fix('renderware.recompute-used', () => say('lint.fixes.used'), skinFix(recomputeUsed)),
  maximum: fix('renderware.recompute-maximum', () => say('lint.fixes.maximum'), skinFix(recomputeMaximum)),
  header: fix(
    'renderware.match-header',
    () => say('lint.fixes.header'),
    skinFix((skin) => {
      if (skin.layout === 'new') recomputeMaximum(skin)
      else if (skin.layout === 'old') skin.maxWeights = 0
    }),
  ),
  splitAgain: fix(
    'renderware.split-again',
    () => say('lint.fixes.splitAgain'),
    skinFix((skin, geometry) => {
      if (geometry?.binMesh && skin.split) skin.split = makeSplit(skin, geometry.binMesh, skin.split.boneLimit || 64)
    }),
  ),
  splitNone: fix(
    'renderware.split-none',
    () => say('lint.fixes.splitNone'),
    skinFix((skin) => {
      if (skin.split) skin.split = noSplit()
    }),
  ),
  splitWords: fix(
    'renderware.split-words',
    () => say('lint.fixes.splitWords'),
    skinFix((skin) => {
      if (skin.layout === 'new') skin.split ??= noSplit()
    }),
  ),
  excess: fix(
    'renderware.cut-excess',
    () => say('lint.fixes.excess'),
    (document, diagnostic) => {
      const chunk = chunkAt(document, diagnostic.path)
      if (chunk?.codec === skinPlg) chunk.data = new Uint8Array(0)
    },
  ),
  descend: fix(
    'renderware.sort-weights',
    () => say('lint.fixes.descend'),
    skinFix((skin) => {
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
  ),
}

/** Of the matrices of bones; all known ones are close to 1, none mirrors. */
const LEAST_DETERMINANT = 1e-9

type Found = (rule: RuleId, message: string, field: string, ...fixes: Fix[]) => void

export function skin(skin: Skin, chunk: Chunk, geometry: GeometryView, isLast: boolean, where: string, report: Report): void {
  const at = chunk.start
  const found: Found = (code, message, field, ...fixes) => report.say(code, message, field ? `${where}.${field}` : where, at, ...fixes)
  if (skin.numBones === 0) found('no-bones', say('lint.noBones'), 'numBones')
  if (skin.numBones > 64) found('too-many-bones', say('lint.moreThan64', { count: skin.numBones }), 'numBones')
  if (chunk.data.length) found('skin-size', say('lint.skinSize', { count: chunk.data.length }), '', FIX.excess)
  if (skin.layout === 'new' && skin.maxWeights === 0) found('skin-layout', say('lint.layoutIsNew'), 'maxWeightsPerVertex', FIX.header)
  if (skin.layout === 'old' && skin.maxWeights !== 0) found('skin-layout', say('lint.layoutIsOld'), 'maxWeightsPerVertex', FIX.header)
  if (skin.layout === 'new' && !skin.split) found('no-split-words', say('lint.noSplitWords'), 'boneLimit', FIX.splitWords)
  if (skin.maxWeights > 4) found('max-weights', say('lint.maxWeights', { count: skin.maxWeights }), 'maxWeightsPerVertex', FIX.maximum)
  // used bones
  if (skin.layout === 'new') {
    const weighted = weightedBones(skin)
    const used = new Set(skin.used)
    const lacking = [...weighted].filter((b) => !used.has(b))
    const extra = [...skin.used].filter((b) => !weighted.includes(b))
    if (skin.numUsed === 0 && skin.maxWeights > 0) found('no-used-bones', say('lint.noUsedBones'), 'numUsedBones', FIX.used)
    else if (lacking.length) found('used-bones-missing', say('lint.usedMissing', { bones: listed(lacking) }), 'bonesUsed', FIX.used)
    if (extra.length) found('used-bones-extra', say('lint.usedExtra', { bones: listed(extra) }), 'bonesUsed', FIX.used)
    if (skin.numUsed > 81) found('software-skinning', say('lint.softwareSkinning', { count: skin.numUsed }), 'numUsedBones')
    const needed = neededWeights(skin)
    if (skin.maxWeights > 0 && skin.maxWeights <= 4 && needed > skin.maxWeights)
      found('max-weights-low', say('lint.maxWeightsLow', { count: skin.maxWeights, needed }), 'maxWeightsPerVertex', FIX.maximum)
    if (skin.maxWeights <= 4 && needed > 0 && needed < skin.maxWeights)
      found('max-weights-high', say('lint.maxWeightsHigh', { count: skin.maxWeights, needed }), 'maxWeightsPerVertex', FIX.maximum)
  }
  lintWeights(skin, isLast, found, (code, message, field, ...fixes) => report.as('info', code, message, `${where}.${field}`, at, ...fixes))
  const matrix = new Float64Array(16)
  const singular: number[] = []
  let junk = 0
  for (let b = 0; b < skin.numBones; b++) {
    const own = boneMatrix(skin, b)
    paddedMatrix(matrix, 0, own, 0)
    if (!matrix.every(Number.isFinite) || !(determinant(matrix) > LEAST_DETERMINANT)) singular.push(b)
    const word = boneStride(skin) * (b + 1) - 16
    for (const k of [3, 7, 11, 15]) if (skin.bones[word + k] !== 0 && !(k === 3 && skin.bones[word + k] === 0x80000000)) junk++
  }
  if (singular.length)
    found('singular-matrix', say('lint.singularMatrix', { bones: listed(singular) }), `bones[${singular[0]}].skinToBoneMatrix`)
  if (junk) found('matrix-padding', say('lint.matrixJunk', { count: junk }), 'bones')
  const problems = splitProblems(skin, geometry.binMesh)
  if (problems.length)
    found('split-data', say('lint.splitWrong', { problems: problems.slice(0, 3).join('; ') }), 'meshBoneRLE', FIX.splitAgain, FIX.splitNone)
}

/** @param mild says what the game puts right by itself */
function lintWeights(skin: Skin, isLast: boolean, found: Found, mild: Found): void {
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
  if (notNumbers) found('weight-not-a-number', say('lint.weightsNoNumbers', { count: notNumbers }), 'vertexBoneWeights')
  if (negative) found('weight-negative', say('lint.weightsNegative', { count: negative }), 'vertexBoneWeights')
  if (zero)
    found(
      'zero-weights',
      say(isLast ? 'lint.zeroWeightsLast' : 'lint.zeroWeights', { count: zero, first: firstZero }),
      'vertexBoneWeights',
      FIX.fullWeight,
    )
  const tell = isLast ? mild : found
  if (off) tell('weight-sum', say(isLast ? 'lint.weightSumLast' : 'lint.weightSum', { count: off }), 'vertexBoneWeights', FIX.normalize)
  if (unsorted) found('weight-order', say('lint.weightOrder', { count: unsorted }), 'vertexBoneWeights', FIX.descend)
  if (repeated) found('bone-twice', say('lint.boneRepeated', { count: repeated }), 'vertexBoneIndices')
  if (outside) found('bone-range', say('lint.boneRange', { count: outside }), 'vertexBoneIndices', FIX.boneZero)
  if (idle) found('bone-range-idle', say('lint.boneRangeIdle', { count: idle }), 'vertexBoneIndices', FIX.boneZero)
}
