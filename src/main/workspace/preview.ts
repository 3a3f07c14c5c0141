/** What an edit would change in the bytes, told without making it. */
import type { EditPreview, FileChanges } from '../../shared/api/types/changes.ts'
import type { EditSession } from '../formats/editing.ts'
import { fileChanges } from './changes.ts'
import { ModelPreview } from './model-preview.ts'
import type { OpenModel } from './open-model.ts'

/** Longer values are told by their number alone. */
const SHOWN = 40

/**
 * @returns the files whose bytes would differ
 * @throws what `body` throws: the edit would be refused
 */
export function previewEdit(model: OpenModel, body: (session: EditSession) => void): EditPreview[] {
  const preview = new ModelPreview(model)
  preview.edit(body)
  return preview.files().flatMap(({ file, document, bytes }) => {
    const changes = fileChanges(file.ref, file.format, file.bytes, { bytes, document })
    return changes.changedBytes > 0 ? [summary(changes)] : []
  })
}

function summary({ ref, name, originalSize, size, changedBytes, changes, omitted }: FileChanges): EditPreview {
  const fields = new Map<string, EditPreview['fields'][number]>()
  for (const { path, before, after } of changes) {
    const name = fieldName(path)
    const known = fields.get(name)
    if (known) known.count++
    else fields.set(name, { name, count: 1, before: before.length <= SHOWN ? before : '', after: after.length <= SHOWN ? after : '' })
  }
  const list = [...fields.values()].map((f) => (f.count === 1 ? f : { ...f, before: '', after: '' }))
  return { ref, name, sizeBefore: originalSize, size, changedBytes, fields: list, omitted }
}

/** `tracks[3].keys[7].x` is `keys.x`, `struct.skin.weights[12]` is `weights`: what a column is called, whatever the number. */
function fieldName(path: string): string {
  const parts = path.split('.')
  const last = parts.at(-1)!.replace(/\[\d+\]/g, '')
  const parent = parts.at(-2)
  return parent?.endsWith(']') && !parts.at(-1)!.endsWith(']') ? `${parent.replace(/\[\d+\]/g, '')}.${last}` : last
}
