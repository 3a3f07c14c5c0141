/**
 * Files built by hand from what the format pages say, and the command line's own calls over them. Nothing here knows the
 * project's encoders: a layout that reader and writer both got wrong would be found.
 */
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect } from 'vitest'
import { findModels } from '../../src/main/files/find-models.ts'
import { info } from '../../src/main/cli/info.ts'
import { lint } from '../../src/main/cli/lint.ts'
import { scan } from '../../src/main/cli/scan.ts'
import { CommandModels } from '../../src/main/cli/models.ts'
import { roundtrip } from '../../src/main/cli/roundtrip.ts'
import { slices } from '../../src/main/cli/slices.ts'
import { FileStore } from '../../src/main/files/store.ts'
import { StateFiles } from '../../src/main/workspace/state-files.ts'
import { createPose, poseRest, sampleClip } from '../../src/shared/scene/pose.ts'
import { skinMesh } from '../../src/shared/scene/skinning.ts'
import type { InfoReport } from '../../src/main/cli/info.ts'
import type { ScanReport } from '../../src/shared/api/types/library.ts'
import type { AssembledModel, ModelBinding, ModelChoices } from '../../src/main/formats/binding.ts'
import type { StructureNode } from '../../src/main/formats/format.ts'
import type { Scene } from '../../src/shared/scene/types.ts'

// --- bytes --------------------------------------------------------------------------------------------------------

export function bytes(...parts: (ArrayLike<number> | number)[]): Uint8Array {
  let size = 0
  for (const part of parts) size += typeof part === 'number' ? 1 : part.length
  const out = new Uint8Array(size)
  let at = 0
  for (const part of parts) {
    if (typeof part === 'number') out[at++] = part
    else {
      out.set(part, at)
      at += part.length
    }
  }
  return out
}

function packed(size: number, set: (view: DataView, at: number, value: number) => void): (...values: number[]) => Uint8Array {
  return (...values) => {
    const out = new Uint8Array(size * values.length)
    const view = new DataView(out.buffer)
    values.forEach((value, i) => set(view, size * i, value))
    return out
  }
}

export const u8 = packed(1, (v, at, x) => v.setUint8(at, x))
export const u16 = packed(2, (v, at, x) => v.setUint16(at, x, true))
export const i16 = packed(2, (v, at, x) => v.setInt16(at, x, true))
export const u32 = packed(4, (v, at, x) => v.setUint32(at, x >>> 0, true))
export const f32 = packed(4, (v, at, x) => v.setFloat32(at, x, true))
export const u32be = packed(4, (v, at, x) => v.setUint32(at, x >>> 0, false))

export function ascii(text: string): Uint8Array {
  return Uint8Array.from(text, (c) => c.charCodeAt(0))
}

/** A name field: text, NUL, and junk up to its size, as games leave it there. */
export function field(text: string, size: number, junk = 0xcd): Uint8Array {
  const out = new Uint8Array(size).fill(junk)
  out.set(ascii(text))
  if (text.length < size) out[text.length] = 0
  return out
}

export function fill(size: number, value: number): Uint8Array {
  return new Uint8Array(size).fill(value)
}

// --- calls --------------------------------------------------------------------------------------------------------

const roots: string[] = []

/** Call once per test file: removes what the tests wrote. */
export function cleanUp(): void {
  afterAll(() => {
    for (const root of roots.splice(0))
      for (const made of ['', '.sqlite', '.sqlite-wal', '.sqlite-shm', '.sqlite.seal'])
        rmSync(root + made, { recursive: true, force: true })
  })
}

export interface Folder {
  root: string
  path(name: string): string
  roundtrip(): ReturnType<typeof roundtrip>
  /** every file comes back as it was, and exactly so many bytes were carried raw */
  lossless(opaque: number): void
  info(name: string): InfoReport
  /** codes of what is found, but for hints of one source */
  lint(name?: string): string[]
  hints(name?: string): string[]
  slices(name?: string): ReturnType<typeof slices>['slices']
  scan(): Promise<ScanReport>
  models(name?: string): ModelBinding[]
  scene(name?: string, choices?: ModelChoices): AssembledModel
}

export function folder(files: Record<string, Uint8Array>): Folder {
  const root = mkdtempSync(join(tmpdir(), 'marrow-conformance-'))
  roots.push(root)
  for (const [name, body] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), body)
  }
  const store = new FileStore()
  const models = () => new CommandModels(store, new StateFiles(`${root}.state`))
  const path = (name: string): string => (name ? join(root, name) : root)
  return {
    root,
    path,
    roundtrip: () => roundtrip(store, [root]),
    lossless(opaque) {
      for (const copy of [false, true]) {
        const report = roundtrip(store, [root], { copy })
        expect(report.failures).toEqual([])
        expect(report.identical).toBe(report.files)
        if (!copy) expect(report.opaqueBytes, 'bytes carried raw').toBe(opaque)
      }
    },
    info: (name) => info(store, path(name)),
    hints: (name = '') =>
      lint(models(), [path(name)])
        .problems.filter((p) => p.known === 'one-source')
        .map((p) => p.code),
    lint: (name = '') =>
      lint(models(), [path(name)])
        .problems.filter((p) => p.known !== 'one-source')
        .map((p) => p.code),
    slices: (name = '') => slices(models(), path(name)).slices,
    scan: () => scan(store, root, { db: `${root}.sqlite`, signal: new AbortController().signal, onProgress: () => undefined }),
    models: (name = '') => findModels(store, path(name)).map((m) => m.binding),
    scene(name = '', choices = {}) {
      const found = findModels(store, path(name))
      expect(found.length, 'models').toBe(1)
      const { family, binding, around } = found[0]
      return family.assemble(binding, (ref) => around.document(ref), choices)
    },
  }
}

/** A node of `info` by its path of names. */
export function nodeAt(report: InfoReport, ...names: string[]): StructureNode {
  expect(report.error, report.path).toBeUndefined()
  let node = report.structure!
  for (const name of names) {
    const child = node.children.find((c) => c.name === name)
    if (!child) throw new Error(`${node.name} has ${node.children.map((c) => c.name).join(', ')}; not ${name}`)
    node = child
  }
  return node
}

/** name -> [value, offset] of a node's fields. */
export function fieldsOf(node: StructureNode): Record<string, [unknown, number]> {
  return Object.fromEntries(node.fields.map((f) => [f.name, [f.value, f.start]]))
}

/** The first node, depth first, that passes. */
export function findNode(node: StructureNode, test: (node: StructureNode) => boolean): StructureNode | undefined {
  if (test(node)) return node
  for (const child of node.children) {
    const found = findNode(child, test)
    if (found) return found
  }
  return undefined
}

export function tree(node: StructureNode, indent = ''): string {
  const fields = node.fields.map((f) => `${f.name}=${f.value}@${f.start}${f.note ? ` (${f.note})` : ''}`).join(' ')
  const children = node.children.map((c) => tree(c, `${indent}  `)).join('')
  return `${indent}${node.name}: ${node.type} ${node.start}..${node.end}${node.opaque ? ' RAW' : ''} ${fields}\n${children}`
}

// --- poses --------------------------------------------------------------------------------------------------------

/** Positions of a mesh in scene space, at rest or at a time of a clip. */
export function posed(scene: Scene, mesh: number, clip = -1, time = 0): number[][] {
  const pose = createPose(scene)
  if (clip < 0) poseRest(scene, pose)
  else sampleClip(scene, scene.clips[clip], time, pose)
  const m = scene.meshes[mesh]
  const out = m.positions.slice()
  if (m.skin >= 0)
    skinMesh(m, scene.skins[m.skin], pose, out, new Float32Array(0), new Float32Array(16 * scene.skins[m.skin].joints.length))
  else if (m.joint >= 0) {
    const w = pose.world.subarray(16 * m.joint, 16 * m.joint + 16)
    for (let v = 0; v < out.length; v += 3) {
      const [x, y, z] = [m.positions[v], m.positions[v + 1], m.positions[v + 2]]
      for (let c = 0; c < 3; c++) out[v + c] = w[c] * x + w[4 + c] * y + w[8 + c] * z + w[12 + c]
    }
  }
  return Array.from({ length: out.length / 3 }, (_, v) => [out[3 * v], out[3 * v + 1], out[3 * v + 2]])
}

/** World position of each joint. */
export function joints(scene: Scene, clip = -1, time = 0): Record<string, number[]> {
  const pose = createPose(scene)
  if (clip >= 0) sampleClip(scene, scene.clips[clip], time, pose)
  return Object.fromEntries(scene.skeleton.names.map((name, j) => [name, [...pose.world.subarray(16 * j + 12, 16 * j + 15)]]))
}

export function expectNear(actual: ArrayLike<number>, expected: readonly number[], digits = 4): void {
  expect(actual.length).toBe(expected.length)
  for (let i = 0; i < expected.length; i++) expect(actual[i], `[${i}] of ${Array.from(actual).join(', ')}`).toBeCloseTo(expected[i], digits)
}
