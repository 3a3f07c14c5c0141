/** Material script (`material/<mesh>.txt`): one `material` block per submesh, in order. docs/formats/lostsaga.md, "Material script". */
import { Diagnostics, type Document, type FileFormat, type SourceRange, type StructureField, type StructureNode } from '../../format.ts'
import { field, node } from '../../../binary/structure.ts'
import { FormatError } from '../../../binary/format-error.ts'
import { decodeText, encodeText } from './strings.ts'
import { looksLikeText, splitLines, withValue, type TextLine } from './text.ts'
import { say } from '../texts/index.ts'
import type { Writer } from '../../../binary/writer.ts'

/** Lines whose words Marrow uses; every other line is kept and shown. */
const KNOWN = new Set([
  'material',
  'technique',
  'pass',
  'texture_unit',
  '{',
  '}',
  'ambient',
  'diffuse',
  'specular',
  'emissive',
  'scene_blend',
  'alpha_test',
  'cull',
  'shader_group',
  'custom_param',
  'texture',
  'tex_address_mode',
  'filtering',
])

/** Lines of three or four numbers. */
const COLORS = new Set(['ambient', 'diffuse', 'specular', 'emissive'])

export interface MaterialBlock {
  /** first and last line */
  firstLine: number
  lastLine: number
  /** textures of its texture units, in order */
  textures: { file: string; addressMode: string; filtering: string; line: number }[]
  shaderGroup: string
  /** its line, -1 without one */
  shaderLine: number
  sceneBlend: string
  alphaTest: string[]
  cull: string
  /** three or four numbers as written; null when absent */
  ambient: number[] | null
  diffuse: number[] | null
  specular: number[] | null
  emissive: number[] | null
  customParams: string[][]
}

export interface MaterialDocument extends Document {
  readonly format: 'lostsaga.material'
  lines: TextLine[]
  materials: MaterialBlock[]
  range: SourceRange
}

export const material: FileFormat<MaterialDocument> = {
  id: 'lostsaga.material',
  get label() {
    return say('codecs.material.label')
  },
  family: 'lostsaga',
  kind: 'material',
  extensions: ['txt'],
  script: true,
  identify(head, name) {
    if (!/\.(txt|material)$/i.test(name) || !looksLikeText(head)) return 0
    const text = decodeText(head).replace(/\/\/[^\r\n]*/g, '')
    return /^\s*material\s*\{\s*technique\b/.test(text) ? 0.95 : 0
  },
  decode(bytes, ref) {
    const diagnostics = new Diagnostics(ref)
    const lines = splitLines(bytes, '//')
    return {
      format: 'lostsaga.material',
      ref,
      lines,
      materials: blocks(lines, diagnostics),
      diagnostics: diagnostics.list,
      range: { start: 0, end: bytes.length },
    }
  },
  encode(document, out: Writer) {
    for (const line of document.lines) {
      if (line.words.length === 0 || KNOWN.has(line.words[0])) out.raw(line.raw)
      else out.opaque(line.raw)
      out.raw(line.eol)
    }
  },
  describe(document) {
    const lineField = (i: number): StructureField => {
      const line = document.lines[i]
      const words = line.words.slice(1)
      return field(line.words[0] ?? '', 'line', line.start, line.raw.length, words.join(' '), {
        unknown: line.words.length > 0 && !KNOWN.has(line.words[0]),
        use: { is: 'text', form: 'token', ...(COLORS.has(line.words[0]) && isColor(words) ? { color: colorOf(words) } : {}) },
      })
    }
    const children: StructureNode[] = document.materials.map((block, i) => {
      const fields: StructureField[] = []
      for (let l = block.firstLine; l <= block.lastLine; l++) if (document.lines[l].words.length > 1) fields.push(lineField(l))
      const last = document.lines[block.lastLine]
      return node(
        `materials[${i}]`,
        say('formats.nodes.material'),
        { start: document.lines[block.firstLine].start, end: last.start + last.raw.length },
        fields,
        [],
        { summary: block.textures.map((t) => t.file).join(', ') },
      )
    })
    return node('material', say('codecs.material.node'), document.range, [], children, {
      summary: say('formats.materials', { count: document.materials.length }),
    })
  },
  encodeText: (text) => encodeText(text).raw,
  withText(field, bytes, value) {
    if (!value.trim() || value.trim() !== value || /[\r\n{}\0]|\/\//.test(value))
      throw new FormatError('invalid-edit', say('edit.submeshes.badName'))
    const [line] = splitLines(bytes, '//')
    if (!COLORS.has(field.name)) return withValue(line, encodeText(value).raw, '//').raw
    const words = colorWords(line.words.slice(1), value)
    if (!isColor(words)) throw new FormatError('invalid-edit', say('codecs.material.noColor', { field: field.name, value }))
    return withValue(line, encodeText(words.join(' ')).raw, '//').raw
  },
  summarize: (document) => ({
    needs: document.materials.flatMap((m) => m.textures.map((t) => `lostsaga.texture:${t.file}`)),
    note: say('formats.materials', { count: document.materials.length }),
  }),
}

const isColor = (words: string[]): boolean =>
  (words.length === 3 || words.length === 4) && words.every((word) => word !== '' && Number.isFinite(Number(word)))

/** What a component is multiplied with for a byte: they go to 255 where one of them is above 1, as the scene takes them, else to 1. */
const toByte = (words: string[]): number => (words.some((word) => Number(word) > 1) ? 1 : 255)

/** As a colour is told: by its bytes where its numbers are such, else as they are. */
function colorOf(words: string[]): string {
  const bytes = words.map((word) => Number(word) * toByte(words))
  if (bytes.some((byte) => byte < 0 || byte > 255 || Math.abs(byte - Math.round(byte)) > 0.001)) return words.join(', ')
  return `#${bytes.map((byte) => Math.round(byte).toString(16).padStart(2, '0')).join('')}`
}

/** The words of a colour with another value; a component that stays keeps its word, and an alpha that is not given its own. */
function colorWords(old: string[], value: string): string[] {
  const hex = /^#(?:[\da-f]{3}|[\da-f]{6}|[\da-f]{8})$/i.test(value) ? value.slice(1) : ''
  if (!hex)
    return value.split(/\s*,\s*|\s+/).map((word, i) => (i < old.length && word !== '' && Number(word) === Number(old[i]) ? old[i] : word))
  const bytes = (hex.length === 3 ? [...hex].map((digit) => digit + digit) : hex.match(/../g)!).map((digits) => Number.parseInt(digits, 16))
  const was = isColor(old) ? old : []
  const by = toByte(was)
  if (was.length === 4 && bytes.length === 3) bytes.push(Number(was[3]) * by)
  const fraction = (byte: number): string => String(Number((byte / 255).toFixed(6)))
  const words = bytes.map((byte, i) =>
    i < was.length && Math.round(Number(was[i]) * by) === Math.round(byte) ? was[i] : by === 1 ? String(byte) : fraction(byte),
  )
  // bytes of which none is above 1 would be read as fractions
  return by === 1 && toByte(words) !== 1 ? bytes.map(fraction) : words
}

const numbers = (words: string[]): number[] => words.map(Number).filter((n) => Number.isFinite(n))

function blocks(lines: TextLine[], diagnostics: Diagnostics): MaterialBlock[] {
  const out: MaterialBlock[] = []
  let block: MaterialBlock | null = null
  let depth = 0
  lines.forEach((line, i) => {
    const [word, ...words] = line.words
    if (word === undefined) return
    // a block may end on the line of its last word
    const brace = words.findIndex((w) => w === '{' || w === '}')
    const rest = brace < 0 ? words : words.slice(0, brace)
    if (word === 'material' && depth === 0) {
      block = {
        firstLine: i,
        lastLine: i,
        textures: [],
        shaderGroup: '',
        shaderLine: -1,
        sceneBlend: '',
        alphaTest: [],
        cull: '',
        ambient: null,
        diffuse: null,
        specular: null,
        emissive: null,
        customParams: [],
      }
      out.push(block)
    }
    if (block) block.lastLine = i
    // a brace may stand on the line of its keyword
    for (const w of line.words) {
      if (w === '{') depth++
      else if (w === '}') {
        depth--
        if (depth < 0) {
          diagnostics.add(
            'warning',
            'lostsaga.material-braces',
            say('codecs.material.closedTwice', { line: i + 1 }),
            `lines[${i}]`,
            line.start,
          )
          depth = 0
        }
        if (depth === 0) block = null
      }
    }
    if (!block) return
    const b = block
    if (word === 'texture') b.textures.push({ file: rest.join(' '), addressMode: '', filtering: '', line: i })
    else if (word === 'tex_address_mode' && b.textures.length) b.textures[b.textures.length - 1].addressMode = rest.join(' ')
    else if (word === 'filtering' && b.textures.length) b.textures[b.textures.length - 1].filtering = rest.join(' ')
    else if (word === 'shader_group') Object.assign(b, { shaderGroup: rest.join(' '), shaderLine: i })
    else if (word === 'scene_blend') b.sceneBlend = rest.join(' ')
    else if (word === 'alpha_test') b.alphaTest = rest
    else if (word === 'cull') b.cull = rest.join(' ')
    else if (word === 'custom_param') b.customParams.push(rest)
    else if (word === 'ambient' || word === 'diffuse' || word === 'specular' || word === 'emissive') b[word] = numbers(rest)
  })
  if (depth !== 0)
    diagnostics.add(
      'warning',
      'lostsaga.material-braces',
      say('codecs.material.notClosed', { count: depth }),
      '',
      lines.length ? lines[lines.length - 1].start : 0,
    )
  return out
}
