/**
 * WGT: skin weights. A track list whose node is the owner of the skinned mesh, whose target is the bone and whose keys are
 * (vertex, weight 0..100). Groups without keys and their order mean something: DC1 reads the list as a matrix program
 * (first group of a skin: parent of the owner, no keys; then ancestors before descendants).
 */
import { extensionOf } from '../../../../shared/ref.ts'
import { isWeightType } from './mot.ts'
import { KEY_WORDS, keyFloats, keyTotal, newTrack } from './tracks.ts'
import { TRACK_TYPE } from './track-types.ts'
import { decodeTrackList, describeTrackList, encodeTrackList, hasTrackHeader, trackTypesIn } from './track-list.ts'
import { say } from '../texts/index.ts'
import type { FileFormat, SkinSummary } from '../../format.ts'
import type { TrackListDocument, TrackNode } from './tracks.ts'

export interface WgtDocument extends TrackListDocument {
  readonly format: 'level5.wgt'
}

/** What a full weight is in the file. */
export const FULL_WEIGHT = 100

/** One group: the vertices of the mesh of node `owner` that `bone` moves. */
export function newWeightGroup(owner: number, bone: number, vertices: ArrayLike<number> = [], weights: ArrayLike<number> = []): TrackNode {
  return newTrack({ node: owner, target: bone, type: TRACK_TYPE.weights, frames: vertices, values: weights })
}

/**
 * Groups that hold weights. The public spec takes the type for padding: where no group of a WGT says that it holds weights, all do.
 */
export function weightGroups(document: TrackListDocument): TrackNode[] {
  const marked = document.tracks.filter((track) => isWeightType(track.type))
  return marked.length || document.format !== 'level5.wgt' ? marked : document.tracks
}

/** Owners of skins in the order of the file. */
export function skinOwners(document: TrackListDocument): number[] {
  return [...new Set(weightGroups(document).map((track) => track.node))]
}

/** Weight groups of each skin, in the order of the file. */
export function groupsByOwner(document: TrackListDocument): Map<number, TrackNode[]> {
  const out = new Map<number, TrackNode[]>()
  for (const track of weightGroups(document)) {
    const list = out.get(track.node)
    if (list) list.push(track)
    else out.set(track.node, [track])
  }
  return out
}

/** How often each vertex is counted. Their numbers come from the file: a table of them is made where they are near to how many there are. */
class VertexCounts {
  /** vertices that were counted */
  size = 0
  /** how often the one that was counted most */
  most = 0
  private readonly table: Uint32Array
  private readonly beyond = new Map<number, number>()

  constructor(groups: readonly TrackNode[]) {
    const keys = groups.reduce((n, group) => n + keyTotal(group), 0)
    this.table = new Uint32Array(2 * keys)
  }

  add(vertex: number): void {
    const { table, beyond } = this
    const isNear = vertex < table.length
    const count = (isNear ? table[vertex] : (beyond.get(vertex) ?? 0)) + 1
    if (isNear) table[vertex] = count
    else beyond.set(vertex, count)
    if (count === 1) this.size++
    if (count > this.most) this.most = count
  }
}

/** Statistics of every skin of the file; bones by number, since their names are in the MDS. */
function summarizeSkins(document: TrackListDocument, nameOf: (node: number) => string = (node) => `#${node}`): SkinSummary[] {
  return [...groupsByOwner(document)].map(([owner, groups]) => {
    const influences = new VertexCounts(groups)
    const bones = new Map<number, { name: string; vertices: number; sum: number }>()
    let weights = 0
    for (const group of groups) {
      const floats = keyFloats(group)
      const n = keyTotal(group)
      let sum = 0
      let used = 0
      for (let k = 0; k < n; k++) {
        const weight = floats[KEY_WORDS * k + 4]
        if (weight === 0 || Number.isNaN(weight)) continue
        used++
        sum += weight
        influences.add(group.keys[KEY_WORDS * k])
      }
      if (!used) continue
      weights += used
      const bone = bones.get(group.target) ?? { name: nameOf(group.target), vertices: 0, sum: 0 }
      bone.vertices += used
      bone.sum += sum
      bones.set(group.target, bone)
    }
    return { mesh: nameOf(owner), vertices: influences.size, weights, maxInfluences: influences.most, bones: [...bones.values()] }
  })
}

export const wgtFormat: FileFormat<WgtDocument> = {
  id: 'level5.wgt',
  get label() {
    return say('codecs.wgt.label')
  },
  family: 'level5',
  kind: 'skin',
  extensions: ['wgt'],
  identify(head, name, size) {
    const extension = extensionOf(name)
    const types = trackTypesIn(head, size)
    if (!types) return extension === 'wgt' && hasTrackHeader(head) ? 0.6 : 0
    if (extension === 'wgt') return 0.95
    if (extension === 'mot') return 0.3
    return types.every(isWeightType) ? 0.7 : 0.3
  },
  decode(bytes, ref, memory) {
    const document = decodeTrackList('level5.wgt', bytes, ref, memory) as WgtDocument
    if (document.tracks.every((track) => !isWeightType(track.type))) {
      document.diagnostics.push({
        severity: 'info',
        code: 'level5.wgt-type',
        message: say('codecs.wgt.noWeightType', { type: TRACK_TYPE.weights }),
        ref,
        path: 'tracks[0].type',
        offset: 8,
      })
    }
    return document
  },
  encode: encodeTrackList,
  describe: (document) =>
    describeTrackList(document, {
      type: 'group',
      node: 'meshNode',
      target: 'bone',
      frame: 'vertex',
      note: (track) => say('codecs.wgt.group', { node: track.node, bone: track.target, count: keyTotal(track) }),
    }),
  summarize(document) {
    const skins = summarizeSkins(document)
    const highest = document.tracks.reduce((most, track) => Math.max(most, track.node, track.target), -1)
    return {
      skins,
      needs: [`level5.nodes:${highest + 1}`],
      note: [say('codecs.wgt.skins', { count: skins.length }), say('codecs.wgt.groups', { count: document.tracks.length })].join(', '),
    }
  },
}
