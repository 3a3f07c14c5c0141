/** A Lost Saga model as a scene. Bad references become diagnostics; nothing here throws. */
import { emptyScene } from '../../../../shared/scene/types.ts'
import { Diagnostics } from '../../format.ts'
import { UNITS_PER_METRE } from './basis.ts'
import { addClips } from './clips.ts'
import { addMaterial, scriptOf } from './materials.ts'
import { addCollision, addMesh } from './meshes.ts'
import { OPTION, packingOption } from './options.ts'
import { addSkeleton } from './skeleton.ts'
import { Textures } from './textures.ts'
import { LINKED_SKELETON } from '../codecs/skl.ts'
import type { Diagnostic } from '../../../../shared/api/errors.ts'
import type { AssembledModel, ModelBinding, ModelChoices } from '../../binding.ts'
import type { Document } from '../../format.ts'
import type { AniDocument } from '../codecs/ani.ts'
import type { CmsDocument } from '../codecs/cms.ts'
import type { MaterialDocument } from '../codecs/material.ts'
import type { MshDocument } from '../codecs/msh.ts'
import type { SklDocument } from '../codecs/skl.ts'

export function assemble(binding: ModelBinding, load: (ref: string) => Document | undefined, choices: ModelChoices): AssembledModel {
  const scene = emptyScene(binding.name)
  scene.unitsPerMetre = UNITS_PER_METRE
  const diagnostics: Diagnostic[] = []
  const report = (ref: string): Diagnostics => new Diagnostics(ref, diagnostics)
  const loaded = <D extends Document>(role: string, format: string): D[] =>
    binding.members.flatMap((member) => {
      const document = member.role === role ? load(member.ref) : undefined
      return document?.format === format ? [document as D] : []
    })

  const skl = loaded<SklDocument>('skeleton', 'lostsaga.skl').slice(0, 1)
  const rig = addSkeleton(scene, binding, skl.length ? [...skl, ...loaded<SklDocument>(LINKED_SKELETON, 'lostsaga.skl')] : [], report)
  const textures = new Textures(scene, binding, load)
  for (const document of loaded<MshDocument>('mesh', 'lostsaga.msh')) {
    const ref = scriptOf(binding, document.ref)
    const script = ref ? (load(ref) as MaterialDocument | undefined) : undefined
    const blocks = script?.format === 'lostsaga.material' ? script.materials : []
    const materials = blocks.map((_, i) => addMaterial(scene, textures, script!, i, document, report(script!.ref)))
    addMesh(scene, rig, document, materials, skl.length > 0, report(document.ref))
  }
  for (const document of loaded<CmsDocument>('collision', 'lostsaga.cms'))
    if (!document.body) addCollision(scene, document, binding.primary === document.ref)
  addClips(scene, rig, loaded<AniDocument>('animation', 'lostsaga.ani'), report)
  const options = scene.clips.length ? [packingOption(choices[OPTION.packing])] : []
  const skinned = loaded<MshDocument>('mesh', 'lostsaga.msh').some((document) => document.boneNames)
  return { scene, options, diagnostics, missing: skinned && skl.length === 0 ? [{ role: 'skeleton', name: '' }] : [] }
}
