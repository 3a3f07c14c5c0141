/** Weights of MSH behind the interface that all families share. */
import { addressOf, notHere } from '../../address.ts'
import { FormatError } from '../../../binary/format-error.ts'
import { say } from '../texts/index.ts'
import type { MshDocument } from '../codecs/msh.ts'
import type { OpenDocuments, WeightEditor } from '../../editing.ts'

const INFLUENCES = 4
const rules = (): string[] => [say('edit.weights.front'), say('edit.weights.sum'), say('edit.weights.bones')]

export const weights: WeightEditor = {
  list: (model) =>
    model.assembled.scene.meshes.flatMap((mesh, i) => {
      const document = model.document(mesh.source.ref)
      if (document?.format !== 'lostsaga.msh' || !(document as MshDocument).boneNames) return []
      return [
        { id: addressOf(document.ref, 'influences'), mesh: mesh.name, sceneMesh: i, vertexCount: (document as MshDocument).vertexCount },
      ]
    }),

  read(model, id) {
    const { document, sceneMesh } = meshOf(model, id)
    const joints = new Map(model.assembled.scene.skeleton.names.map((name, i) => [name.toLowerCase(), i]))
    const n = document.influences.length / 8
    const offsets = new Uint32Array(n + 1)
    const bone = new Uint16Array(4 * n)
    const weight = new Float32Array(4 * n)
    let used = 0
    for (let v = 0; v < n; v++) {
      for (let s = 0; s < INFLUENCES; s++) {
        const w = document.influences[8 * v + s]
        if (!(w > 0)) break
        bone[used] = Math.max(0, Math.min(65535, document.influences[8 * v + 4 + s]))
        weight[used++] = w
      }
      offsets[v + 1] = used
    }
    return {
      id,
      mesh: model.assembled.scene.meshes[sceneMesh]?.name ?? '',
      sceneMesh,
      vertexCount: n,
      bones: document.boneNames!.map((b) => ({ name: b.text, joint: joints.get(b.text.toLowerCase()) ?? -1 })),
      offsets,
      bone: bone.slice(0, used),
      weight: weight.slice(0, used),
      limits: { fullWeight: 1, maxInfluences: INFLUENCES, step: 0, packedFront: true, rules: rules(), readOnly: '' },
    }
  },

  write(session, edit) {
    const { document: before } = meshOf(session, edit.id)
    const document = session.edit<MshDocument>(before.ref)
    const bones = document.boneNames!.length
    edit.vertices.forEach((v, i) => {
      if (v >= document.vertexCount) throw new FormatError('invalid-edit', say('formats.noVertex', { vertex: v }))
      const from = edit.offsets[i],
        to = edit.offsets[i + 1]
      if (to - from > INFLUENCES) throw new FormatError('invalid-edit', say('edit.weights.four', { vertex: v }))
      // the game stops at the first weight that is not above zero: largest first
      const order = Array.from({ length: to - from }, (_, k) => from + k).filter((k) => edit.weight[k] > 0)
      const sorted = order.every((k, j) => j === 0 || edit.weight[k] <= edit.weight[order[j - 1]])
        ? order
        : order.sort((a, b) => edit.weight[b] - edit.weight[a])
      for (let s = 0; s < INFLUENCES; s++) {
        const at = 8 * v + s
        const k = sorted[s]
        if (k !== undefined && edit.bone[k] >= bones)
          throw new FormatError('invalid-edit', say('edit.weights.noBone', { vertex: v, bone: edit.bone[k] }))
        const w = k === undefined ? 0 : edit.weight[k]
        if (document.influences[at] !== w) document.influences[at] = w
        // an unused slot keeps its index: it means nothing, and files differ in what stands there
        if (k !== undefined && document.influences[at + 4] !== edit.bone[k]) document.influences[at + 4] = edit.bone[k]
      }
    })
  },
}

function meshOf(model: OpenDocuments, id: string): { document: MshDocument; sceneMesh: number } {
  const ref = id.replace(/#influences$/, '')
  const document = model.document(ref)
  if (document?.format !== 'lostsaga.msh' || !(document as MshDocument).boneNames) notHere('skin', id, ref)
  return { document: document as MshDocument, sceneMesh: model.assembled.scene.meshes.findIndex((m) => m.source.ref === ref) }
}
