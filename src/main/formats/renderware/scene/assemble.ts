/** A model of the family as a scene: frames as joints, atomics as meshes, textures from dictionaries, animations that fit. */
import { stemOf } from '../../../../shared/ref.ts'
import { emptyScene } from '../../../../shared/scene/types.ts'
import { Diagnostics } from '../../format.ts'
import { addClips } from './clips.ts'
import { addHelpers } from './helpers.ts'
import { addMesh, clumpMeshes } from './meshes.ts'
import { OPTION, weightListsOption } from './options.ts'
import { addSkeleton } from './skeleton.ts'
import { Textures, addPictures } from './textures.ts'
import { addWheels, markLevels, mayBeShared, SHARED_BY_VEHICLES } from './vehicle.ts'
import { chunkPaths } from '../codecs/chunk.ts'
import { readModel } from '../codecs/model.ts'
import { say } from '../texts/index.ts'
import type { SourceRef } from '../../../../shared/scene/types.ts'
import type { AssembledModel, ModelBinding, ModelChoices } from '../../binding.ts'
import type { Document } from '../../format.ts'
import type { AnmDocument } from '../codecs/anm.ts'
import type { Chunk } from '../codecs/chunk.ts'
import type { DffDocument } from '../codecs/dff.ts'
import type { IfpDocument } from '../codecs/ifp-bones.ts'
import type { TxdDocument } from '../codecs/txd.ts'

export function assemble(binding: ModelBinding, load: (ref: string) => Document | undefined, choices: ModelChoices): AssembledModel {
  const diagnostics = new Diagnostics(binding.primary)
  const scene = emptyScene(binding.name)
  const documents = { txd: [] as TxdDocument[], ifp: [] as IfpDocument[], anm: [] as AnmDocument[] }
  for (const member of binding.members) {
    if (member.ref === binding.primary) continue
    const document = load(member.ref)
    if (!document) diagnostics.add('warning', 'renderware.member-unread', say('scene.memberUnread', { name: stemOf(member.ref) }), '', -1)
    else if (document.format === 'renderware.txd') documents.txd.push(document as TxdDocument)
    else if (document.format === 'renderware.ifp') documents.ifp.push(document as IfpDocument)
    else if (document.format === 'renderware.anm') documents.anm.push(document as AnmDocument)
  }
  const primary = load(binding.primary)
  if (primary?.format === 'renderware.txd') {
    // a dictionary that belongs to no model: its pictures are all there is
    addPictures(scene, primary as TxdDocument, diagnostics)
    return { scene, options: [], diagnostics: diagnostics.list }
  }
  const dff = primary as DffDocument | undefined
  if (!dff || dff.format !== 'renderware.dff') {
    diagnostics.add('error', 'renderware.model-unread', say('scene.modelUnread'))
    return { scene, options: [], diagnostics: diagnostics.list }
  }
  const { clumps } = readModel(dff)
  const paths = chunkPaths(dff.roots)
  const sourceOf = (chunk: Chunk): SourceRef => ({ ref: dff.ref, path: paths.get(chunk) ?? '' })
  const rig = addSkeleton(scene, clumps, sourceOf, diagnostics)
  const shared = clumps.some((clump) => mayBeShared(clump, () => binding.absent ?? []))
  const textures = new Textures(scene, documents.txd, diagnostics, shared)
  clumps.forEach((clump, c) => {
    const meshes = clumpMeshes(scene, clump, c)
    clump.atomics.forEach((_, a) => addMesh(scene, rig, meshes, a, textures, sourceOf, diagnostics))
  })
  addWheels(scene)
  markLevels(scene)
  clumps.forEach((clump, c) => addHelpers(scene, rig, clump, c, sourceOf))
  if (clumps.length === 0) diagnostics.add('warning', 'renderware.no-clump', say('scene.noClump'))
  addClips(scene, rig.finder, documents.ifp, documents.anm)
  const options = scene.skins.length ? [weightListsOption(choices[OPTION.weightLists])] : []
  const elsewhere = shared && textures.missing.length > 0
  return {
    scene,
    options,
    diagnostics: diagnostics.list,
    ...(elsewhere ? { shared: { file: `${SHARED_BY_VEHICLES}.txd`, textures: textures.missing } } : {}),
  }
}
