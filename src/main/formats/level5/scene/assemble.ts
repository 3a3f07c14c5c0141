/**
 * A scene from the files of a model. Nothing here throws on odd input: what does not fit is left out and reported.
 */
import { baseName } from '../../../../shared/ref.ts'
import { emptyScene } from '../../../../shared/scene/types.ts'
import { Diagnostics } from '../../format.ts'
import { bindPose } from './bind-pose.ts'
import { checkSkins, checkTextures } from './checks.ts'
import { addClips } from './clips.ts'
import { addMesh } from './meshes.ts'
import { backFacesOf, backFacesOption, swizzleOf, tickRateOf, tickRateOption } from './options.ts'
import { addSkeleton } from './skeleton.ts'
import { addSkin } from './skins.ts'
import { addSlices } from './slices.ts'
import { Textures } from './textures.ts'
import { nodeAttributes } from '../codecs/attributes.ts'
import { cfgFiles } from '../codecs/cfg-motions.ts'
import { meshOf, nodeName } from '../codecs/mds.ts'
import { groupsByOwner } from '../codecs/wgt.ts'
import { say } from '../texts/index.ts'
import type { AssembledModel, ModelBinding, ModelChoices } from '../../binding.ts'
import type { Document } from '../../format.ts'
import type { BbpDocument } from '../codecs/bbp.ts'
import type { CfgDocument } from '../codecs/cfg-text.ts'
import type { ImgDocument } from '../codecs/img.ts'
import type { MdsDocument } from '../codecs/mds.ts'
import type { Tim2Document } from '../codecs/tim2.ts'
import type { TrackListDocument } from '../codecs/tracks.ts'

export function assemble(binding: ModelBinding, load: (ref: string) => Document | undefined, choices: ModelChoices): AssembledModel {
  const scene = emptyScene(binding.name)
  const diagnostics = new Diagnostics(binding.primary)
  const loaded = <D extends Document>(format: string): D[] =>
    binding.members.flatMap((member) => {
      const document = load(member.ref)
      return document?.format === format ? [document as D] : []
    })
  for (const member of binding.members)
    if (!load(member.ref))
      diagnostics.list.push({
        severity: 'error',
        code: 'level5.member-unread',
        message: say('scene.notRead', { file: baseName(member.ref) }),
        ref: member.ref,
        path: '',
        offset: -1,
      })

  const mds = load(binding.primary)
  if (mds?.format !== 'level5.mds') return { scene, options: [], diagnostics: diagnostics.list }
  const model = mds as MdsDocument
  const motions = loaded<TrackListDocument>('level5.mot')
  const rate = tickRateOf(choices)
  const options = [tickRateOption(rate)]

  const place = addSkeleton(scene, model)
  const textures = new Textures(scene, loaded<ImgDocument>('level5.img'), loaded<Tim2Document>('level5.tim2'), swizzleOf(choices))
  model.nodes.forEach((_, node) => addMesh(scene, model, place, node, textures, diagnostics))
  const oneSided = model.nodes.filter((node) => meshOf(model, node) && nodeAttributes(nodeName(node)).backCulled).length
  if (oneSided) {
    const faces = backFacesOf(choices)
    options.push(backFacesOption(faces, oneSided))
    if (faces === 'drawn') for (const material of scene.materials) material.doubleSided = true
  }
  diagnostics.list.push(...checkTextures(model, (texture) => !scene.textures[textures.find(texture)].missing))
  options.push(...textures.options())
  const weights = loaded<TrackListDocument>('level5.wgt')
  if (weights.length) {
    const bind = bindPose(model, loaded<BbpDocument>('level5.bbp'), choices, options, diagnostics)
    for (const list of weights) {
      diagnostics.list.push(...checkSkins(list, model))
      for (const [owner, groups] of groupsByOwner(list)) addSkin(scene, model, place, owner, groups, bind, list, diagnostics)
    }
  }
  addClips(scene, model, place, motions, rate, choices, options, diagnostics)
  const scripts = loaded<CfgDocument>('level5.cfg')
  // a script's MOTION without a file means the model's only motion: motions that the user adds do not count
  const own = binding.members.filter(({ why, ref }) => why !== 'user' && load(ref)?.format === 'level5.mot').length
  addSlices(scene, scripts, own || motions.length, rate)
  return { scene, options, diagnostics: diagnostics.list, missing: missingBindPoses(scripts, loaded<BbpDocument>('level5.bbp')) }
}

/** Bind poses that scripts name, where the model has none. */
function missingBindPoses(scripts: readonly CfgDocument[], bindPoses: readonly BbpDocument[]): AssembledModel['missing'] {
  if (bindPoses.length > 0) return []
  return scripts.flatMap((script) =>
    cfgFiles(script).motions.flatMap(({ bbp }) => (bbp ? [{ role: 'bind-pose' as const, name: bbp }] : [])),
  )
}
