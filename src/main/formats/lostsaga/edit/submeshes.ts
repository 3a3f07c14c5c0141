/**
 * Submeshes of MSH and their materials behind the interface that all families share. A submesh has no name and no material number:
 * it has the `material` block of the script that stands at its place, so that giving it another one exchanges two blocks.
 */
import { notHere } from '../../address.ts'
import { FormatError } from '../../../binary/format-error.ts'
import { scriptOf } from '../scene/materials.ts'
import { encodeText } from '../codecs/strings.ts'
import { withValue } from '../codecs/text.ts'
import { say } from '../texts/index.ts'
import type { MaterialBlock, MaterialDocument } from '../codecs/material.ts'
import type { OpenDocuments, SubmeshEditor } from '../../editing.ts'
import type { Mesh } from '../../../../shared/scene/types.ts'

const invalid = (message: string): never => {
  throw new FormatError('invalid-edit', message)
}

function scriptFor(model: OpenDocuments, mesh: number): MaterialDocument | undefined {
  const source = model.assembled.scene.meshes[mesh]?.source.ref
  const ref = source === undefined || model.document(source)?.format !== 'lostsaga.msh' ? undefined : scriptOf(model.binding, source)
  const document = ref === undefined ? undefined : model.document(ref)
  return document?.format === 'lostsaga.material' ? (document as MaterialDocument) : undefined
}

const meshAt = (model: OpenDocuments, mesh: number): Mesh => model.assembled.scene.meshes[mesh] ?? notHere('mesh', mesh)

const titleOf = (block: MaterialBlock, i: number): string =>
  [`Sub(${i + 1})`, block.shaderGroup, block.textures[0]?.file].filter(Boolean).join(' · ')

export const submeshes: SubmeshEditor = {
  list(model, mesh) {
    const { groups } = meshAt(model, mesh)
    const script = scriptFor(model, mesh)
    if (!script) return groups.map(() => ({ fields: [] }))
    const { materials, readOnly } = script
    return groups.map((group, i) => {
      // faces that no submesh has
      if (!group.source) return { fields: [] }
      const block: MaterialBlock | undefined = materials[i]
      const options = materials.map((m, k) => ({ value: String(k), label: titleOf(m, k) }))
      if (!block) {
        const note = say('edit.submeshes.tooFewMaterials', { materials: materials.length, submeshes: groups.length })
        return {
          fields: [
            {
              key: 'material',
              label: say('edit.submeshes.material'),
              value: '',
              options: [
                { value: '', label: say('edit.submeshes.none') },
                ...(materials.length ? [{ value: 'copy', label: say('edit.submeshes.copies') }] : []),
              ],
              readOnly,
              note,
            },
          ],
        }
      }
      const [texture] = block.textures
      const more = block.textures
        .slice(1)
        .map((t, k) => ({ key: `texture${k + 1}`, label: say('edit.submeshes.textureNumber', { number: k + 2 }), value: t.file, readOnly }))
      return {
        fields: [
          {
            key: 'material',
            label: say('edit.submeshes.material'),
            value: String(i),
            options,
            readOnly,
            note: say('edit.submeshes.inOrder'),
          },
          {
            key: 'texture0',
            label: say('edit.submeshes.texture'),
            value: texture?.file ?? '',
            readOnly: readOnly || (texture ? undefined : say('edit.submeshes.noTextureLine')),
          },
          ...more,
          {
            key: 'shader',
            label: say('edit.submeshes.shader'),
            value: block.shaderGroup,
            readOnly: readOnly || (block.shaderLine < 0 ? say('edit.submeshes.noShaderLine') : undefined),
          },
        ],
      }
    })
  },

  set(session, mesh, submesh, key, value) {
    if (!meshAt(session, mesh).groups[submesh]) notHere('submesh', submesh)
    const before = scriptFor(session, mesh)
    if (!before) throw new FormatError('invalid-edit', say('edit.submeshes.noScript'))
    const script = session.edit<MaterialDocument>(before.ref)
    const block: MaterialBlock | undefined = script.materials[submesh]
    const texture = /^texture(\d+)$/.exec(key)
    if (key === 'material') {
      if (!block) {
        if (value !== 'copy' || script.materials.length === 0) invalid(say('edit.submeshes.noSuchMaterial'))
        for (let n = script.materials.length; n <= submesh; n++) appendCopy(script)
      } else {
        const other = script.materials[Number(value)]
        if (value === '' || !other) invalid(say('edit.submeshes.noMaterial', { number: value }))
        if (other !== block) exchange(script, block, other)
      }
    } else if (texture) setLine(script, block?.textures[Number(texture[1])]?.line ?? -1, value)
    else if (key === 'shader') setLine(script, block?.shaderLine ?? -1, value)
    else notHere('field', key)
  },
}

function setLine(script: MaterialDocument, at: number, value: string): void {
  const line = script.lines[at]
  if (!line) throw new FormatError('invalid-edit', say('edit.submeshes.noLine'))
  if (!value.trim() || value.trim() !== value || /[\r\n{}\0]|\/\//.test(value)) invalid(say('edit.submeshes.badName'))
  script.lines[at] = withValue(line, encodeText(value).raw, '//')
}

/** Two blocks change places; what stands between them and the ends of the lines stay. */
function exchange(script: MaterialDocument, a: MaterialBlock, b: MaterialBlock): void {
  const { lines } = script
  const [first, second] = a.firstLine < b.firstLine ? [a, b] : [b, a]
  const take = (block: MaterialBlock, end: MaterialBlock): typeof lines => {
    const own = lines.slice(block.firstLine, block.lastLine + 1)
    // the last line of the file may have no end
    own[own.length - 1] = { ...own[own.length - 1], eol: lines[end.lastLine].eol }
    return own
  }
  script.lines = [
    ...lines.slice(0, first.firstLine),
    ...take(second, first),
    ...lines.slice(first.lastLine + 1, second.firstLine),
    ...take(first, second),
    ...lines.slice(second.lastLine + 1),
  ]
}

/** The last block once more, behind it. */
function appendCopy(script: MaterialDocument): void {
  const block = script.materials[script.materials.length - 1]
  const { lines } = script
  const copy = lines.slice(block.firstLine, block.lastLine + 1)
  const last = lines[block.lastLine]
  const eol = last.eol.length ? last.eol : (lines[0]?.eol.length ?? 0) > 0 ? lines[0].eol : Uint8Array.of(13, 10)
  script.lines = [...lines.slice(0, block.lastLine), { ...last, eol }, ...copy, ...lines.slice(block.lastLine + 1)]
  script.materials = [...script.materials, { ...block, firstLine: block.lastLine + 1, lastLine: block.lastLine + copy.length }]
}
