/** Frames: their names, places and HAnim numbers. */
import { FormatError } from '../../binary/format-error.ts'
import { ID } from './chunk-ids.ts'
import { makeContainer, makeLeaf } from './chunk.ts'
import { boneKey } from './clips.ts'
import { FRAME_WORDS } from './frame-list.ts'
import { readModel } from './model.ts'
import { nodeName } from './texture.ts'
import type { DffDocument } from './dff.ts'
import type { IfpDocument } from './ifp.ts'
import type { ClumpView, FrameView } from './model.ts'
import type { OpenDocuments, SkeletonEditor } from '../editing.ts'

/** The game keeps names in 24 bytes with their end. */
const LONGEST_NAME = 23

function refuse(message: string): never {
  throw new FormatError('invalid-edit', message)
}

interface Found {
  clump: ClumpView
  frame: FrameView
}

/** Frame of a joint, undefined for a joint that only the skin has. */
export function frameAt(model: OpenDocuments, document: DffDocument | undefined, joint: number): Found | undefined {
  const source = model.assembled.scene.skeleton.sources[joint]
  const match = source && /^clump(?:\[(\d+)\])?\.frameList\.struct\.frames\[(\d+)\]$/.exec(source.path)
  if (!match || document?.format !== 'renderware.dff') return undefined
  const clump = readModel(document).clumps[Number(match[1] ?? 0)]
  const frame = clump?.frames[Number(match[2])]
  return frame && { clump, frame }
}

function find(model: OpenDocuments, document: DffDocument | undefined, joint: number): Found {
  return frameAt(model, document, joint) ?? refuse('this joint stands only in the skin and has no frame to edit')
}

const ROWS: readonly { key: string; label: string; at: number }[] = [
  { key: 'position', label: 'Position', at: 9 },
  { key: 'right', label: 'Right', at: 0 },
  { key: 'up', label: 'Up', at: 3 },
  { key: 'at', label: 'At', at: 6 },
]

export const skeletonEditor: SkeletonEditor = {
  abilities: { rename: true, transform: true, reparent: false, keepSkin: false },
  references(model, joint) {
    const out: { ref: string; what: string }[] = []
    const { scene } = model.assembled
    const key = boneKey(scene.skeleton.names[joint] ?? '')
    for (const member of model.binding.members) {
      const document = model.document(member.ref) as IfpDocument | undefined
      if (document?.format !== 'renderware.ifp') continue
      let byName = 0
      for (const animation of document.animations) for (const bone of animation.bones) if (bone.boneId < 0 && boneKey(bone.name) === key) byName++
      if (byName) out.push({ ref: member.ref, what: `${byName} tracks find this bone by its name` })
    }
    scene.meshes.filter((m) => m.joint === joint).forEach((m) => out.push({ ref: m.source.ref, what: `carries the mesh ${m.name}` }))
    return out
  },
  rename(session, joint, name) {
    if (name.length < 1 || name.length > LONGEST_NAME) refuse(`a frame name has 1 to ${LONGEST_NAME} characters`)
    if (!/^[\x20-\x7e]+$/.test(name)) refuse('frame names are plain ASCII')
    const { clump, frame } = find(session, session.edit<DffDocument>(session.binding.primary), joint)
    const bytes = Uint8Array.from(name, (c) => c.charCodeAt(0))
    const stamp = clump.chunk.stamp
    if (frame.nameChunk && frame.nameChunk.codec === nodeName) {
      frame.nameChunk.value = { bytes }
      frame.nameChunk.data = new Uint8Array(0)
    } else if (frame.extension?.children) frame.extension.children.push(makeLeaf(ID.nodeName, stamp, nodeName, { bytes }))
    else if (!frame.extension && clump.frameListChunk?.children && extensionCount(clump) === frame.index) clump.frameListChunk.children.push(makeContainer(ID.extension, stamp, [makeLeaf(ID.nodeName, stamp, nodeName, { bytes })]))
    else refuse('this frame has no place for a name')
  },
  fields(model, joint) {
    const found = frameAt(model, model.document(model.binding.primary) as DffDocument | undefined, joint)
    if (!found?.clump.frameList) return []
    const { clump, frame } = found
    const floats = clump.frameList!.floats
    const skinned = clump.geometries.some((g) => g.skin) && frame.hanim !== undefined
    const note = skinned ? 'the game takes the place of a bone from the skin and its rotation from animations' : undefined
    const rows = ROWS.map(({ key, label, at }) => ({ key, label, value: Array.from(floats.subarray(FRAME_WORDS * frame.index + at, FRAME_WORDS * frame.index + at + 3)), note }))
    return [
      { key: 'name', label: 'Name', value: frame.name, note: `at most ${LONGEST_NAME} characters` },
      ...rows,
      ...(frame.hanim ? [{ key: 'nodeId', label: 'HAnim node', value: String(frame.hanim.nodeId), note: 'animations find the bone by this number' }] : []),
    ]
  },
  setField(session, joint, key, value) {
    if (key === 'name') {
      skeletonEditor.rename!(session, joint, String(value))
      return
    }
    const { clump, frame } = find(session, session.edit<DffDocument>(session.binding.primary), joint)
    const row = ROWS.find((r) => r.key === key)
    if (row) {
      if (!Array.isArray(value) || value.length !== 3 || !value.every(Number.isFinite)) refuse(`${row.label} needs three numbers`)
      const floats = clump.frameList!.floats
      const at = FRAME_WORDS * frame.index + row.at
      value.forEach((v, c) => {
        if (Math.fround(v) !== floats[at + c]) floats[at + c] = v
      })
      return
    }
    if (key !== 'nodeId' || !frame.hanim) refuse(`this joint has no field ${key}`)
    const id = Number(Array.isArray(value) ? value[0] : value)
    if (!Number.isInteger(id) || id < 0 || id > 0x7fffffff) refuse('a node number is a whole number from 0 on')
    if (clump.nodes.some((n) => n.id === id) && id !== frame.hanim.nodeId) refuse(`another bone has the number ${id}`)
    const table = clump.tableFrame >= 0 ? clump.frames[clump.tableFrame].hanim!.table! : undefined
    if (table) for (let i = 0; i < table.nodes.length; i += 3) if (table.nodes[i] === frame.hanim.nodeId) table.nodes[i] = id
    frame.hanim.nodeId = id
  },
}

function extensionCount(clump: ClumpView): number {
  return clump.frameListChunk!.children!.filter((c) => c.type === ID.extension).length
}
