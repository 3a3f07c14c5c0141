/**
 * MDS: skeleton with its meshes. Header 0x10, node table (0x70 bytes each), then the MDTs that nodes point to.
 * Node matrices are local, for row vectors (v' = v M, translation in the fourth row): the same 16 floats in memory order
 * are a column-major matrix for column vectors [V].
 */
import { extensionOf } from '../../../../shared/ref.ts'
import { updateOrder } from './order.ts'
import { Reader } from '../../../binary/reader.ts'
import { FormatError } from '../../../binary/format-error.ts'
import { f32s, i32, magic, record, u32, type ValueOf } from '../../../binary/layout.ts'
import { reference, structural } from '../../../binary/field-use.ts'
import { Diagnostics } from '../../format.ts'
import { leftover, node } from '../../../binary/structure.ts'
import { DQ8_MDS_VERSION, refuseDq8 } from './dq8.ts'
import { decodeMdt, describeMdt, encodeMdt, materialName, mdtLayout, triangleCount } from './mdt.ts'
import { encodeText, fieldText, text } from './names.ts'
import { say } from '../texts/index.ts'
import type { Document, FileFormat, SourceRange, StructureNode } from '../../format.ts'
import type { MdtNode } from './mdt.ts'

const HEADER = record({
  magic: magic('MDS\0', () => say('codecs.mds.noMagic'), 'MDS'),
  version: structural(u32),
  nodeCount: structural(u32),
  tableOffset: structural(u32),
})
const NODE = record(
  {
    index: u32,
    recordSize: structural(u32),
    name: text(32),
    mdtOffset: structural(u32),
    parent: reference(i32, 'nodes', -1),
    matrix: f32s(16),
  },
  { notes: { matrix: () => say('codecs.mds.matrix') } },
)
export const MDS_HEADER = HEADER.size
export const NODE_SIZE = NODE.size

export interface MdsNode {
  range: SourceRange
  /** own index; equal to the ordinal in every sample */
  index: number
  recordSize: number
  /** char[32] */
  name: Uint8Array
  /** offset of its MDT as read; encode writes the place of `section` when there is one */
  mdtOffset: number
  /** index into `sections`, -1 for none */
  section: number
  parent: number
  /** local bind matrix, 16 floats in memory order */
  matrix: Float32Array
}

/** What follows the node table, in file order: meshes, and bytes that no node points to. */
export type MdsSection = { kind: 'mdt'; mdt: MdtNode } | { kind: 'rawMdt'; bytes: Uint8Array } | { kind: 'gap'; bytes: Uint8Array }

export interface MdsDocument extends Document {
  readonly format: 'level5.mds'
  version: number
  /** as read; a value that cannot be an offset is read as 0x10 and kept */
  tableOffset: number
  /** bytes between header and table */
  tableGap: Uint8Array
  nodes: MdsNode[]
  sections: MdsSection[]
}

export function nodeName(n: MdsNode): string {
  return fieldText(n.name)
}

/** The mesh of a node, undefined for none (or one that could not be read). */
export function meshOf(document: MdsDocument, n: MdsNode): MdtNode | undefined {
  const section = document.sections[n.section]
  return section?.kind === 'mdt' ? section.mdt : undefined
}

/** Parents with everything that is no parent (out of range, itself) turned into -1. Cycles are cut by `nodeOrder`. */
function nodeParents(document: MdsDocument): Int32Array {
  const n = document.nodes.length
  return Int32Array.from(document.nodes, (x, i) => (x.parent >= 0 && x.parent < n && x.parent !== i ? x.parent : -1))
}

/** Nodes with parents first, and the parents with cycles cut. */
export function nodeOrder(document: MdsDocument): { order: Int32Array; parents: Int32Array } {
  return updateOrder(nodeParents(document))
}

/** Local matrices of all nodes, 16 each. */
export function localMatrices(document: MdsDocument): Float32Array {
  const out = new Float32Array(16 * document.nodes.length)
  document.nodes.forEach((n, i) => out.set(n.matrix, 16 * i))
  return out
}

function sectionSize(section: MdsSection): number {
  return section.kind === 'mdt' ? mdtLayout(section.mdt).size : section.bytes.length
}

/** Start of each section in the bytes that encode would write now. */
export function sectionOffsets(document: MdsDocument): number[] {
  let at = MDS_HEADER + document.tableGap.length + NODE_SIZE * document.nodes.length
  return document.sections.map((section) => {
    const start = at
    at += sectionSize(section)
    return start
  })
}

const headOf = ({ version, nodes, tableOffset }: MdsDocument): ValueOf<typeof HEADER> => ({ version, nodeCount: nodes.length, tableOffset })

/** As it is written: with the place that its mesh has now. */
function recordOf(n: MdsNode, sections: readonly number[]): ValueOf<typeof NODE> {
  return n.section >= 0 ? { ...n, mdtOffset: sections[n.section] } : n
}

export const mdsFormat: FileFormat<MdsDocument> = {
  id: 'level5.mds',
  get label() {
    return say('codecs.mds.label')
  },
  family: 'level5',
  kind: 'model',
  extensions: ['mds'],
  identify(head, name, size) {
    if (head.length < MDS_HEADER || head[0] !== 0x4d || head[1] !== 0x44 || head[2] !== 0x53 || head[3] !== 0) return 0
    const { nodeCount } = HEADER.read(new Reader(head, ''))
    return extensionOf(name) === 'mds' || nodeCount * NODE_SIZE <= size ? 0.98 : 0.8
  },
  decode(bytes, ref) {
    const r = new Reader(bytes, ref)
    const diagnostics = new Diagnostics(ref)
    const { version, nodeCount: count, tableOffset } = HEADER.read(r)
    if (version === DQ8_MDS_VERSION) refuseDq8(ref, 'model')
    if (version !== 1)
      diagnostics.add('warning', 'level5.mds-version', say('codecs.mds.version', { version }), 'version', HEADER.at.version)
    let table = tableOffset
    if (table < MDS_HEADER || table > bytes.length) {
      diagnostics.add(
        'warning',
        'level5.mds-table',
        say('codecs.mds.tableOffset', { at: tableOffset }),
        'tableOffset',
        HEADER.at.tableOffset,
      )
      table = MDS_HEADER
    }
    const tableGap = r.take(table - MDS_HEADER, 'tableGap')
    r.count(count, NODE_SIZE, 'nodeCount')
    const nodes = r.each('nodes', count, (): MdsNode => {
      const start = r.position
      return { ...NODE.read(r), range: { start, end: start + NODE_SIZE }, section: -1 }
    })
    const document: MdsDocument = {
      format: 'level5.mds',
      ref,
      diagnostics: diagnostics.list,
      version,
      tableOffset,
      tableGap,
      nodes,
      sections: [],
    }
    readSections(document, r, diagnostics)
    return document
  },
  encode(document, out) {
    const offsets = sectionOffsets(document)
    HEADER.write(out, headOf(document))
    if (document.tableGap.length) out.opaque(document.tableGap)
    for (const n of document.nodes) NODE.write(out, recordOf(n, offsets))
    for (const section of document.sections) {
      if (section.kind === 'mdt') encodeMdt(section.mdt, out)
      else out.opaque(section.bytes)
    }
  },
  describe(document) {
    const offsets = sectionOffsets(document)
    const table = MDS_HEADER + document.tableGap.length
    const fields = [...HEADER.describe(headOf(document), 0), ...leftover('tableGap', MDS_HEADER, document.tableGap)]
    const children: StructureNode[] = document.nodes.map((n, i) => {
      const at = table + NODE_SIZE * i
      return node(
        `nodes[${i}]`,
        say('formats.nodes.node'),
        { start: at, end: at + NODE_SIZE },
        NODE.describe(recordOf(n, offsets), at),
        [],
        {
          summary: nodeName(n),
        },
      )
    })
    let end = table + NODE_SIZE * document.nodes.length
    const names = sectionNames(document)
    document.sections.forEach((section, i) => {
      const start = offsets[i]
      end = start + sectionSize(section)
      if (section.kind === 'mdt') children.push(describeMdt(section.mdt, names[i], start))
      else
        children.push(
          node(
            names[i],
            section.kind === 'gap' ? say('formats.nodes.gap') : say('codecs.mds.mdtNotRead'),
            { start, end },
            leftover('bytes', start, section.bytes),
            [],
            {
              opaque: true,
            },
          ),
        )
    })
    return node('', 'level5.mds', { start: 0, end }, fields, children, {
      summary: say('codecs.mds.nodes', { count: document.nodes.length }),
    })
  },
  encodeText: (text) => encodeText(text),
  summarize(document) {
    const meshes: { name: string; vertices: number; triangles: number; bone?: string }[] = []
    const textures = new Set<string>()
    for (const n of document.nodes) {
      const mdt = meshOf(document, n)
      if (!mdt) continue
      meshes.push({ name: nodeName(n), vertices: mdt.vertices.length / 4, triangles: triangleCount(mdt), bone: nodeName(n) })
      for (const material of mdt.materials) if (materialName(material)) textures.add(materialName(material))
    }
    return {
      bones: document.nodes.map(nodeName),
      meshes,
      provides: [`level5.nodes:${document.nodes.length}`],
      needs: [...textures].map((name) => `level5.texture:${name}`),
      counted: [say('codecs.mds.nodes', { count: document.nodes.length }), say('formats.meshes', { count: meshes.length })].join(', '),
    }
  },
}

/** Paths of the sections, `nodes[3].mdt` after the first owner, so that diagnostics and describe agree. */
export function sectionNames(document: MdsDocument): string[] {
  let gaps = 0
  const ownerOf = new Map<number, number>()
  document.nodes.forEach((n, i) => {
    if (n.section >= 0 && !ownerOf.has(n.section)) ownerOf.set(n.section, i)
  })
  return document.sections.map((section, i) => {
    if (section.kind === 'gap') return `gap[${gaps++}]`
    const owner = ownerOf.get(i)
    return owner !== undefined ? `nodes[${owner}].mdt` : `mdt[${i}]`
  })
}

function readSections(document: MdsDocument, r: Reader, diagnostics: Diagnostics): void {
  let at = r.position
  const size = r.end
  const ownerOf = new Map<number, number>()
  document.nodes.forEach((n, i) => {
    if (n.mdtOffset !== 0 && !ownerOf.has(n.mdtOffset)) ownerOf.set(n.mdtOffset, i)
  })
  const starts = [...ownerOf.keys()].sort((a, b) => a - b)
  const sectionAt = new Map<number, number>()
  const gap = (end: number): void => {
    if (end > at) document.sections.push({ kind: 'gap', bytes: r.bytes.slice(at, end) })
    at = Math.max(at, end)
  }
  starts.forEach((start, i) => {
    const owner = ownerOf.get(start)!
    const path = `nodes[${owner}].mdtOffset`
    const fieldAt = document.nodes[owner].range.start + NODE.at.mdtOffset
    if (start >= size)
      throw new FormatError('truncated', say('codecs.mds.startOutside', { node: owner, start, size }), {
        file: r.file,
        path,
        offset: fieldAt,
        expected: say('files.below', { end: size }),
        actual: String(start),
      })
    if (start < at) {
      diagnostics.add('error', 'level5.mds-mesh-offset', say('codecs.mds.startInside', { node: owner, start }), path, fieldAt)
      return
    }
    gap(start)
    const limit = starts[i + 1] ?? size
    const name = `nodes[${owner}].mdt`
    if (size - start >= 12 && r.peekU32(start) === 0x54444d) {
      const declared = r.peekU32(start + 8)
      // a mesh that runs out of the file is a cut file; one that runs into the next is kept raw
      if (declared > size - start)
        throw new FormatError('truncated', say('codecs.mds.tooShort', { node: owner, size: declared, left: size - start }), {
          file: r.file,
          path: `${name}.size`,
          offset: start + 8,
          expected: say('files.atMost', { most: size - start }),
          actual: String(declared),
        })
    }
    try {
      const end = size - start >= 12 ? Math.min(limit, start + Math.max(r.peekU32(start + 8), 64)) : limit
      const mdt = decodeMdt(r.sub(start, Math.max(end, start), name), diagnostics)
      sectionAt.set(start, document.sections.length)
      document.sections.push({ kind: 'mdt', mdt })
      at = start + mdtLayout(mdt).size
    } catch (error) {
      if (!(error instanceof FormatError)) throw error
      diagnostics.add('error', 'level5.mdt-unread', say('codecs.mds.kept', { node: owner, why: error.message }), error.path, error.offset)
      sectionAt.set(start, document.sections.length)
      document.sections.push({ kind: 'rawMdt', bytes: r.bytes.slice(start, limit) })
      at = limit
    }
  })
  gap(size)
  for (const n of document.nodes) n.section = n.mdtOffset === 0 ? -1 : (sectionAt.get(n.mdtOffset) ?? -1)
}
