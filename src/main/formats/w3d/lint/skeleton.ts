/** Pivots of a skeleton. */
import { notFound, numberIn } from '../../address.ts'
import { fix } from '../../lint.ts'
import { ID } from '../codecs/chunk-ids.ts'
import { leafOf } from '../codecs/chunk.ts'
import {
  HIERARCHY_HEADER,
  PIVOTS,
  eulerOf,
  hierarchiesOf,
  pivotEuler,
  pivotName,
  pivotParent,
  pivotQuaternion,
  pivotTranslation,
  quaternionOf,
} from '../codecs/hierarchy.ts'
import { above, nameEnds, type Scope } from './lookup.ts'
import { say } from '../texts/index.ts'
import { length4 } from '../../../../shared/scene/length.ts'
import type { Document } from '../../format.ts'
import type { W3dDocument } from '../codecs/file.ts'
import type { Hierarchy } from '../codecs/hierarchy.ts'

export const FIX = {
  pivotCount: fix<W3dDocument>(
    'w3d.pivot-count',
    () => say('lint.fixes.count'),
    (document, { path }) => {
      const [hierarchy] = hierarchiesOf({ chunks: [above(document, path, ID.HIERARCHY)] })
      if (hierarchy.header) hierarchy.header.numPivots = hierarchy.count
    },
  ),
  quaternion: fix<W3dDocument>(
    'w3d.pivot-quaternion',
    () => say('lint.fixes.makeRotation'),
    (document, { path }) => {
      const { hierarchy, pivot } = pivotIn(document, path)
      const q = pivotQuaternion(hierarchy.pivots!.data, pivot)
      const length = length4(q[0], q[1], q[2], q[3])
      // where nothing can be made of it, the exporter's angles may still say what was meant
      q.set(
        length > 1e-6 && Number.isFinite(length)
          ? Array.from(q, (v) => v / length)
          : quaternionOf(Array.from(pivotEuler(hierarchy.pivots!.data, pivot), (v) => (Number.isFinite(v) ? v : 0))),
      )
    },
  ),
  euler: fix<W3dDocument>(
    'w3d.pivot-euler',
    () => say('lint.fixes.setAngles'),
    (document, { path }) => {
      const { hierarchy, pivot } = pivotIn(document, path)
      pivotEuler(hierarchy.pivots!.data, pivot).set(eulerOf(pivotQuaternion(hierarchy.pivots!.data, pivot)))
    },
  ),
}

function pivotIn(document: Document, path: string): { hierarchy: Hierarchy; pivot: number } {
  const chunk = above(document, path, ID.HIERARCHY)
  const hierarchy = hierarchiesOf({ chunks: [chunk] })[0]
  const pivot = numberIn(path, 'pivot') ?? -1
  if (!hierarchy.pivots || pivot < 0 || pivot >= hierarchy.count) notFound(say('lint.missing.pivot', { path }))
  return { hierarchy, pivot }
}

export function skeletons(scope: Scope): void {
  for (const hierarchy of hierarchiesOf(scope.document)) skeleton(scope, hierarchy)
}

function skeleton(scope: Scope, h: Hierarchy): void {
  const { chunk, pivots, header } = h
  if (!header || !pivots) {
    scope.say('hierarchy-incomplete', say(header ? 'lint.noPivots' : 'lint.noSkeletonHeader'), chunk)
    return
  }
  const headerChunk = leafOf(chunk, HIERARCHY_HEADER)!
  nameEnds(scope, (told) => say('lint.nameFull.skeleton', told), header.name, headerChunk, 'name', 4)
  if (header.numPivots !== h.count)
    scope.say('pivot-count', say('lint.pivotCount', { count: header.numPivots, there: h.count }), headerChunk, {
      path: 'numPivots',
      at: 20,
      fix: FIX.pivotCount,
    })
  const names = new Map<string, number>()
  for (let i = 0; i < h.count; i++) {
    const at = i * PIVOTS.stride
    const path = `pivot[${i}]`
    const name = pivotName(pivots.data, i)
    const parent = pivotParent(pivots.data, i)
    if (pivots.data.bytes.subarray(at, at + 16).indexOf(0) < 0)
      scope.say('name-length', say('lint.pivotNameFull', { name }), pivots, { path: `${path}.name`, at })
    if (parent < 0 && i > 0 && !h.preRoot)
      scope.say('second-root', say('lint.secondRoot', { name }), pivots, {
        path: `${path}.parent`,
        at: at + 16,
      })
    if (parent >= i)
      scope.say('pivot-parent', say('lint.pivotParent', { name, parent }), pivots, {
        path: `${path}.parent`,
        at: at + 16,
      })
    if (i === 0 && parent >= 0) scope.say('root-parent', say('lint.rootParent'), pivots, { path: `${path}.parent`, at: 16 })
    const q = pivotQuaternion(pivots.data, i)
    const t = pivotTranslation(pivots.data, i)
    const length = length4(q[0], q[1], q[2], q[3])
    if (!(Math.abs(length - 1) < 1e-3))
      scope.say('pivot-quaternion', say('lint.pivotLength', { name, length: Number(length.toPrecision(4)) }), pivots, {
        path: `${path}.quat`,
        at: at + 44,
        fix: FIX.quaternion,
      })
    else {
      // BFME's exporter leaves the angles at 0
      const angles = pivotEuler(pivots.data, i)
      const e = angles.some((v) => v !== 0) ? quaternionOf(angles) : q
      const dot = Math.abs(e[0] * q[0] + e[1] * q[1] + e[2] * q[2] + e[3] * q[3])
      if (!(dot > 0.998))
        scope.say('pivot-euler', say('lint.pivotAngles', { name }), pivots, { path: `${path}.euler`, at: at + 32, fix: FIX.euler })
    }
    if (!t.every(Number.isFinite))
      scope.say('pivot-translation', say('lint.pivotTranslation', { name }), pivots, { path: `${path}.trans`, at: at + 20 })
    if (i === 0 && !h.preRoot && (t.some((v) => Math.abs(v) > 1e-6) || Math.abs(q[3]) < 0.999999))
      scope.say('root-transform', say('lint.rootTransform'), pivots, { path: `${path}.trans`, at: 20 })
    const lower = name.toLowerCase()
    if (names.has(lower))
      scope.say('pivot-name-twice', say('lint.pivotTwice', { first: names.get(lower)!, second: i, name }), pivots, {
        path: `${path}.name`,
        at,
      })
    else names.set(lower, i)
  }
  const fixups = chunk.children.find((c) => c.id === ID.PIVOT_FIXUPS)
  if (fixups && h.fixups) {
    const width = h.fixups.form === 'vector' ? 3 : 12
    if (h.fixups.form === 'vector') scope.say('fixup-vectors', say('lint.fixupVectors'), fixups)
    if (h.fixups.values.length !== width * h.count)
      scope.say('fixup-count', say('lint.fixupCount', { count: h.fixups.values.length / width, pivots: h.count }), fixups)
  }
}
