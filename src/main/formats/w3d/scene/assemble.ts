/**
 * A scene from the documents of a model: the skeleton of the HLOD's hierarchy, its sub-objects on their pivots for each level of detail,
 * skins taken from bone space to the space of the model at rest, boxes and other helpers, and the clips. Never throws on odd content:
 * what does not fit is left out with a diagnostic.
 */
import { emptyScene } from '../../../../shared/scene/types.ts'
import { Diagnostics } from '../../format.ts'
import { hierarchiesOf } from '../codecs/hierarchy.ts'
import { addClips } from './clips.ts'
import { fileOf, modelObjects, objectsOf } from './objects.ts'
import { OPTION, fixupsOption, objectOption, rawFramesOption, replacedTexturesOption } from './options.ts'
import { Placing } from './placing.ts'
import { Joints, addSkeleton, fixupsMatter } from './skeleton.ts'
import { Textures } from './textures.ts'
import { say } from '../texts/index.ts'
import type { Diagnostic } from '../../../../shared/api/errors.ts'
import type { AssembledModel, ModelBinding, ModelChoices, ModelOption } from '../../binding.ts'
import type { Document } from '../../format.ts'
import type { W3dDocument } from '../codecs/file.ts'
import type { File } from './objects.ts'
import type { PlacedHierarchy } from './skeleton.ts'

const MOST_DIAGNOSTICS = 500

export function assemble(binding: ModelBinding, load: (ref: string) => Document | undefined, choices: ModelChoices): AssembledModel {
  const list: Diagnostic[] = []
  const files: File[] = []
  const seen = new Set<string>()
  for (const ref of [binding.primary, ...binding.members.filter((m) => m.role !== 'textures').map((m) => m.ref)]) {
    if (seen.has(ref)) continue
    seen.add(ref)
    const document = load(ref)
    if (document?.format === 'w3d.file') files.push(fileOf(ref, document as W3dDocument))
    else if (!document)
      list.push({ severity: 'error', code: 'w3d.file-unreadable', message: say('scene.fileUnreadable'), ref, path: '', offset: -1 })
  }
  const assembled = sceneOf(binding, files, load, choices, list)
  if (list.length > MOST_DIAGNOSTICS) {
    const more = list.length - MOST_DIAGNOSTICS
    list.length = MOST_DIAGNOSTICS
    list.push({
      severity: 'info',
      code: 'w3d.more',
      message: say('scene.more', { count: more }),
      ref: binding.primary,
      path: '',
      offset: -1,
    })
  }
  return assembled
}

function sceneOf(
  binding: ModelBinding,
  files: readonly File[],
  load: (ref: string) => Document | undefined,
  choices: ModelChoices,
  diagnostics: Diagnostic[],
): AssembledModel {
  const scene = emptyScene(binding.name)
  const options: ModelOption[] = []
  const primary = files.find((file) => file.ref === binding.primary)
  if (!primary) return { scene, options, diagnostics }

  const applyFixups = choices[OPTION.fixups] === 'applied'
  const replaceTextures = choices[OPTION.replacedTextures] === 'applied'
  const snap = choices[OPTION.rawFrames] === 'snap'
  const pictures = binding.members.filter((m) => m.role === 'textures').map((m) => m.ref)
  const textures = new Textures(scene, pictures, load, new Diagnostics(binding.primary, diagnostics))
  const joints = new Joints(diagnostics, applyFixups)
  const placing = new Placing(scene, binding, files, objectsOf(files), joints, textures, diagnostics, replaceTextures)

  const models = modelObjects(primary)
  const chosen = models.find((model) => model.name === choices[OPTION.object]) ?? models[0]
  if (models.length > 1) options.push(objectOption(say('scene.options.object'), chosen.name, models))
  let main: PlacedHierarchy
  if (chosen) {
    main = placing.placeModel(chosen, -1, 0)
    placing.placeLoose(primary, main, false)
  } else {
    const own = hierarchiesOf(primary.document)
    const wanted = own.find((h) => h.name === choices[OPTION.object]) ?? own[0]
    if (own.length > 1) options.push(objectOption(say('scene.options.skeleton'), wanted.name, own))
    main = wanted ? joints.addHierarchy({ file: primary, hierarchy: wanted }, -1) : joints.addRoot(primary, -1)
    placing.placeLoose(primary, main, true)
  }
  addSkeleton(scene, joints)

  const fixups = main.hierarchy?.fixups
  if (fixups && fixupsMatter(fixups)) options.push(fixupsOption(applyFixups))
  if (placing.replacers) options.push(replacedTexturesOption(replaceTextures))
  if (addClips(scene, binding, files, main, snap, diagnostics)) options.push(rawFramesOption(snap))
  return { scene, options, diagnostics, missing: placing.missing }
}
