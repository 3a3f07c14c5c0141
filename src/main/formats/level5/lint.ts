/** Rules: what the game will choke on, and what a modder wants to be told. */
import { fixesOf, linter, rulesOf } from '../lint.ts'
import * as clips from './lint/clips.ts'
import * as meshes from './lint/meshes.ts'
import * as original from './lint/original.ts'
import * as skeleton from './lint/skeleton.ts'
import * as slices from './lint/slices.ts'
import * as textures from './lint/textures.ts'
import * as weights from './lint/weights.ts'
import { RULES } from './rules.ts'
import { say } from './texts/index.ts'

export const lint = linter('level5', RULES, {
  'level5.mds': [skeleton.nodes, meshes.meshes, weights.vertexLimit, textures.textures, original.built],
  'level5.mot': [clips.tracks, clips.motion],
  'level5.wgt': [clips.tracks, weights.weights, original.groups],
  'level5.bbp': [skeleton.bindPose],
  'level5.cfg': [slices.script, original.windows],
  'level5.img': [textures.pictures],
  'level5.tim2': [textures.picture],
})

export const fixes = fixesOf(RULES)

export const rules = rulesOf('level5', RULES, (id) => say(`rules.${id}`))
