/** Nodes of an MDS: name and local matrix. Parts of a matrix that an edit does not mean keep their bits. */
import { refuse } from '../../editing.ts'
import { jointAt, notHere } from '../../address.ts'
import { baseName } from '../../../../shared/ref.ts'
import { compose, decompose, identity, invertAffine, multiply } from '../../../../shared/scene/matrix.ts'
import { withName } from '../../../binary/reader.ts'
import { mdsWorlds } from '../scene/skeleton.ts'
import { nodeAttributes } from '../codecs/attributes.ts'
import { nodeName } from '../codecs/mds.ts'
import { encodeText } from '../codecs/names.ts'
import { keepingSkins } from './rest-pose.ts'
import { typeLabel } from '../codecs/track-types.ts'
import { weightGroups } from '../codecs/wgt.ts'
import { say } from '../texts/index.ts'
import type { EditSession, OpenDocuments, SkeletonEditor } from '../../editing.ts'
import type { MdsDocument, MdsNode } from '../codecs/mds.ts'
import type { TrackListDocument } from '../codecs/tracks.ts'

function nativeOf(model: OpenDocuments, joint: number): number {
  return model.assembled.scene.skeleton.nativeIndex[jointAt(model, joint)]
}

function nodeOf(document: MdsDocument | undefined, native: number): MdsNode {
  return document?.nodes[native] ?? notHere('node', native)
}

function writable(session: EditSession, joint: number): MdsNode {
  return nodeOf(session.edit<MdsDocument>(session.binding.primary), nativeOf(session, joint))
}

interface Parts {
  translation: Float32Array
  rotation: Float32Array
  scale: Float32Array
}

function partsOf(n: MdsNode): Parts {
  const out = { translation: new Float32Array(3), rotation: new Float32Array(4), scale: new Float32Array(3) }
  decompose(n.matrix, 0, out.translation, 0, out.rotation, 0, out.scale, 0)
  return out
}

/** Rotation and scale again; the translation row and the last column stay as they are. */
function setTurn(n: MdsNode, parts: Parts): void {
  const m = new Float32Array(16)
  compose(m, 0, parts.translation, 0, parts.rotation, 0, parts.scale, 0)
  for (const i of [0, 1, 2, 4, 5, 6, 8, 9, 10]) n.matrix[i] = m[i]
}

function numbers(value: number[] | string, count: number, key: string): number[] {
  if (!Array.isArray(value) || value.length !== count || !value.every(Number.isFinite))
    return refuse(say('edit.skeleton.needsNumbers', { key, count: count }), key)
  return value
}

export const skeleton: SkeletonEditor = {
  abilities: { rename: true, transform: true, reparent: true, keepSkin: true },

  references(model, joint) {
    const native = nativeOf(model, joint)
    const out: { ref: string; what: string }[] = []
    for (const { ref } of model.binding.members) {
      const document = model.document(ref)
      if (document?.format === 'level5.mot') {
        const types = [...new Set((document as TrackListDocument).tracks.filter((t) => t.node === native).map((t) => typeLabel(t.type)))]
        if (types.length) out.push({ ref, what: say('edit.skeleton.tracks', { types: types.join(', ') }) })
      } else if (document?.format === 'level5.wgt') {
        const { tracks } = document as TrackListDocument
        const groups = tracks.filter((t) => t.target === native && t.keyCount > 0).length
        if (groups) out.push({ ref, what: say('edit.skeleton.boneOfGroups', { count: groups }) })
        if (tracks.some((t) => t.node === native)) out.push({ ref, what: say('edit.skeleton.ownerOfMesh') })
      } else if (document?.format === 'level5.bbp') out.push({ ref, what: say('edit.skeleton.bindMatrix') })
    }
    return out
  },

  rename(session, joint, name) {
    const n = writable(session, joint)
    if (nodeName(n) === name) return
    if (!name) refuse(say('edit.skeleton.needsName'), 'name')
    n.name = withName(n.name, encodeText(name))
  },

  fields(model, joint) {
    const document = model.document(model.binding.primary) as MdsDocument | undefined
    const n = nodeOf(document, nativeOf(model, joint))
    const parts = partsOf(n)
    const { unknown, ...known } = nodeAttributes(nodeName(n))
    const set = Object.entries(known)
      .filter(([, v]) => v !== false && v !== 'default' && v !== 'none' && v !== -1)
      .map(([k, v]) => (v === true ? k : `${k} ${v}`))
    return [
      {
        key: 'name',
        label: say('edit.skeleton.name'),
        value: nodeName(n),
        note:
          set.length || unknown
            ? say('edit.skeleton.attributes', {
                list: [...set, ...(unknown ? [say('edit.skeleton.unknownAttributes', { list: String(unknown) })] : [])].join(', '),
              })
            : undefined,
      },
      { key: 'translation', label: say('edit.skeleton.translation'), value: [...parts.translation] },
      { key: 'rotation', label: say('edit.skeleton.rotation'), value: [...parts.rotation] },
      { key: 'scale', label: say('edit.skeleton.scale'), value: [...parts.scale] },
      { key: 'matrix', label: say('edit.skeleton.matrix'), value: [...n.matrix], note: say('edit.skeleton.matrixNote') },
    ]
  },

  setField(session, joint, key, value, { keepSkin }) {
    if (key === 'name') {
      if (typeof value !== 'string') refuse(say('edit.skeleton.nameIsText'), 'name')
      skeleton.rename!(session, joint, value)
      return
    }
    if (keepSkin) keepingSkins(session, () => setPart(writable(session, joint), key, value))
    else setPart(writable(session, joint), key, value)
  },

  /** The scene has the file's own axes. */
  place(session, joint, { translation, rotation }, { keepSkin }) {
    const change = (): void => {
      const n = writable(session, joint)
      if (rotation) setPart(n, 'rotation', Array.from(rotation))
      if (translation) setPart(n, 'translation', Array.from(translation))
    }
    if (keepSkin) keepingSkins(session, change)
    else change()
  },

  /** The node stays where it is at rest, and so do bind pose and skins; its animation then turns it in the space of the new parent. */
  reparent(session, joint, parent) {
    const child = nativeOf(session, joint)
    const to = parent < 0 ? -1 : nativeOf(session, parent)
    const mds = session.document(session.binding.primary) as MdsDocument
    const below = new Set<number>([child])
    for (const n of mdsWorlds(mds).order) if (below.has(mds.nodes[n].parent)) below.add(n)
    if (below.has(to)) refuse(say('edit.skeleton.nodeBelowItself'))
    if (to === nodeOf(mds, child).parent) return
    for (const { ref } of session.binding.members) {
      const document = session.document(ref)
      if (document?.format !== 'level5.wgt') continue
      const groups = weightGroups(document as TrackListDocument)
      // Dark Cloud 1 walks the groups as a chain of matrices: a list that begins with one without keys, on the parent of the mesh
      const chained = new Set(
        groups
          .filter((t, i) => t.keyCount === 0 && t.target === mds.nodes[t.node]?.parent && groups.findIndex((g) => g.node === t.node) === i)
          .map((t) => t.node),
      )
      if (groups.some((t) => chained.has(t.node) && below.has(t.target))) refuse(say('edit.skeleton.chain', { file: baseName(ref) }))
    }
    keepingSkins(session, (document) => {
      const { worlds } = mdsWorlds(document)
      const n = nodeOf(document, child)
      const local = new Float64Array(16)
      identity(local)
      if (to >= 0 && !invertAffine(local, 0, worlds, 16 * to)) refuse(say('formats.parentWithoutPlace'))
      multiply(local, 0, local, 0, worlds, 16 * child)
      n.parent = to
      // the last column is no part of an affine matrix: its bits stay
      for (let c = 0; c < 16; c++) if (c % 4 !== 3) n.matrix[c] = local[c]
    })
  },
}

/** One field of a node; what it does not mean keeps its bits. */
function setPart(n: MdsNode, key: string, value: number[] | string): void {
  const parts = partsOf(n)
  switch (key) {
    case 'translation':
      numbers(value, 3, key).forEach((v, i) => (n.matrix[12 + i] = v))
      break
    case 'rotation': {
      const q = numbers(value, 4, key)
      const length = Math.hypot(...q)
      if (!(length > 0)) refuse(say('edit.skeleton.zeroRotation'), key)
      q.forEach((v, i) => (parts.rotation[i] = v / length))
      setTurn(n, parts)
      break
    }
    case 'scale':
      parts.scale.set(numbers(value, 3, key))
      setTurn(n, parts)
      break
    case 'matrix':
      numbers(value, 16, key).forEach((v, i) => {
        if (n.matrix[i] !== Math.fround(v)) n.matrix[i] = v
      })
      break
    default:
      notHere('field', key)
  }
}
