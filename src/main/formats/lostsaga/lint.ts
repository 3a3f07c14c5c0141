/** What the game or its tools will choke on. Evidence: docs/formats/lostsaga.md. */
import { fixesOf, linter, rulesOf } from '../lint.ts'
import * as clips from './lint/clips.ts'
import * as meshes from './lint/meshes.ts'
import * as skeleton from './lint/skeleton.ts'
import * as textures from './lint/textures.ts'
import * as weights from './lint/weights.ts'
import { RULES } from './rules.ts'
import { say } from './texts/index.ts'

export const lint = linter('lostsaga', RULES, {
  'lostsaga.msh': [meshes.header, weights.weights, meshes.points, meshes.faces, meshes.winding, meshes.materialCount, meshes.box],
  'lostsaga.skl': [skeleton.bones],
  'lostsaga.ani': [clips.tracks],
  'lostsaga.material': [textures.materials],
  'lostsaga.cms': [meshes.collision],
})

export const fixes = fixesOf(RULES)

export const rules = rulesOf('lostsaga', RULES, (id) => say(`rules.${id}`))
