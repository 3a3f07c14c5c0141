/** What stands in a tree of chunks, for the structure panel and Changes. */
import { field, hex, node } from '../../../binary/structure.ts'
import { ID, chunkName } from './chunk-ids.ts'
import { FieldList } from './field-list.ts'
import { HEAD, codecLabel, siblingNames } from './chunk.ts'
import { say } from '../texts/index.ts'
import type { StructureNode } from '../../format.ts'
import type { Chunk } from './chunk.ts'
import type { ChunkFile } from './chunk-file.ts'

export function describeChunk(chunk: Chunk, name: string): StructureNode {
  const at = chunk.start
  const content = chunk.end - at - HEAD.size
  const fields = HEAD.describe(chunk, at, { size: chunk.size !== content ? say('codecs.bytesThere', { count: content }) : undefined })
  const children: StructureNode[] = []
  if (chunk.children) {
    const names = siblingNames(chunk.children)
    for (let i = 0; i < chunk.children.length; i++) children.push(describeChunk(chunk.children[i], names[i]))
    if (chunk.type === ID.frameList) nameFrames(children)
  } else if (chunk.codec) {
    const list = new FieldList(at + HEAD.size)
    chunk.codec.fields(chunk.value, list)
    for (const f of list.fields) fields.push(f)
    for (const c of list.children) children.push(c)
  }
  const raw = !chunk.children && !chunk.codec
  if (chunk.data.length)
    fields.push(
      field(raw ? 'data' : 'leftOver', `u8[${chunk.data.length}]`, chunk.end - chunk.data.length, chunk.data.length, chunk.data, {
        unknown: true,
      }),
    )
  return node(
    name,
    chunk.codec ? codecLabel(chunk.codec) : chunkName(chunk.type),
    { start: at, end: chunk.end },
    fields,
    children,
    raw && content > 0 ? { opaque: true } : {},
  )
}

/** Frames go by the names in their extensions, which follow the list in its order: whoever picks one sees them. */
function nameFrames([list, ...extensions]: readonly StructureNode[]): void {
  list?.children.forEach((frame, i) => {
    const name = extensions[i]?.children.find((child) => child.name.startsWith('nodeName'))?.fields.find((f) => f.name === 'name')?.value
    if (name) frame.summary = name
  })
}

export function describeChunkFile(file: ChunkFile, type: string): StructureNode {
  const end = file.roots.length ? file.roots[file.roots.length - 1].end : 0
  const total = end + file.trailing.length
  const fields = file.trailing.length
    ? [
        field('trailing', `u8[${file.trailing.length}]`, end, file.trailing.length, hex(file.trailing, 16), {
          note: file.trailing.some((b) => b) ? say('codecs.junkKept') : say('codecs.paddingKept'),
        }),
      ]
    : []
  const names = siblingNames(file.roots)
  return node(
    'file',
    type,
    { start: 0, end: total },
    fields,
    file.roots.map((root, i) => describeChunk(root, names[i])),
  )
}
