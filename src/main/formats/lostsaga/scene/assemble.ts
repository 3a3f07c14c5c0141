/** A Lost Saga model as a scene. Bad references become diagnostics; nothing here throws. */
import { stemOf, baseName } from '../../../../shared/ref.ts'
import { compose, identity, invertAffine, multiply } from '../../../../shared/scene/matrix.ts'
import { buildSkeleton, updateWorld } from '../../../../shared/scene/pose.ts'
import { packInfluences } from '../../../../shared/scene/skinning.ts'
import {
  emptyScene,
  plainMaterial,
  type Clip,
  type Material,
  type Mesh,
  type Scene,
  type Skeleton,
  type Texture,
  type Track,
} from '../../../../shared/scene/types.ts'
import { imageOf } from '../../image/image.ts'
import { Diagnostics, type AssembledModel, type Document, type ModelBinding, type ModelChoices, type ModelOption } from '../../format.ts'
import { keyCount, keyRotation, keyTime, strideOf, type AniDocument } from '../codecs/ani.ts'
import { flipRotations, flipVectors, flipWinding, UNITS_PER_METRE } from './basis.ts'
import { faceIndices, type MshDocument } from '../codecs/msh.ts'
import {
  INVERSE_POSITION,
  INVERSE_ROTATION,
  LOCAL_POSITION,
  LOCAL_ROTATION,
  LINKED_SKELETON,
  NO_PARENT,
  type SklBone,
  type SklDocument,
} from '../codecs/skl.ts'
import type { CmsDocument } from '../codecs/cms.ts'
import type { MaterialBlock, MaterialDocument } from '../codecs/material.ts'
import type { Diagnostic } from '../../../../shared/api/errors.ts'

interface Rig {
  skeleton: Skeleton
  /** bone name, lower case -> joint */
  jointByName: Map<string, number>
  /** 16 per joint: inverse bind from the file, in scene space */
  inverseBind: Float32Array
  /** how far a bone's place in the bind pose is from the one at rest, at most */
  bindOffset: number
}

const PACKING: ModelOption = {
  key: 'lostsaga.packing',
  label: 'Packed rotations are',
  reason: 'rounding halves the error and the game reads it the same; truncating is what the game’s own tool does',
  value: 'round',
  options: [
    { value: 'round', label: 'rounded' },
    { value: 'game', label: 'truncated, as the game does' },
  ],
}

export function assemble(binding: ModelBinding, load: (ref: string) => Document | undefined, choices: ModelChoices): AssembledModel {
  const scene = emptyScene(binding.name)
  scene.unitsPerMetre = UNITS_PER_METRE
  const diagnostics: Diagnostic[] = []
  const say = (ref: string): Diagnostics => new Diagnostics(ref, diagnostics)
  const members = (role: string): string[] => binding.members.filter((m) => m.role === role).map((m) => m.ref)
  const loaded = <D extends Document>(ref: string, format: string): D | undefined => {
    const document = load(ref)
    return document?.format === format ? (document as D) : undefined
  }

  const skl = members('skeleton')
    .map((ref) => loaded<SklDocument>(ref, 'lostsaga.skl'))
    .find(Boolean)
  const linked = members(LINKED_SKELETON).flatMap((ref) => loaded<SklDocument>(ref, 'lostsaga.skl') ?? [])
  const rig = skl ? rigOf([skl, ...linked], say) : rootRig(binding)
  scene.skeleton = rig.skeleton

  for (const ref of members('mesh')) {
    const document = loaded<MshDocument>(ref, 'lostsaga.msh')
    if (document) addMesh(scene, rig, document, materialsFor(scene, binding, document, load, say), skl !== undefined, say(ref))
  }
  for (const ref of members('collision')) {
    const document = loaded<CmsDocument>(ref, 'lostsaga.cms')
    if (document && !document.body) addCollision(scene, document, binding.primary === ref)
  }
  for (const ref of members('animation')) {
    const document = loaded<AniDocument>(ref, 'lostsaga.ani')
    if (document) scene.clips.push(clipOf(document, rig, say(ref)))
  }
  const options = scene.clips.length ? [{ ...PACKING, value: choices[PACKING.key] === 'game' ? 'game' : 'round' }] : []
  return { scene, options, diagnostics }
}

function rootRig(binding: ModelBinding): Rig {
  const matrix = new Float32Array(16)
  identity(matrix)
  const { skeleton } = buildSkeleton([binding.name], [-1], matrix, () => ({ ref: binding.primary, path: '' }))
  skeleton.roles = ['hidden']
  return { skeleton, jointByName: new Map(), inverseBind: matrix.slice(), bindOffset: 0 }
}

/** Mesh type whose first texture coordinates are the light map's. */
const LIGHTMAP = 2

const ONE = new Float32Array([1, 1, 1])

/** How far the inverse bind matrices and the rest pose of a skeleton are apart: world * inverse bind should be the identity. In units. */
export function bindOffset(skl: SklDocument): number {
  return rigOf([skl], (ref) => new Diagnostics(ref)).bindOffset
}

/**
 * One skeleton of the bones of all: a linked skeleton gives those that the ones before it lack, hung on the bones that they name as
 * their parents. What the game does with it no original file has shown: this is said.
 */
function rigOf(skeletons: readonly SklDocument[], say: (ref: string) => Diagnostics): Rig {
  const byName = new Map<string, number>()
  const bones: { bone: SklBone; ref: string; path: string }[] = []
  skeletons.forEach(({ ref, bones: own }, s) => {
    const first = bones.length
    own.forEach((bone, i) => {
      const key = bone.name.text.toLowerCase()
      const known = byName.get(key)
      const path = `bones[${i}]`
      // of two skeletons the one that links has the say
      if (known !== undefined && known < first) return
      if (known !== undefined)
        say(ref).add(
          'warning',
          'lostsaga.duplicate-bone',
          `two bones are named ${bone.name.text}; the first is used`,
          `${path}.name`,
          bone.range.start,
        )
      else byName.set(key, bones.length)
      bones.push({ bone, ref, path })
    })
    if (s > 0)
      say(ref).add(
        'info',
        'lostsaga.linked-skeleton',
        `${bones.length - first} of ${own.length} bones of the linked skeleton ${baseName(ref)} are shown on the bones that they name; what the game does with it is not known`,
        'linkedSkeleton',
      )
  })
  const n = bones.length
  if (n === 0) {
    const { ref } = skeletons[0]
    const matrix = new Float32Array(16)
    identity(matrix)
    return {
      ...buildSkeleton(['root'], [-1], matrix, () => ({ ref, path: '' })),
      jointByName: new Map(),
      inverseBind: matrix.slice(),
      bindOffset: 0,
    }
  }
  const local = new Float32Array(16 * n)
  const inverse = new Float32Array(16 * n)
  const parents = bones.map(({ bone, ref, path }, i) => {
    const t = flipVectors(bone.transform.slice(LOCAL_POSITION, LOCAL_POSITION + 3)),
      q = flipRotations(bone.transform.slice(LOCAL_ROTATION, LOCAL_ROTATION + 4))
    compose(local, 16 * i, t, 0, unit(q), 0, ONE, 0)
    const it = flipVectors(bone.transform.slice(INVERSE_POSITION, INVERSE_POSITION + 3)),
      iq = flipRotations(bone.transform.slice(INVERSE_ROTATION, INVERSE_ROTATION + 4))
    compose(inverse, 16 * i, it, 0, unit(iq), 0, ONE, 0)
    const parent = bone.parent.text
    if (parent === NO_PARENT || parent === '') return -1
    const p = byName.get(parent.toLowerCase())
    if (p === undefined)
      say(ref).add(
        'warning',
        'lostsaga.unknown-parent',
        `parent ${parent} of ${bone.name.text} is no bone of this skeleton`,
        `${path}.parent`,
        bone.range.start,
      )
    return p ?? -1
  })
  for (let i = 0; i < local.length; i++) if (!Number.isFinite(local[i])) local[i] = (i % 16) % 5 === 0 ? 1 : 0
  const { skeleton, jointOf } = buildSkeleton(
    bones.map(({ bone }) => bone.name.text),
    parents,
    local,
    (i) => ({ ref: bones[i].ref, path: bones[i].path }),
  )
  const inverseBind = new Float32Array(16 * n)
  const world = new Float32Array(16 * n)
  updateWorld(skeleton, skeleton.restLocal, world)
  const product = new Float32Array(16)
  let worst = 0
  bones.forEach((_, i) => {
    const j = jointOf[i]
    const file = inverse.subarray(16 * i, 16 * i + 16)
    if (file.every(Number.isFinite) && Math.abs(file[0]) + Math.abs(file[1]) + Math.abs(file[2]) > 1e-6) inverseBind.set(file, 16 * j)
    else invertAffine(inverseBind, 16 * j, world, 16 * j)
    multiply(product, 0, world, 16 * j, inverseBind, 16 * j)
    for (let k = 12; k < 15; k++) worst = Math.max(worst, Math.abs(product[k]))
  })
  const jointByName = new Map<string, number>()
  for (const [name, i] of byName) jointByName.set(name, jointOf[i])
  return { skeleton, jointByName, inverseBind, bindOffset: worst }
}

function unit(q: Float32Array): Float32Array {
  const length = Math.hypot(q[0], q[1], q[2], q[3])
  if (length > 0) for (let c = 0; c < 4; c++) q[c] /= length
  else q[3] = 1
  return q
}

function addMesh(scene: Scene, rig: Rig, document: MshDocument, materials: number[], hasSkeleton: boolean, say: Diagnostics): void {
  const v = document.vertexCount
  if (document.positions.length < 3 * v) {
    say.add('warning', 'lostsaga.no-positions', 'the mesh has no positions', 'vertexMask', 12)
    return
  }
  const raw = faceIndices(document)
  const indices = new Uint32Array(raw.length)
  let used = 0
  const start: number[] = []
  const submeshes = document.submeshes.length / 4
  const groups: Mesh['groups'] = []
  const taken = new Uint8Array(raw.length / 3)
  const take = (face: number): void => {
    const [a, b, c] = [raw[3 * face], raw[3 * face + 1], raw[3 * face + 2]]
    taken[face] = 1
    if (a >= v || b >= v || c >= v) return
    indices[used++] = a
    indices[used++] = b
    indices[used++] = c
  }
  for (let s = 0; s < submeshes; s++) {
    const from = document.submeshes[4 * s + 2] / 3,
      count = document.submeshes[4 * s + 3]
    start[s] = used
    if (from >= 0 && count >= 0) for (let f = Math.floor(from); f < Math.min(from + count, taken.length); f++) if (!taken[f]) take(f)
    groups.push({
      start: start[s],
      count: used - start[s],
      material: materials[s] ?? -1,
      source: { ref: document.ref, path: `submeshes[${s}]` },
    })
  }
  const rest = used
  for (let f = 0; f < taken.length; f++) if (!taken[f]) take(f)
  if (used > rest) groups.push({ start: rest, count: used - rest, material: materials[0] ?? -1 })
  const colors = new Float32Array(document.colors.length * 4)
  document.colors.forEach((c, i) => {
    colors[4 * i] = ((c >>> 16) & 255) / 255
    colors[4 * i + 1] = ((c >>> 8) & 255) / 255
    colors[4 * i + 2] = (c & 255) / 255
    colors[4 * i + 3] = (c >>> 24) / 255
  })
  const uvs = [document.uv0, document.uv1].filter((uv) => uv.length).map((uv) => uv.slice())
  const mesh: Mesh = {
    name: stemOf(document.ref),
    joint: 0,
    positions: flipVectors(document.positions.slice()),
    normals: flipVectors(document.normals.slice()),
    uvs,
    colors,
    indices: flipWinding(indices.slice(0, used)),
    groups,
    skin: -1,
    nativeVertex: Uint32Array.from({ length: v }, (_, i) => i),
    nativeVertexCount: v,
    visible: true,
    lod: -1,
    source: { ref: document.ref, path: '' },
  }
  if (document.meshType === 3 || document.meshType === 4) mesh.billboard = 'full'
  if (document.boneNames && hasSkeleton) {
    const names = document.boneNames
    const missing = names.filter((n) => !rig.jointByName.has(n.text.toLowerCase()))
    if (missing.length)
      say.add(
        'warning',
        'lostsaga.bone-missing',
        `${missing.length} of ${names.length} bones of the mesh are not in the skeleton: ${missing
          .slice(0, 4)
          .map((m) => m.text || '(empty)')
          .join(', ')}`,
        'bones',
        document.places.bones,
      )
    const joints = Uint32Array.from(names, (n) => rig.jointByName.get(n.text.toLowerCase()) ?? 0)
    const inverseBind = new Float32Array(16 * joints.length)
    joints.forEach((j, i) => inverseBind.set(rig.inverseBind.subarray(16 * j, 16 * j + 16), 16 * i))
    mesh.skin = scene.skins.length
    scene.skins.push({
      name: mesh.name,
      joints,
      inverseBind,
      ...packInfluences(v, (vertex, push) => {
        for (let s = 0; s < 4; s++) {
          const w = document.influences[8 * vertex + s],
            b = document.influences[8 * vertex + 4 + s]
          // the game stops at the first weight that is not above zero
          if (!(w > 0)) break
          if (Number.isInteger(b) && b >= 0 && b < names.length) push(b, w)
        }
      }),
      source: { ref: document.ref, path: 'influences' },
    })
  } else if (document.boneNames)
    say.add(
      'warning',
      'lostsaga.no-skeleton',
      'no skeleton with the bones of this mesh was found: it is shown at its bind pose',
      'bones',
      document.places.bones,
    )
  document.controlPoints?.forEach((point, i) => {
    const joint = rig.jointByName.get(point.linkedBone.text.toLowerCase()) ?? 0
    const [x, y, z] = point.position
    scene.helpers.push({
      name: point.type.text || `control point ${i}`,
      kind: 'point',
      joint,
      center: [x, y, -z],
      extent: [0, 0, 0],
      color: [1, 0.7, 0.2],
      label: [point.type.text, point.linkedBone.text, point.extra.text].filter(Boolean).join(' · '),
      source: { ref: document.ref, path: `controlPoints[${i}]` },
    })
  })
  scene.meshes.push(mesh)
}

function addCollision(scene: Scene, document: CmsDocument, alone: boolean): void {
  const v = document.positions.length / 3
  const valid: number[] = []
  for (let f = 0; f < document.faces.length; f += 3) {
    const [a, b, c] = document.faces.subarray(f, f + 3)
    if (a < v && b < v && c < v) valid.push(a, b, c)
  }
  const indices = flipWinding(Uint32Array.from(valid))
  const material = plainMaterial('collision', { ref: document.ref, path: '' })
  material.diffuse = [0.45, 0.75, 0.95, 0.5]
  material.blend = 'alpha'
  material.doubleSided = false
  scene.materials.push(material)
  scene.meshes.push({
    name: `${stemOf(document.ref)} (collision)`,
    joint: 0,
    positions: flipVectors(document.positions.slice()),
    normals: new Float32Array(0),
    uvs: [],
    colors: new Float32Array(0),
    indices,
    groups: [{ start: 0, count: indices.length, material: scene.materials.length - 1 }],
    skin: -1,
    nativeVertex: Uint32Array.from({ length: v }, (_, i) => i),
    nativeVertexCount: v,
    visible: alone,
    lod: -1,
    source: { ref: document.ref, path: '' },
  })
}

/** The material script of a mesh: the one of its name, else any of the model. */
export function scriptOf(binding: ModelBinding, mesh: string): string | undefined {
  const stem = stemOf(mesh)
  const scripts = binding.members.filter((m) => m.role === 'material')
  return (scripts.find((m) => stemOf(m.ref) === stem) ?? scripts[0])?.ref
}

/** Materials of a mesh, one per submesh, added to the scene. */
function materialsFor(
  scene: Scene,
  binding: ModelBinding,
  mesh: MshDocument,
  load: (ref: string) => Document | undefined,
  say: (ref: string) => Diagnostics,
): number[] {
  const ref = scriptOf(binding, mesh.ref)
  const script = ref ? (load(ref) as MaterialDocument | undefined) : undefined
  if (script?.format !== 'lostsaga.material') return []
  return script.materials.map((block, i) => {
    const material = materialOf(block, { ref: script.ref, path: `materials[${i}]` }, `Sub(${i + 1})`)
    const file = block.textures[0]?.file
    if (file) material.texture = textureOf(scene, binding, file, load, say(script.ref), `materials[${i}].texture`)
    const address = block.textures[0]?.addressMode.toLowerCase() ?? ''
    if (address.includes('clamp')) material.wrapU = material.wrapV = 'clamp'
    else if (address.includes('mirror')) material.wrapU = material.wrapV = 'mirror'
    if (block.textures[0]?.filtering === 'none') material.filter = 'nearest'
    if ((mesh.meshType === LIGHTMAP || /lightmap/i.test(block.shaderGroup)) && mesh.uv1.length) material.uvSet = 1
    material.vertexColors = mesh.colors.length > 0
    scene.materials.push(material)
    return scene.materials.length - 1
  })
}

function materialOf(block: MaterialBlock, source: Material['source'], name: string): Material {
  const material = plainMaterial(name, source)
  const colour = (values: number[] | null): [number, number, number, number] | null => {
    if (!values || values.length < 3) return null
    const k = values.some((v) => v > 1) ? 1 / 255 : 1
    return [values[0] * k, values[1] * k, values[2] * k, values.length > 3 ? values[3] * k : 1]
  }
  material.diffuse = colour(block.diffuse) ?? material.diffuse
  material.emissive = (colour(block.emissive)?.slice(0, 3) as [number, number, number]) ?? material.emissive
  const blend = block.sceneBlend.toLowerCase()
  if (/add|one one/.test(blend)) material.blend = 'additive'
  else if (/modulate|multiply|colour_blend/.test(blend)) material.blend = 'multiply'
  else if (/alpha/.test(blend)) material.blend = 'alpha'
  material.depthWrite = material.blend === 'opaque'
  const limit = Number(block.alphaTest[block.alphaTest.length - 1])
  if (block.alphaTest.length) material.alphaTest = Number.isFinite(limit) ? (limit > 1 ? limit / 255 : limit) : 0.5
  material.doubleSided = /none/i.test(block.cull)
  return material
}

function textureOf(
  scene: Scene,
  binding: ModelBinding,
  file: string,
  load: (ref: string) => Document | undefined,
  say: Diagnostics,
  path: string,
): number {
  const stem = stemOf(file)
  const known = scene.textures.findIndex((t) => stemOf(t.name) === stem)
  if (known >= 0) return known
  const ref = binding.members.find((m) => m.role === 'textures' && stemOf(m.ref) === stem)?.ref
  let texture: Texture = {
    name: file,
    width: 0,
    height: 0,
    rgba: new Uint8Array(0),
    missing: true,
    hasAlpha: false,
    source: { ref: ref ?? '', path: '' },
  }
  const document = ref ? load(ref) : undefined
  try {
    const image = document && imageOf(document)
    if (image) texture = { ...texture, ...image, missing: false, name: baseName(ref!) }
  } catch (error) {
    say.add('warning', 'lostsaga.texture-unreadable', `${file}: ${(error as Error).message}`, path)
  }
  if (texture.missing && !document) say.add('warning', 'lostsaga.texture-missing', `texture ${file} was not found`, path)
  scene.textures.push(texture)
  return scene.textures.length - 1
}

/** Keys by time, as a scene has them: damaged files have them in any order. Of keys at one time the later one stays behind the earlier. */
function sortKeys(times: Float32Array, rotations: Float32Array, positions: Float32Array): void {
  let sorted = true
  for (let k = 1; k < times.length && sorted; k++) sorted = times[k] >= times[k - 1]
  if (sorted) return
  const was = [times.slice(), rotations.slice(), positions.slice()]
  const order = Uint32Array.from(times.keys()).sort((a, b) => was[0][a] - was[0][b] || a - b)
  for (let k = 0; k < order.length; k++) {
    times[k] = was[0][order[k]]
    for (let c = 0; c < 4; c++) rotations[4 * k + c] = was[1][4 * order[k] + c]
    for (let c = 0; c < 3; c++) positions[3 * k + c] = was[2][3 * order[k] + c]
  }
}

function clipOf(document: AniDocument, rig: Rig, say: Diagnostics): Clip {
  const tracks: Track[] = []
  let matched = 0
  document.tracks.forEach((track, i) => {
    const joint = rig.jointByName.get(track.bone.text.toLowerCase())
    if (joint === undefined) return
    matched++
    const n = keyCount(document, track)
    const stride = strideOf(document.coding)
    const times = new Float32Array(n),
      rotations = new Float32Array(4 * n),
      positions = new Float32Array(3 * n)
    for (let k = 0; k < n; k++) {
      times[k] = keyTime(document.coding, track, k)
      keyRotation(document.coding, track, k, rotations, 4 * k)
      const p = (k + 1) * stride - 4
      for (let c = 0; c < 3; c++) positions[3 * k + c] = track.floats[p + c]
      unitAt(rotations, 4 * k)
    }
    sortKeys(times, rotations, positions)
    flipRotations(rotations)
    flipVectors(positions)
    const source = (part: string): Track['source'] => ({ ref: document.ref, path: `tracks[${i}].${part}` })
    const common = { target: { kind: 'joint', index: joint } as const, mode: 'absolute' as const, times, outside: 'hold' as const }
    tracks.push({
      ...common,
      property: 'rotation',
      interpolation: 'slerp',
      values: rotations,
      label: `${track.bone.text} rotation`,
      source: source('rotation'),
    })
    tracks.push({
      ...common,
      property: 'translation',
      interpolation: 'linear',
      values: positions,
      label: `${track.bone.text} position`,
      source: source('position'),
    })
  })
  if (matched < document.tracks.length)
    say.add(
      'info',
      'lostsaga.track-without-bone',
      `${document.tracks.length - matched} of ${document.tracks.length} tracks move bones that the skeleton does not have`,
      'tracks',
    )
  let end = document.totalTime
  for (const t of tracks) if (t.times.length) end = Math.max(end, t.times[t.times.length - 1])
  return {
    name: stemOf(document.ref),
    tracks,
    start: 0,
    end: Math.max(1, end),
    rate: 1000,
    unit: 'ms',
    loop: 'none',
    fit: { matched, total: document.tracks.length },
    events: document.events.map((e, i) => ({
      time: e.time[0],
      type: e.type.text,
      info: e.info.text,
      source: { ref: document.ref, path: `events[${i}]` },
    })),
    source: { ref: document.ref, path: '' },
  }
}

function unitAt(q: Float32Array, o: number): void {
  const length = Math.hypot(q[o], q[o + 1], q[o + 2], q[o + 3])
  if (length > 0 && Number.isFinite(length)) for (let c = 0; c < 4; c++) q[o + c] /= length
  else {
    q[o] = q[o + 1] = q[o + 2] = 0
    q[o + 3] = 1
  }
}
