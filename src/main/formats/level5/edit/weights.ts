/**
 * Weights of a WGT on its own scale (0 to 100). Values are changed in place, keys come and go within their group, groups stay
 * even when they run empty: DC1 reads them as a program.
 */
import { refuse } from '../../editing.ts'
import { addressOf, notHere, numberIn, ofFormat, readAddress } from '../../address.ts'
import { meshOf, nodeName } from '../codecs/mds.ts'
import { KEY_WORDS, insertTrack, keyFloats, keyTotal, setKeys } from '../codecs/tracks.ts'
import { wgtFormat, FULL_WEIGHT, newWeightGroup, skinOwners, weightGroups } from '../codecs/wgt.ts'
import { say } from '../texts/index.ts'
import type { NativeWeights } from '../../../../shared/api/types/weights.ts'
import type { OpenDocuments, WeightEditor } from '../../editing.ts'
import type { MdsDocument } from '../codecs/mds.ts'
import type { TrackNode } from '../codecs/tracks.ts'
import type { WgtDocument } from '../codecs/wgt.ts'

function modelOf(model: OpenDocuments): MdsDocument {
  const document = model.document(model.binding.primary)
  return document?.format === 'level5.mds' ? (document as MdsDocument) : refuse(say('edit.weights.noModel'))
}

function parseId(id: string): { ref: string; owner: number } {
  const { ref, path } = readAddress(id, 'skin')
  return { ref, owner: numberIn(path, 'skin') ?? notHere('skin', id) }
}

function vertexCountOf(mds: MdsDocument, owner: number): number {
  const n = mds.nodes[owner]
  const mdt = n && meshOf(mds, n)
  return mdt ? mdt.vertices.length / 4 : refuse(say('edit.weights.noMesh', { node: owner }))
}

function groupsOf(document: WgtDocument, owner: number): TrackNode[] {
  return weightGroups(document).filter((t) => t.node === owner)
}

const rules = (): string[] => [
  say('edit.weights.range'),
  say('edit.weights.groups'),
  say('edit.weights.newGroups'),
  say('edit.weights.unweighted'),
]

export const weights: WeightEditor = {
  list(model) {
    const mds = modelOf(model)
    const { scene } = model.assembled
    return model.binding.members.flatMap(({ ref }) => {
      const document = model.document(ref)
      if (document?.format !== 'level5.wgt') return []
      return skinOwners(document as WgtDocument).flatMap((owner) => {
        const n = mds.nodes[owner]
        const mdt = n && meshOf(mds, n)
        if (!mdt) return []
        const joint = scene.skeleton.nativeIndex.indexOf(owner)
        return [
          {
            id: addressOf(ref, `skin[${owner}]`),
            mesh: nodeName(n),
            sceneMesh: scene.meshes.findIndex((m) => m.joint === joint),
            vertexCount: mdt.vertices.length / 4,
          },
        ]
      })
    })
  },

  read(model, id) {
    const { ref, owner } = parseId(id)
    const document = model.document(ref) as WgtDocument | undefined
    if (document?.format !== 'level5.wgt') return refuse(say('edit.weights.notHere'))
    const mds = modelOf(model)
    const vertexCount = vertexCountOf(mds, owner)
    const { scene } = model.assembled
    const jointOf = new Map(Array.from(scene.skeleton.nativeIndex, (native, joint) => [native, joint]))
    const groups = groupsOf(document, owner).filter((g) => g.target >= 0 && g.target < mds.nodes.length)
    const offsets = new Uint32Array(vertexCount + 1)
    for (const group of groups)
      for (let k = 0; k < group.keys.length; k += KEY_WORDS) if (group.keys[k] < vertexCount) offsets[group.keys[k] + 1]++
    for (let v = 0; v < vertexCount; v++) offsets[v + 1] += offsets[v]
    const bone = new Uint16Array(offsets[vertexCount])
    const weight = new Float32Array(offsets[vertexCount])
    const next = offsets.slice()
    for (const group of groups) {
      const floats = keyFloats(group)
      for (let k = 0; k < group.keys.length; k += KEY_WORDS) {
        const vertex = group.keys[k]
        if (vertex >= vertexCount) continue
        bone[next[vertex]] = group.target
        weight[next[vertex]++] = floats[k + 4]
      }
    }
    const out: NativeWeights = {
      id,
      mesh: nodeName(mds.nodes[owner]),
      sceneMesh: scene.meshes.findIndex((m) => m.joint === jointOf.get(owner)),
      vertexCount,
      bones: mds.nodes.map((n, i) => ({ name: nodeName(n), joint: jointOf.get(i) ?? -1 })),
      offsets,
      bone,
      weight,
      limits: { fullWeight: FULL_WEIGHT, maxInfluences: 0, step: 0, packedFront: false, rules: rules(), readOnly: '' },
    }
    return out
  },

  write(session, edit) {
    const { ref, owner } = parseId(edit.id)
    const mds = modelOf(session)
    const vertexCount = vertexCountOf(mds, owner)
    if (
      edit.offsets.length !== edit.vertices.length + 1 ||
      edit.bone.length !== edit.weight.length ||
      (edit.offsets.at(-1) ?? 0) > edit.bone.length
    )
      refuse(say('edit.weights.notTogether'))
    for (const v of edit.vertices) if (v >= vertexCount) refuse(say('formats.noVertex', { vertex: v }))
    for (let i = 0; i < edit.bone.length; i++) {
      if (edit.bone[i] >= mds.nodes.length) refuse(say('edit.weights.noBone', { bone: edit.bone[i] }))
      if (!Number.isFinite(edit.weight[i])) refuse(say('edit.weights.noNumber', { weight: edit.weight[i] }))
    }
    const document = ofFormat<WgtDocument>(session.edit(ref), wgtFormat.id, 'skin', edit.id)
    const groups = groupsOf(document, owner)
    if (!groups.length) refuse(say('edit.weights.noWeights', { node: owner }))
    // where each edited vertex stands now
    const wanted = new Set(edit.vertices)
    const places = new Map<number, { group: TrackNode; key: number; bone: number }[]>()
    for (const group of groups) {
      for (let k = 0; k < keyTotal(group); k++) {
        const vertex = group.keys[KEY_WORDS * k]
        if (!wanted.has(vertex)) continue
        let list = places.get(vertex)
        if (!list) places.set(vertex, (list = []))
        list.push({ group, key: k, bone: group.target })
      }
    }
    const changed = new Map<TrackNode, { removed: Set<number>; added: { vertex: number; weight: number }[] }>()
    const change = (group: TrackNode): { removed: Set<number>; added: { vertex: number; weight: number }[] } => {
      let entry = changed.get(group)
      if (!entry) changed.set(group, (entry = { removed: new Set(), added: [] }))
      return entry
    }
    edit.vertices.forEach((vertex, i) => {
      const old = places.get(vertex) ?? []
      const used = new Set<number>()
      for (let e = edit.offsets[i]; e < edit.offsets[i + 1]; e++) {
        const bone = edit.bone[e]
        const value = Math.fround(edit.weight[e])
        const at = old.findIndex((p, j) => p.bone === bone && !used.has(j))
        // a weight that is out of range in the file may stay as it is
        const stays = at >= 0 && keyFloats(old[at].group)[KEY_WORDS * old[at].key + 4] === value
        if (!stays && (value < 0 || value > FULL_WEIGHT)) refuse(say('edit.weights.outside', { weight: value, most: FULL_WEIGHT }))
        if (at >= 0) {
          const { group, key } = old[at]
          const floats = keyFloats(group)
          // zero takes the key out, unless it stood there as zero
          if (value === 0 && floats[KEY_WORDS * key + 4] !== 0) continue
          used.add(at)
          if (floats[KEY_WORDS * key + 4] !== value) floats[KEY_WORDS * key + 4] = value
        } else if (value > 0) {
          const group = groupFor(document, mds, owner, bone)
          change(group).added.push({ vertex, weight: value })
        }
      }
      old.forEach((p, j) => {
        if (!used.has(j)) change(p.group).removed.add(p.key)
      })
    })
    for (const [group, { removed, added }] of changed) rebuild(group, removed, added)
  },
}

function rebuild(group: TrackNode, removed: ReadonlySet<number>, added: { vertex: number; weight: number }[]): void {
  const records: Uint32Array[] = []
  let sorted = true
  for (let k = 0; k < keyTotal(group); k++) {
    if (k && group.keys[KEY_WORDS * k] < group.keys[KEY_WORDS * (k - 1)]) sorted = false
    if (!removed.has(k)) records.push(group.keys.slice(KEY_WORDS * k, KEY_WORDS * k + KEY_WORDS))
  }
  const like = group.keys.length ? group.keys.slice(0, KEY_WORDS) : new Uint32Array(KEY_WORDS)
  for (const { vertex, weight } of added) {
    const record = like.slice()
    record[0] = vertex
    new Float32Array(record.buffer)[4] = weight
    records.push(record)
  }
  // stable: vertices that stand twice keep their order
  if (sorted) records.sort((a, b) => a[0] - b[0])
  const keys = new Uint32Array(KEY_WORDS * records.length)
  records.forEach((r, i) => keys.set(r, KEY_WORDS * i))
  setKeys(group, keys)
}

/**
 * The group of a bone, made where there is none: behind its ancestors, before its descendants. In a list that begins like
 * DC1's (parent of the owner, no keys) ancestors that are missing get empty groups, so that the matrix chain holds.
 */
function groupFor(document: WgtDocument, mds: MdsDocument, owner: number, bone: number): TrackNode {
  const mine = (): TrackNode[] => groupsOf(document, owner)
  const found = mine().find((g) => g.target === bone)
  if (found) return found
  const first = mine()[0]
  const chain: number[] = []
  const seen = new Set<number>()
  for (let b = bone; b >= 0 && b < mds.nodes.length && !seen.has(b); b = mds.nodes[b].parent) {
    seen.add(b)
    chain.unshift(b)
  }
  const isProgram = first.target === mds.nodes[owner].parent && keyTotal(first) === 0
  const reset = chain.indexOf(first.target)
  const missing = (isProgram ? chain.slice(reset + 1) : [bone]).filter((b) => !mine().some((g) => g.target === b))
  let made = first
  for (const b of missing) {
    const ancestors = new Set(chain.slice(0, chain.indexOf(b)))
    const list = mine()
    const lastAncestor = list.findLast((g) => ancestors.has(g.target))
    const firstDescendant = list.find((g) => descends(mds, g.target, b))
    const at = lastAncestor
      ? document.tracks.indexOf(lastAncestor) + 1
      : firstDescendant
        ? document.tracks.indexOf(firstDescendant)
        : document.tracks.indexOf(list.at(-1)!) + 1
    made = newWeightGroup(owner, b)
    made.type = first.type
    made.word6 = first.word6
    made.word7 = first.word7
    insertTrack(document, at, made)
  }
  return made
}

function descends(mds: MdsDocument, node: number, ancestor: number): boolean {
  let steps = 0
  for (let n = mds.nodes[node]?.parent ?? -1; n >= 0 && n < mds.nodes.length && steps++ < mds.nodes.length; n = mds.nodes[n].parent)
    if (n === ancestor) return true
  return false
}
