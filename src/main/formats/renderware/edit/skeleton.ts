/** Frames: their names, places and HAnim numbers. */
import { refuse } from '../../editing.ts'
import { jointAt, notHere, numberIn } from '../../address.ts'
import { withName } from '../../../binary/reader.ts'
import { compose, decompose, invertAffine, multiply } from '../../../../shared/scene/matrix.ts'
import { basisQuat, basisVector, frameMatrix } from '../scene/basis.ts'
import { ID } from '../codecs/chunk-ids.ts'
import { makeContainer, makeLeaf } from '../codecs/chunk.ts'
import { boneKey } from '../scene/clips.ts'
import { FRAME_WORDS } from '../codecs/frame-list.ts'
import { HANIM, nodeParents } from '../codecs/hanim.ts'
import { readModel } from '../codecs/model.ts'
import { moveFrame, putFrame, restFrame } from './move-bone.ts'
import { nodeFlags } from '../scene/clump-joints.ts'
import { boneStride } from '../codecs/skin.ts'
import { nodeName } from '../codecs/texture.ts'
import { say } from '../texts/index.ts'
import type { DffDocument } from '../codecs/dff.ts'
import type { IfpBone, IfpDocument } from '../codecs/ifp-bones.ts'
import type { ClumpView, FrameView } from '../codecs/model.ts'
import type { RestFrame } from './move-bone.ts'
import type { Document } from '../../format.ts'
import type { OpenDocuments, SkeletonEditor } from '../../editing.ts'

/** The game keeps names in 24 bytes with their end. */
const LONGEST_NAME = 23

interface Found {
  clump: ClumpView
  frame: FrameView
}

/** Frame of a joint, undefined for a joint that only the skin has. */
export function frameAt(model: OpenDocuments, document: DffDocument | undefined, joint: number): Found | undefined {
  const source = model.assembled.scene.skeleton.sources[jointAt(model, joint)]
  const number = source && numberIn(source.path, 'frames')
  if (number === undefined || document?.format !== 'renderware.dff') return undefined
  const clump = readModel(document).clumps[numberIn(source.path, 'clump') ?? 0]
  const frame = clump?.frames[number]
  return frame && { clump, frame }
}

function find(model: OpenDocuments, document: DffDocument | undefined, joint: number): Found {
  return frameAt(model, document, joint) ?? refuse(say('edit.noFrame'))
}

/** Rows of a frame, by their place in a column-major matrix and in the frame's floats. */
const ROWS = [
  { key: 'position', at: 12, stored: 9 },
  { key: 'right', at: 0, stored: 0 },
  { key: 'up', at: 4, stored: 3 },
  { key: 'at', at: 8, stored: 6 },
] as const

/** Numbers by which animations find joints of the model. */
function numbersOf(model: OpenDocuments): Set<number> {
  const document = model.document(model.binding.primary) as DffDocument
  return new Set(
    readModel(document).clumps.flatMap((clump) => [
      ...clump.frames.flatMap((f) => (f.hanim ? [f.hanim.nodeId] : [])),
      ...clump.nodes.map((n) => n.id),
    ]),
  )
}

/** Bones of animations that find a joint by its name: those without a number that the model has. */
function bonesNamed(document: Document | undefined, key: string, numbers: ReadonlySet<number>): IfpBone[] {
  if (document?.format !== 'renderware.ifp') return []
  return (document as IfpDocument).animations.flatMap((a) =>
    a.bones.filter((b) => (b.boneId < 0 || !numbers.has(b.boneId)) && boneKey(b.name) === key),
  )
}

export const skeleton: SkeletonEditor = {
  abilities: { rename: true, transform: true, reparent: true, keepSkin: true },
  references(model, joint) {
    const out: { ref: string; what: string }[] = []
    const { scene } = model.assembled
    const key = boneKey(scene.skeleton.names[jointAt(model, joint)])
    const numbers = numbersOf(model)
    for (const member of model.binding.members) {
      const byName = bonesNamed(model.document(member.ref), key, numbers).length
      if (byName) out.push({ ref: member.ref, what: say('edit.tracksByName', { count: byName }) })
    }
    scene.meshes
      .filter((m) => m.joint === joint)
      .forEach((m) => out.push({ ref: m.source.ref, what: say('edit.carriesMesh', { name: m.name }) }))
    return out
  },
  namedBy(model, joint) {
    const key = boneKey(model.assembled.scene.skeleton.names[jointAt(model, joint)])
    const numbers = numbersOf(model)
    return model.binding.members.map((m) => m.ref).filter((ref) => bonesNamed(model.document(ref), key, numbers).length > 0)
  },
  rename(session, joint, name, follow = false) {
    if (name.length < 1 || name.length > LONGEST_NAME) refuse(say('edit.frameNameLength', { most: LONGEST_NAME }))
    if (!/^[\x20-\x7e]+$/.test(name)) refuse(say('edit.plainFrameNames'))
    const { clump, frame } = find(session, session.edit<DffDocument>(session.binding.primary), joint)
    const bytes = Uint8Array.from(name, (c) => c.charCodeAt(0))
    if (follow) {
      const key = boneKey(frame.name)
      const numbers = numbersOf(session)
      for (const ref of skeleton.namedBy!(session, joint))
        for (const bone of bonesNamed(session.edit(ref), key, numbers)) bone.name = withName(bone.name, bytes)
    }
    const stamp = clump.chunk.stamp
    if (frame.nameChunk && frame.nameChunk.codec === nodeName) {
      frame.nameChunk.value = { bytes }
      frame.nameChunk.data = new Uint8Array(0)
    } else if (frame.extension?.children) frame.extension.children.push(makeLeaf(ID.nodeName, stamp, nodeName, { bytes }))
    else if (!frame.extension && clump.frameListChunk?.children && extensionCount(clump) === frame.index)
      clump.frameListChunk.children.push(makeContainer(ID.extension, stamp, [makeLeaf(ID.nodeName, stamp, nodeName, { bytes })]))
    else refuse(say('edit.noPlaceForName'))
  },
  fields(model, joint) {
    const found = frameAt(model, model.document(model.binding.primary) as DffDocument | undefined, joint)
    if (!found?.clump.frameList) return []
    const { clump, frame } = found
    const rest = restFrame(clump, frame.index)
    const values = shownRows(clump, frame.index, rest)
    const bone = rest.agrees || rest.topmost ? say('edit.restFollows') : say('edit.restOfSkin')
    const rows = ROWS.map(({ key }, i) => ({
      key,
      label: say(`edit.fields.${key}`),
      value: values[i],
      note: i === 0 && rest.node >= 0 ? bone : undefined,
    }))
    return [
      { key: 'name', label: say('edit.fields.name'), value: frame.name, note: say('edit.atMostCharacters', { most: LONGEST_NAME }) },
      ...rows,
      ...(frame.hanim
        ? [{ key: 'nodeId', label: say('edit.fields.nodeId'), value: String(frame.hanim.nodeId), note: say('edit.nodeIdNote') }]
        : []),
    ]
  },
  setField(session, joint, key, value, { keepSkin }) {
    if (key === 'name') {
      skeleton.rename!(session, joint, String(value))
      return
    }
    const { clump, frame } = find(session, session.edit<DffDocument>(session.binding.primary), joint)
    const row = ROWS.find((r) => r.key === key)
    if (row) {
      if (!Array.isArray(value) || value.length !== 3 || !value.every(Number.isFinite))
        refuse(say('edit.threeNumbers', { field: say(`edit.fields.${row.key}`) }))
      const rest = restFrame(clump, frame.index)
      const shown = shownRows(clump, frame.index, rest)[ROWS.indexOf(row)]
      const to = rest.local.slice()
      value.forEach((v, c) => {
        if (v !== shown[c]) to[row.at + c] = v
      })
      moveFrame(clump, frame.index, to, keepSkin)
      return
    }
    if (key !== 'nodeId' || !frame.hanim) notHere('field', key)
    const id = Number(Array.isArray(value) ? value[0] : value)
    if (!Number.isInteger(id) || id < 0 || id > 0x7fffffff) refuse(say('edit.nodeNumber'))
    if (clump.nodes.some((n) => n.id === id) && id !== frame.hanim.nodeId) refuse(say('edit.numberTaken', { id }))
    const table = clump.tableFrame >= 0 ? clump.frames[clump.tableFrame].hanim!.table! : undefined
    if (table) for (let i = 0; i < table.nodes.length; i += 3) if (table.nodes[i] === frame.hanim.nodeId) table.nodes[i] = id
    frame.hanim.nodeId = id
  },
  place(session, joint, { translation, rotation }, { keepSkin }) {
    const { clump, frame } = find(session, session.edit<DffDocument>(session.binding.primary), joint)
    const { local } = restFrame(clump, frame.index)
    const t = [0, 0, 0],
      q = [0, 0, 0, 1],
      s = [1, 1, 1]
    decompose(local, 0, t, 0, q, 0, s, 0)
    if (translation) basisVector(t, 0, translation, 0)
    if (rotation) basisQuat(q, 0, rotation, 0)
    const to = new Float64Array(16)
    compose(to, 0, t, 0, q, 0, s, 0)
    // a move leaves the axes to the bit, skewed ones too
    if (!rotation) to.set(local.subarray(0, 12))
    moveFrame(clump, frame.index, to, keepSkin)
  },
  /** The frame stays where it is at rest, so that skins need nothing; animations then turn it in the space of the new parent. */
  reparent(session, joint, parent) {
    const document = session.edit<DffDocument>(session.binding.primary)
    const { clump, frame } = find(session, document, joint)
    if (parent < 0 || frame.parent < 0) refuse(say('edit.oneRoot'))
    const above = find(session, document, parent)
    if (above.clump.chunk !== clump.chunk) refuse(say('edit.otherClump'))
    const to = above.frame.index
    if (to === frame.parent) return
    for (let f = to; f >= 0; f = clump.frames[f].parent) if (f === frame.index) refuse(say('formats.belowItself'))
    if (to > frame.index)
      refuse(
        say('edit.framesBehindParents', {
          parent: above.frame.name || say('edit.newParent'),
          to,
          name: frame.name || say('edit.thisFrame'),
          index: frame.index,
        }),
      )
    const { joints, node, agrees, local } = restFrame(clump, frame.index)
    const { floats, ints } = clump.frameList!
    // a bone's frame that stands in another pose than the skin stays in that pose
    const world = node >= 0 && !agrees ? frameWorlds(clump) : joints.world
    const next = new Float64Array(16)
    if (!invertAffine(next, 0, world, 16 * to)) refuse(say('formats.parentWithoutPlace'))
    multiply(next, 0, next, 0, world, 16 * frame.index)
    const before = node >= 0 && !agrees ? joints.frameLocal.subarray(16 * frame.index, 16 * frame.index + 16) : local
    putFrame(floats.subarray(FRAME_WORDS * frame.index, FRAME_WORDS * frame.index + 12), next, before)
    ints[FRAME_WORDS * frame.index + 12] = to
    const table = clump.frames[clump.tableFrame]?.hanim?.table
    if (!table) {
      // bones of a skin on an atomic go by their tree: they have to find their frames again
      setLegacyTree(document, clump)
      return
    }
    // the table says the tree once more, by push and pop
    const now = readModel(document).clumps.find((c) => c.chunk === clump.chunk)!
    const flags = nodeFlags(now)
    if (!flags) refuse(say('edit.orderOfSkin'))
    const wanted = table.nodes.slice()
    for (let i = 0; i < flags.length; i++) wanted[3 * i + 2] = (wanted[3 * i + 2] & ~(HANIM.push | HANIM.pop)) | flags[i]
    const tree = (nodes: Int32Array): string => nodeParents({ ...table, nodes }).parents.join()
    if (tree(table.nodes) !== tree(wanted)) table.nodes.set(wanted)
  },
}

/** Push and pop of legacy skins, after frames of their bones. Refuses a tree in which the bones are others. @param before the clump before the edit */
function setLegacyTree(document: DffDocument, before: ClumpView): void {
  if (!before.atomics.some((a) => a.legacySkin) || before.frameOfNode.some((frame) => frame < 0)) return
  const read = (): ClumpView => readModel(document).clumps.find((c) => c.chunk === before.chunk)!
  const flags = nodeFlags({ ...read(), frameOfNode: before.frameOfNode })
  if (!flags) refuse(say('edit.orderOfSkin'))
  for (const { legacySkin: skin } of before.atomics) {
    if (skin?.numBones !== flags.length) continue
    for (let i = 0; i < flags.length; i++)
      skin.bones[boneStride(skin) * i + 2] = (skin.bones[boneStride(skin) * i + 2] & ~(HANIM.push | HANIM.pop)) | flags[i]
  }
  if (read().frameOfNode.some((frame, node) => frame !== before.frameOfNode[node])) refuse(say('edit.orderOfSkin'))
}

/** The rows of a frame at rest: the stored numbers where these say it. */
function shownRows(clump: ClumpView, frame: number, { local, node, agrees }: RestFrame): number[][] {
  const { floats } = clump.frameList!
  return ROWS.map(({ at, stored }) =>
    Array.from(
      node < 0 || agrees ? floats.subarray(FRAME_WORDS * frame + stored, FRAME_WORDS * frame + stored + 3) : local.subarray(at, at + 3),
    ),
  )
}

/** World matrices of the frames as they stand in the file, whatever the skin says. */
function frameWorlds(clump: ClumpView): Float64Array {
  const out = new Float64Array(16 * clump.frames.length)
  for (const { index, parent } of clump.frames) {
    frameMatrix(out, 16 * index, clump.frameList!.floats, FRAME_WORDS * index)
    // parents stand first in what the game can read
    if (parent >= 0 && parent < index) multiply(out, 16 * index, out, 16 * parent, out, 16 * index)
  }
  return out
}

function extensionCount(clump: ClumpView): number {
  return clump.frameListChunk!.children!.filter((c) => c.type === ID.extension).length
}
