/** What must hold for any bytes: typed errors only, no exception after decoding, the same bytes written again, a scene without holes. */
import { basename, dirname } from 'node:path'
import { FormatError } from '../../src/main/binary/format-error.ts'
import { encodeDocument, firstDifference } from '../../src/main/formats/format.ts'
import { archiveById, families, familyById, formatById, HEAD_BYTES } from '../../src/main/formats/registry.ts'
import { pathAt } from '../../src/main/binary/structure.ts'
import { imageOf } from '../../src/main/formats/image/image.ts'
import { writeGltf } from '../../src/main/interchange/gltf-writer.ts'
import { createPose, sampleClip } from '../../src/shared/scene/pose.ts'
import { neighbourhoodOf, sourceOf } from './memory-store.ts'
import type { ArchiveIndex, ArchiveMember, ByteSource, Segment } from '../../src/main/formats/archive.ts'
import type { ModelBinding } from '../../src/main/formats/binding.ts'
import type { Document } from '../../src/main/formats/format.ts'
import type { OpenDocuments } from '../../src/main/formats/editing.ts'
import type { Scene } from '../../src/shared/scene/types.ts'
import type { FuzzFile } from './memory-store.ts'
import type { Seed } from './seeds.ts'

export interface Finding {
  kind: 'throws' | 'untyped' | 'not-lossless' | 'scene' | 'hang' | 'memory' | 'crash'
  stage: string
  message: string
  stack: string
}

export const STAGES = [
  'identify',
  'decode',
  'describe',
  'summarize',
  'encode',
  'bind',
  'assemble',
  'sample',
  'gltf',
  'lint',
  'editors',
  'archive',
  'replace',
  'pixels',
] as const
export type Stage = (typeof STAGES)[number]

/** More bytes than this, and that many for each byte of the file, are runaway memory. */
const MEMORY = 256 * 2 ** 20
const PER_BYTE = 128

export interface CheckOptions {
  onStage?: (stage: Stage) => void
  /** also export as glTF */
  gltf?: boolean
}

export async function check(
  seed: Seed,
  bytes: Uint8Array,
  siblings: readonly Seed[],
  options: CheckOptions = {},
): Promise<{ findings: Finding[]; decoded: boolean }> {
  const findings: Finding[] = []
  let memory = process.memoryUsage().arrayBuffers
  /** Runs a stage; what it throws is a finding, but for a FormatError where one is the answer. */
  const run = <T>(stage: Stage, typed: boolean, body: () => T): T | undefined => {
    options.onStage?.(stage)
    let result: T | undefined
    try {
      result = body()
    } catch (error) {
      if (!(error instanceof FormatError))
        findings.push({ kind: typed ? 'untyped' : 'throws', stage, message: String(error), stack: (error as Error)?.stack ?? '' })
      else if (!typed)
        findings.push({ kind: 'throws', stage, message: `FormatError ${error.code}: ${error.message}`, stack: error.stack ?? '' })
      else if (error.message === '' || (stage === 'decode' && error.file === ''))
        findings.push({
          kind: 'untyped',
          stage,
          message: `a FormatError without message or file: ${error.message}`,
          stack: error.stack ?? '',
        })
    }
    const now = process.memoryUsage().arrayBuffers
    if (now - memory > MEMORY + PER_BYTE * bytes.length)
      findings.push({ kind: 'memory', stage, message: `${Math.round((now - memory) / 2 ** 20)} MiB for ${bytes.length} bytes`, stack: '' })
    memory = now
    return result
  }

  const name = basename(seed.path)
  const head = bytes.subarray(0, HEAD_BYTES)
  run('identify', false, () => {
    for (const family of families) {
      for (const format of [...family.formats, ...family.archives]) {
        const sure = (format as { identify(head: Uint8Array, name: string, size: number): number }).identify(head, name, bytes.length)
        if (!(sure >= 0 && sure <= 1)) throw new Error(`${format.id} is ${sure} sure`)
      }
    }
  })
  if (seed.archive) {
    const opened = checkArchive(seed, bytes, run, findings)
    return { findings, decoded: opened }
  }

  const format = formatById(seed.format)!
  const ref = seed.path
  const document = run('decode', true, () => format.decode(bytes, ref) as Document)
  if (!document) return { findings, decoded: false }
  const tree = run('describe', false, () => format.describe(document))
  run('summarize', false, () => format.summarize(document))
  if (!document.readOnly) {
    const encoded = run('encode', false, () => encodeDocument(format, document).bytes)
    const at = encoded ? firstDifference(bytes, encoded) : -1
    if (at >= 0) {
      const path = tree ? pathAt(tree, at).path : ''
      findings.push({
        kind: 'not-lossless',
        stage: 'encode',
        message: `${path.replace(/\d+/g, 'N')} at ${at} of ${bytes.length}, written ${encoded!.length}`,
        stack: path.replace(/\d+/g, 'N'),
      })
    }
  }
  run('pixels', true, () => imageOf(document))

  const files: FuzzFile[] = [
    { ref, bytes, format: seed.format },
    ...siblings.map((s) => ({ ref: s.path, bytes: s.bytes, format: s.format })),
  ]
  const { around } = neighbourhoodOf(files)
  // pictures belong to no family: any may have them in a model
  const own = familyById(format.family)
  for (const family of own ? [own] : families) {
    const bound = run('bind', false, () => family.bind(dirname(ref), around)) ?? []
    const mine = bound.filter((binding) => binding.members.some((m) => m.ref === ref)).slice(0, 2)
    const alone: ModelBinding = {
      family: family.id,
      name,
      primary: ref,
      members: [{ role: format.kind === 'texture' ? 'textures' : format.kind, ref, why: 'self', detail: '' }],
    }
    for (const binding of mine.length > 0 ? mine : own ? [alone] : []) {
      const load = (r: string): Document | undefined => around.document(r)
      const assembled = run('assemble', false, () => family.assemble(binding, load, {}))
      if (assembled) {
        const { scene } = assembled
        const hole = run('sample', false, () => {
          const found = holeIn(scene)
          if (found) return found
          const pose = createPose(scene)
          for (const clip of scene.clips.slice(0, 4))
            for (const time of [clip.start, (clip.start + clip.end) / 2, clip.end, clip.end + 1e9]) sampleClip(scene, clip, time, pose)
          return ''
        })
        if (hole) findings.push({ kind: 'scene', stage: 'assemble', message: hole, stack: hole.replace(/\d+/g, 'N') })
        else if (options.gltf && cells(scene) < 2_000_000) {
          options.onStage?.('gltf')
          try {
            await writeGltf(scene, { format: 'glb', name: 'x' })
          } catch (error) {
            findings.push({ kind: 'throws', stage: 'gltf', message: String(error), stack: (error as Error).stack ?? '' })
          }
        }
        run('editors', true, () => readEditors(family.editor, { binding, assembled, document: load }))
      }
      run('lint', false, () => family.lint(document, { binding, around, load }))
    }
    run('lint', false, () => family.lint(document, { around, load: () => undefined }))
  }
  return { findings, decoded: true }
}

/** Work of a glTF export in key values. */
function cells(scene: Scene): number {
  return (
    (1 + scene.slices.length) *
    scene.clips.reduce(
      (sum, clip) =>
        sum + clip.tracks.reduce((n, track) => n + track.values.length, 0) + Math.min(1e7, (clip.end - clip.start) * clip.tracks.length),
      0,
    )
  )
}

/** What the panels read when a model is opened. */
function readEditors(editor: (typeof families)[number]['editor'], model: OpenDocuments): void {
  const { scene } = model.assembled
  editor.slices?.limits(model)
  for (let clip = 0; clip < Math.min(3, scene.clips.length); clip++) {
    const tracks = editor.clips?.tracks(model, clip) ?? []
    for (const track of tracks) {
      if (track.values.length !== track.times.length * track.components.length)
        throw new Error(`track ${track.label}: ${track.values.length} values for ${track.times.length} keys of ${track.components.length}`)
    }
    editor.clips?.fields?.(model, clip)
  }
  for (const { id } of editor.weights?.list(model).slice(0, 4) ?? []) editor.weights!.read(model, id)
  for (let joint = 0; joint < Math.min(8, scene.skeleton.count); joint++) {
    editor.skeleton?.fields(model, joint)
    editor.skeleton?.references(model, joint)
  }
}

/** The first thing in a scene that viewport and exporters would fall over; '' for none. */
function holeIn(scene: Scene): string {
  const { skeleton } = scene
  const n = skeleton.count
  if (
    skeleton.names.length !== n ||
    skeleton.parents.length !== n ||
    skeleton.restLocal.length !== 16 * n ||
    skeleton.restTranslation.length !== 3 * n ||
    skeleton.restRotation.length !== 4 * n ||
    skeleton.restScale.length !== 3 * n ||
    skeleton.nativeIndex.length !== n
  )
    return 'skeleton: columns of different lengths'
  for (let i = 0; i < n; i++)
    if (skeleton.parents[i] >= i || skeleton.parents[i] < -1) return `skeleton.parents[${i}] is ${skeleton.parents[i]}`
  for (const [i, mesh] of scene.meshes.entries()) {
    const vertices = mesh.positions.length / 3
    if (!Number.isInteger(vertices)) return `meshes[${i}].positions has ${mesh.positions.length} numbers`
    if (mesh.joint < -1 || mesh.joint >= n) return `meshes[${i}].joint is ${mesh.joint}`
    if (mesh.normals.length !== 0 && mesh.normals.length !== 3 * vertices)
      return `meshes[${i}].normals has ${mesh.normals.length} numbers for ${vertices} vertices`
    for (const uv of mesh.uvs) if (uv.length !== 2 * vertices) return `meshes[${i}].uvs has ${uv.length} numbers for ${vertices} vertices`
    if (mesh.colors.length !== 0 && mesh.colors.length !== 4 * vertices)
      return `meshes[${i}].colors has ${mesh.colors.length} numbers for ${vertices} vertices`
    for (const index of mesh.indices) if (index >= vertices) return `meshes[${i}].indices has ${index}, there are ${vertices} vertices`
    if (mesh.nativeVertex.length !== vertices)
      return `meshes[${i}].nativeVertex has ${mesh.nativeVertex.length} entries for ${vertices} vertices`
    if (mesh.skin >= scene.skins.length) return `meshes[${i}].skin is ${mesh.skin}`
    if (mesh.skin >= 0 && scene.skins[mesh.skin].offsets.length !== vertices + 1)
      return `meshes[${i}]: its skin has ${scene.skins[mesh.skin].offsets.length} offsets for ${vertices} vertices`
    for (const group of mesh.groups) {
      if (group.start < 0 || group.count < 0 || group.start + group.count > mesh.indices.length)
        return `meshes[${i}].groups: ${group.start}+${group.count} of ${mesh.indices.length}`
      if (group.material < -1 || group.material >= scene.materials.length) return `meshes[${i}].groups: material ${group.material}`
    }
  }
  for (const [i, skin] of scene.skins.entries()) {
    for (const joint of skin.joints) if (joint >= n) return `skins[${i}].joints has ${joint}`
    if (skin.inverseBind.length !== 16 * skin.joints.length) return `skins[${i}].inverseBind has ${skin.inverseBind.length} numbers`
    const last = skin.offsets[skin.offsets.length - 1] ?? 0
    if (skin.slots.length !== last || skin.weights.length !== last) return `skins[${i}]: ${skin.slots.length} slots, offsets end at ${last}`
    for (const slot of skin.slots) if (slot >= skin.joints.length) return `skins[${i}].slots has ${slot}`
    for (const weight of skin.weights) if (!Number.isFinite(weight)) return `skins[${i}].weights has ${weight}`
  }
  for (const [i, material] of scene.materials.entries()) {
    for (const texture of [material.texture, ...material.layers.map((l) => l.texture)])
      if (texture < -1 || texture >= scene.textures.length) return `materials[${i}]: texture ${texture}`
  }
  for (const [i, texture] of scene.textures.entries())
    if (texture.rgba.length !== 0 && texture.rgba.length !== 4 * texture.width * texture.height)
      return `textures[${i}]: ${texture.rgba.length} bytes for ${texture.width} x ${texture.height}`
  for (const [i, clip] of scene.clips.entries()) {
    if (!Number.isFinite(clip.start) || !Number.isFinite(clip.end) || !(clip.rate > 0) || !Number.isFinite(clip.rate))
      return `clips[${i}]: ${clip.start}..${clip.end} at ${clip.rate}`
    for (const track of clip.tracks) {
      const size = track.target.kind === 'joint' ? n : track.target.kind === 'mesh' ? scene.meshes.length : scene.materials.length
      if (track.target.index < 0 || track.target.index >= size) return `clips[${i}]: a track of ${track.target.kind} ${track.target.index}`
      for (let k = 0; k < track.times.length; k++)
        if (!Number.isFinite(track.times[k]) || (k > 0 && track.times[k] < track.times[k - 1]))
          return `clips[${i}]: track times ${track.times[k - 1]}, ${track.times[k]}`
    }
  }
  for (const slice of scene.slices)
    if (slice.clip < -1 || (slice.clip >= scene.clips.length && scene.clips.length > 0)) return `slices: clip ${slice.clip}`
  for (const helper of scene.helpers) if (helper.joint < -1 || helper.joint >= n) return `helpers: joint ${helper.joint}`
  return ''
}

type Run = <T>(stage: Stage, typed: boolean, body: () => T) => T | undefined

function segmentsSize(segments: readonly Segment[]): number {
  return segments.reduce((sum, s) => sum + (s.kind === 'copy' ? s.length : s.bytes.length), 0)
}

/** Ranges of the whole that segments of a kind take. */
function rangesOf(segments: readonly Segment[], kind: Segment['kind']): [number, number][] {
  let at = 0
  return segments.flatMap((s): [number, number][] => {
    const from = at
    at += s.kind === 'copy' ? s.length : s.bytes.length
    return s.kind === kind ? [[from, at]] : []
  })
}

/** Segments laid out over the file they copy from. @throws Error for a copy from outside */
function layOut(segments: readonly Segment[], source: ByteSource): Uint8Array {
  return new Uint8Array(Buffer.concat(segments.map((s) => (s.kind === 'copy' ? source.read(s.offset, s.length) : s.bytes))))
}

function checkArchive(seed: Seed, bytes: Uint8Array, run: Run, findings: Finding[]): boolean {
  const format = archiveById(seed.format)!
  const source = sourceOf(bytes, seed.path)
  const data = seed.data ? sourceOf(seed.data, `${seed.path}.data`) : source
  const index = run<ArchiveIndex>('archive', true, () => format.open(source, data))
  if (!index) return false
  run('describe', false, () => format.describe(index))
  run('encode', false, () => {
    for (const m of index.members)
      if (!(m.offset >= 0 && m.size >= 0 && Number.isSafeInteger(m.offset) && Number.isSafeInteger(m.size)))
        throw new Error(`member ${m.name}: ${m.size} bytes at ${m.offset}`)
    const whole = format.encode(index)
    const parts: [Segment[], Uint8Array, ByteSource][] = [[whole, bytes, source]]
    if (seed.data && format.encodeData) parts.push([format.encodeData(index), seed.data, data])
    for (const [segments, was, from] of parts) {
      if (segmentsSize(segments) > was.length * 2 + 4096) throw new Error(`${segmentsSize(segments)} bytes written for ${was.length}`)
      const at = firstDifference(was, layOut(segments, from))
      if (at >= 0) findings.push({ kind: 'not-lossless', stage: 'encode', message: `archive at ${at} of ${was.length}`, stack: 'archive' })
    }
  })
  if (index.members.length === 0 || index.members.length > 5000) return true
  const number = index.members.length >> 1
  const tables = format.id === 'level5.pack' ? [] : rangesOf(format.encode(index), 'bytes')
  const old = index.members.at(number)!
  const most = Math.min(old.size, bytes.length)
  const fill = (size: number, i: number): Uint8Array => new Uint8Array(size).fill(0xc3 ^ (i & 0x3f))
  const every = (more: number): Map<number, Uint8Array> =>
    new Map(index.members.slice(0, 40).map((m: ArchiveMember, i: number) => [i, fill(Math.min(m.size, 100_000) + more, i)]))
  for (const replacements of [
    new Map([[number, fill(0, 1)]]),
    new Map([[number, fill(most, 1)]]),
    new Map([[number, fill(most + 5000, 1)]]),
    every(0),
    every(3000),
  ]) {
    run('replace', true, () => {
      const made = format.replace(index, replacements)
      const added = [...replacements.values()].reduce((sum, body) => sum + body.length + 4096, 0)
      const limit = 2 * (bytes.length + (seed.data?.length ?? 0)) + added + 65_536
      if (segmentsSize(made.data) > limit) throw new Error(`${segmentsSize(made.data)} bytes after replacing members by ${added}`)
      const newData = layOut(made.data, data)
      const newSource = sourceOf(made.directory ? layOut(made.directory, source) : newData, seed.path)
      const again = format.open(newSource, made.directory ? sourceOf(newData, data.ref) : newSource)
      if (again.members.length !== index.members.length)
        throw new Error(`${again.members.length} members after a replacement, ${index.members.length} before`)
      for (const [i, m] of [...again.members].entries()) {
        const now = newData.subarray(m.offset, m.offset + m.size)
        const body = replacements.get(i)
        if (body) {
          if (firstDifference(now.subarray(0, body.length), body) >= 0)
            throw new Error(`the new body of ${body.length} bytes is not what stands in the archive`)
        } else {
          const was = index.members.at(i)!
          // what lies in a table changes with it
          if (
            was.offset + was.size > data.size ||
            (data === source && tables.some(([from, to]) => was.offset < to && from < was.offset + was.size))
          )
            continue
          const before = data.read(was.offset, was.size)
          // a member that says more than the file has gets more of a longer file
          if (firstDifference(before, now.subarray(0, before.length)) >= 0)
            throw new Error(
              `another member changed with the replaced one (${was.size} bytes at ${was.offset}, now ${m.size} at ${m.offset})`,
            )
        }
      }
    })
  }
  return true
}
