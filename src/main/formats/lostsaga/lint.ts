/** What the game or its tools will choke on. Evidence: docs/formats/lostsaga.md. */
import { fixesOf, linter } from '../lint.ts'
import * as clips from './lint/clips.ts'
import * as meshes from './lint/meshes.ts'
import * as skeleton from './lint/skeleton.ts'
import * as textures from './lint/textures.ts'
import * as weights from './lint/weights.ts'

export const lint = linter('lostsaga', {
  'lostsaga.msh': [meshes.header, weights.weights, meshes.points, meshes.faces, meshes.materialCount, meshes.box],
  'lostsaga.skl': [skeleton.bones],
  'lostsaga.ani': [clips.tracks],
  'lostsaga.material': [textures.materials],
  'lostsaga.cms': [meshes.collision],
})

export const fixes = fixesOf(meshes.FIX, weights.FIX, skeleton.FIX, clips.FIX, textures.FIX)
