/** Model text (`model/animodel`, `model/staticmodel`): which skeleton, meshes and collision mesh make a model. docs/formats/lostsaga.md, "Model text". */
import { Diagnostics, type Document, type FileFormat, type SourceRange } from '../../format.ts'
import { field, node } from '../../../binary/structure.ts'
import { decodeText } from './strings.ts'
import { isSpace, looksLikeText, splitLines, type TextLine } from './text.ts'
import { say } from '../texts/index.ts'
import type { Writer } from '../../../binary/writer.ts'

export interface ModelDocument extends Document {
  readonly format: 'lostsaga.model'
  lines: TextLine[]
  skeleton: string
  animations: string[]
  /** mesh names without extension */
  meshes: string[]
  collisionMesh: string
  /** names of the sections found, with their line */
  sections: { name: string; line: number }[]
  range: SourceRange
}

const SECTIONS = new Set([
  '#MODEL_CFG',
  '#SKELETON',
  '#ANIMATION_LIST',
  '#ANIMATION_LIST_END',
  '#AABOX',
  '#SPHERE',
  '#COLLISION_MESH',
  '#MODEL_COLOR',
  '#MESH_LIST',
  '#MESH_LIST_END',
  '#MODEL_END',
])

/** A comment or a section is what comes first: no other text has to be decoded for this. */
function beginsScript(head: Uint8Array): boolean {
  const first = head.find((byte) => !isSpace(byte))
  return (first === 0x23 || first === 0x3b) && looksLikeText(head)
}

export const model: FileFormat<ModelDocument> = {
  id: 'lostsaga.model',
  get label() {
    return say('codecs.model.label')
  },
  family: 'lostsaga',
  kind: 'text',
  extensions: ['txt'],
  script: true,
  identify: (head) => (beginsScript(head) && /^\s*(;[^\n]*\n\s*)*#MODEL_CFG\b/.test(decodeText(head.subarray(0, 1024))) ? 0.95 : 0),
  decode(bytes, ref) {
    const diagnostics = new Diagnostics(ref)
    const lines = splitLines(bytes, ';')
    const document: ModelDocument = {
      format: 'lostsaga.model',
      ref,
      lines,
      skeleton: '',
      animations: [],
      meshes: [],
      collisionMesh: '',
      sections: [],
      diagnostics: diagnostics.list,
      range: { start: 0, end: bytes.length },
    }
    let section = ''
    lines.forEach((line, i) => {
      if (!line.text) return
      if (line.text.startsWith('#')) {
        section = line.words[0].toUpperCase()
        document.sections.push({ name: section, line: i })
        const same = line.words.slice(1).join(' ')
        if (same) take(document, section, same)
        return
      }
      take(document, section, line.text)
    })
    if (!document.sections.some((s) => s.name === '#MODEL_END'))
      diagnostics.add('warning', 'lostsaga.model-end', say('codecs.model.noEnd'), '', bytes.length)
    return document
  },
  encode(document, out: Writer) {
    let known = false
    for (const line of document.lines) {
      if (line.text.startsWith('#')) known = SECTIONS.has(line.words[0].toUpperCase())
      if (known || !line.text) out.raw(line.raw)
      else out.opaque(line.raw)
      out.raw(line.eol)
    }
  },
  describe: (document) =>
    node(
      'model',
      say('codecs.model.node'),
      document.range,
      document.lines.filter((l) => l.text).map((line, i) => field(`lines[${i}]`, 'line', line.start, line.raw.length, line.text)),
      [],
      { summary: [document.skeleton, ...document.meshes].filter(Boolean).join(', ') },
    ),
  summarize: (document) => ({
    needs: [document.skeleton && `lostsaga.skeleton:${document.skeleton}`, ...document.meshes.map((m) => `lostsaga.mesh:${m}`)].filter(
      Boolean,
    ),
    counted: say('formats.meshes', { count: document.meshes.length }),
    ...(document.skeleton ? { note: say('codecs.model.skeleton', { skeleton: document.skeleton }) } : {}),
  }),
}

function take(document: ModelDocument, section: string, text: string): void {
  if (section === '#SKELETON') document.skeleton ||= text
  else if (section === '#ANIMATION_LIST') document.animations.push(text)
  else if (section === '#MESH_LIST') document.meshes.push(text)
  else if (section === '#COLLISION_MESH') document.collisionMesh ||= text
}
