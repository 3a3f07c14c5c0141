/** Where the nodes stood when skins were bound to them. */
import { baseName } from '../../../../shared/ref.ts'
import { bindWorlds, detectForm } from '../codecs/bbp.ts'
import { checkBindPose } from './checks.ts'
import { bbpFormOf, bbpOption } from './options.ts'
import { mdsWorlds } from './skeleton.ts'
import { say } from '../texts/index.ts'
import type { ModelChoices, ModelOption } from '../../binding.ts'
import type { Diagnostics } from '../../format.ts'
import type { BbpDocument } from '../codecs/bbp.ts'
import type { MdsDocument } from '../codecs/mds.ts'

/** Matrices of the nodes in model space, as the BBP says or, without one, as the nodes stand. */
export function bindPose(
  model: MdsDocument,
  bindPoses: readonly BbpDocument[],
  choices: ModelChoices,
  options: ModelOption[],
  diagnostics: Diagnostics,
): Float32Array {
  const { locals, worlds, order, parents } = mdsWorlds(model)
  let bind = worlds
  const bbp = bindPoses.at(0)
  if (bbp) {
    diagnostics.list.push(...checkBindPose(bbp, model))
    const found = detectForm(bbp.matrices, parents, order, locals, worlds)
    const chosen = bbpFormOf(choices)
    bind = bindWorlds(chosen === 'auto' ? found.form : chosen, bbp.matrices, parents, order, locals, worlds)
    options.push(bbpOption(chosen, found))
  }
  if (bindPoses.length > 1)
    diagnostics.add('info', 'level5.several-bbp', say('scene.bindPoses', { count: bindPoses.length, file: baseName(bindPoses[0].ref) }))
  return bind
}
