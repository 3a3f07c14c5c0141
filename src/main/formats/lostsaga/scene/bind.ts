/**
 * Which files make a model: the model text's own words first, then names, then bones. A skeleton has thousands of animations in a whole
 * game; the nearest and best fitting ones are listed.
 */
import { stemOf } from '../../../../shared/ref.ts'
import { say } from '../texts/index.ts'
import type { BindFile, BindNeighbourhood, ModelBinding, ModelMember } from '../../binding.ts'
import { LINKED_SKELETON } from '../codecs/skl.ts'
import type { MaterialDocument } from '../codecs/material.ts'
import type { ModelDocument } from '../codecs/model.ts'

const MOST_ANIMATIONS = 200

export function bind(folder: string, around: BindNeighbourhood): ModelBinding[] {
  const out: ModelBinding[] = []
  for (const file of around.inFolder(folder)) {
    if (file.format === 'lostsaga.model') out.push(bindModelText(file, around))
    else if (file.format === 'lostsaga.msh') out.push(bindMesh(file, around))
    else if (file.format === 'lostsaga.skl') out.push(bindSkeleton(file, around))
    else if (file.format === 'lostsaga.cms')
      out.push({ family: 'lostsaga', name: stemOf(file.name), primary: file.ref, members: [self(file, 'collision')] })
  }
  return out
}

function self(file: BindFile, role: string): ModelMember {
  return { role, ref: file.ref, why: 'self', detail: '' }
}

function named(around: BindNeighbourhood, name: string, near: string, format: string): BindFile | undefined {
  return around.byStem(stemOf(name), near).find((f) => f.format === format)
}

function bindModelText(file: BindFile, around: BindNeighbourhood): ModelBinding {
  const members = [self(file, 'model')]
  const document = around.document(file.ref) as ModelDocument | undefined
  if (document) {
    for (const name of document.meshes) {
      const mesh = named(around, name, file.folder, 'lostsaga.msh')
      if (mesh) {
        members.push({ role: 'mesh', ref: mesh.ref, why: 'explicit', detail: '#MESH_LIST' })
        addMaterials(members, mesh, around)
      }
    }
    const skeleton = document.skeleton ? named(around, document.skeleton, file.folder, 'lostsaga.skl') : undefined
    if (skeleton) members.push({ role: 'skeleton', ref: skeleton.ref, why: 'explicit', detail: '#SKELETON' })
    const collision = document.collisionMesh ? named(around, document.collisionMesh, file.folder, 'lostsaga.cms') : undefined
    if (collision) members.push({ role: 'collision', ref: collision.ref, why: 'explicit', detail: '#COLLISION_MESH' })
    for (const name of document.animations) {
      const ani = named(around, name, file.folder, 'lostsaga.ani')
      if (ani) members.push({ role: 'animation', ref: ani.ref, why: 'explicit', detail: '#ANIMATION_LIST' })
    }
    if (skeleton) {
      addLinked(members, skeleton, around)
      addAnimations(members, skeleton.ref, file.folder, around)
    }
  }
  return { family: 'lostsaga', name: stemOf(file.name), primary: file.ref, members }
}

function bindMesh(file: BindFile, around: BindNeighbourhood): ModelBinding {
  const members = [self(file, 'mesh')]
  addMaterials(members, file, around)
  const bones = keysOf(around.summary(file.ref)?.needs, 'lostsaga.bone:')
  if (bones.length) {
    const skeleton = bestSkeleton(bones, file.folder, around)
    if (skeleton) {
      members.push({
        role: 'skeleton',
        ref: skeleton.file.ref,
        why: 'bones',
        detail: say('formats.matchedBones', { matched: skeleton.matched, all: bones.length }),
        fit: { matched: skeleton.matched, total: bones.length },
      })
      addLinked(members, skeleton.file, around)
      addAnimations(members, skeleton.file.ref, file.folder, around)
    }
  }
  return { family: 'lostsaga', name: stemOf(file.name), primary: file.ref, members }
}

function bindSkeleton(file: BindFile, around: BindNeighbourhood): ModelBinding {
  const members = [self(file, 'skeleton')]
  addLinked(members, file, around)
  addAnimations(members, file.ref, file.folder, around)
  return { family: 'lostsaga', name: stemOf(file.name), primary: file.ref, members }
}

function keysOf(keys: readonly string[] | undefined, prefix: string): string[] {
  return (keys ?? []).filter((k) => k.toLowerCase().startsWith(prefix)).map((k) => k.slice(prefix.length).toLowerCase())
}

/** The skeleton that has most of the bones; of equals the nearest. */
function bestSkeleton(bones: string[], near: string, around: BindNeighbourhood): { file: BindFile; matched: number } | undefined {
  let best: { file: BindFile; matched: number } | undefined
  const seen = new Set<string>()
  for (const bone of bones.slice(0, 4)) {
    for (const file of around.providing(`lostsaga.bone:${bone}`, near)) {
      if (file.format !== 'lostsaga.skl' || seen.has(file.ref)) continue
      seen.add(file.ref)
      const has = new Set(keysOf(around.summary(file.ref)?.provides, 'lostsaga.bone:'))
      const matched = bones.filter((b) => has.has(b)).length
      if (!best || matched > best.matched) best = { file, matched }
    }
  }
  return best
}

function addMaterials(members: ModelMember[], mesh: BindFile, around: BindNeighbourhood): void {
  const script = named(around, mesh.name, mesh.folder, 'lostsaga.material')
  if (!script) return
  members.push({ role: 'material', ref: script.ref, why: 'name', detail: say('scene.namedAfter', { mesh: mesh.name }) })
  const document = around.document(script.ref) as MaterialDocument | undefined
  for (const block of document?.materials ?? []) {
    for (const texture of block.textures) {
      const file = around.byStem(stemOf(texture.file), mesh.folder).find((f) => f.format === 'common.dds' || f.format === 'common.tga')
      if (file && !members.some((m) => m.ref === file.ref))
        members.push({ role: 'textures', ref: file.ref, why: 'explicit', detail: say('scene.texture', { texture: texture.file }) })
    }
  }
}

/** The skeleton that a skeleton names as linked, and what that one names. */
function addLinked(members: ModelMember[], skeleton: BindFile, around: BindNeighbourhood): void {
  const seen = new Set([skeleton.ref])
  for (let from = skeleton; ;) {
    const name = keysOf(around.summary(from.ref)?.needs, 'lostsaga.skeleton:')[0]
    const next = name ? named(around, name, from.folder, 'lostsaga.skl') : undefined
    if (!next || seen.has(next.ref)) return
    seen.add(next.ref)
    members.push({ role: LINKED_SKELETON, ref: next.ref, why: 'explicit', detail: say('scene.linkedSkeleton', { skeleton: from.name }) })
    from = next
  }
}

function addAnimations(members: ModelMember[], skeleton: string, near: string, around: BindNeighbourhood): void {
  const bones = keysOf(around.summary(skeleton)?.provides, 'lostsaga.bone:')
  const has = new Set(bones)
  const found: ModelMember[] = []
  const seen = new Set(members.map((m) => m.ref))
  for (const bone of bones.slice(0, 3)) {
    for (const file of around.providing(`lostsaga.track:${bone}`, near)) {
      if (file.format !== 'lostsaga.ani' || seen.has(file.ref)) continue
      seen.add(file.ref)
      const tracks = keysOf(around.summary(file.ref)?.provides, 'lostsaga.track:')
      const matched = tracks.filter((t) => has.has(t)).length
      if (tracks.length && matched * 2 >= tracks.length) {
        found.push({
          role: 'animation',
          ref: file.ref,
          why: 'bones',
          detail: say('formats.matchedBones', { matched, all: tracks.length }),
          fit: { matched, total: tracks.length },
        })
      }
    }
  }
  // nearest first is how they came; the sort is stable
  found.sort((a, b) => b.fit!.matched / b.fit!.total - a.fit!.matched / a.fit!.total)
  members.push(...found.slice(0, MOST_ANIMATIONS))
}
