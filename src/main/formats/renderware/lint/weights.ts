/** Skins: layout, used bones, weights, matrices, split data. */
import { invertAffine } from '../../../../shared/scene/matrix.ts'
import { valueOf } from '../codecs/chunk.ts'
import { readModel } from '../codecs/model.ts'
import { boneMatrix, boneStride, neededWeights, recomputeMaximum, recomputeUsed, skinPlg, weightedBones } from '../codecs/skin.ts'
import { makeSplit, noSplit, splitProblems } from '../codecs/skin-split.ts'
import { paddedMatrix } from '../scene/basis.ts'
import { fix, type Fix, type Report } from '../../lint.ts'
import { chunkAt, listed } from './lookup.ts'
import type { Diagnostic, Severity } from '../../../../shared/api/errors.ts'
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
    'Give these vertices fully to the bone in their first slot',
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
    'Make weights sum to 1',
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
    'Clear these weights and set their bone to 0',
    skinFix((skin) => {
      for (let i = 0; i < skin.indices.length; i++) {
        if (skin.indices[i] < skin.numBones) continue
        skin.indices[i] = 0
        skin.weights[i] = 0
      }
    }),
  ),
  used: fix('renderware.recompute-used', 'List the bones that have weights', skinFix(recomputeUsed)),
  maximum: fix('renderware.recompute-maximum', 'Count the weights anew', skinFix(recomputeMaximum)),
  header: fix(
    'renderware.match-header',
    'Make the header agree with the layout',
    skinFix((skin) => {
      if (skin.layout === 'new') recomputeMaximum(skin)
      else if (skin.layout === 'old') skin.maxWeights = 0
    }),
  ),
  splitAgain: fix(
    'renderware.split-again',
    'Make split data anew for the same palette limit',
    skinFix((skin, geometry) => {
      if (geometry?.binMesh && skin.split) skin.split = makeSplit(skin, geometry.binMesh, skin.split.boneLimit || 64)
    }),
  ),
  splitNone: fix(
    'renderware.split-none',
    'Remove split data, as all skins of the PC games are',
    skinFix((skin) => {
      if (skin.split) skin.split = noSplit()
    }),
  ),
  splitWords: fix(
    'renderware.split-words',
    'Add the three words: not split',
    skinFix((skin) => {
      if (skin.layout === 'new') skin.split ??= noSplit()
    }),
  ),
  excess: fix('renderware.cut-excess', 'Cut these bytes off', (document, diagnostic) => {
    const chunk = chunkAt(document, diagnostic.path)
    if (chunk?.codec === skinPlg) chunk.data = new Uint8Array(0)
  }),
  descend: fix(
    'renderware.sort-weights',
    'Sort the weights of each vertex',
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

export function skin(skin: Skin, chunk: Chunk, geometry: GeometryView, isLast: boolean, where: string, report: Report): void {
  const at = chunk.start
  const say = (severity: Severity, code: string, message: string, field: string, ...fixes: Fix[]): void =>
    report.say(severity, code, message, field ? `${where}.${field}` : where, at, ...fixes)
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
    const used = new Set(skin.used)
    const lacking = [...weighted].filter((b) => !used.has(b))
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
      say('warning', 'used-bones-missing', `bonesUsed lacks the weighted bones ${listed(lacking)}`, 'bonesUsed', FIX.used)
    if (extra.length)
      say('info', 'used-bones-extra', `bonesUsed lists bones without weights: ${listed(extra)}; this is harmless`, 'bonesUsed', FIX.used)
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
    say(
      'error',
      'singular-matrix',
      `the matrices of bones ${listed(singular)} cannot be inverted`,
      `bones[${singular[0]}].skinToBoneMatrix`,
    )
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
