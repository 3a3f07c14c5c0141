import { imageTextures } from '../image/edit-textures.ts'
import { assemble } from './scene/assemble.ts'
import { bind } from './scene/bind.ts'
import { big } from './archives/big.ts'
import { clips } from './edit/clips.ts'
import { materials } from './edit/materials.ts'
import { skeleton } from './edit/skeleton.ts'
import { weights } from './edit/weights.ts'
import { w3dFile } from './codecs/file.ts'
import { fixes, lint, rules } from './lint.ts'
import { mix } from './archives/mix.ts'
import { loose } from './loose.ts'
import { say, texts } from './texts/index.ts'
import type { Family } from '../family.ts'

/** The W3D family; its formats stand in this folder, one file each. */
export const w3d: Family = {
  id: 'w3d',
  label: 'W3D',
  get games() {
    return say('family.games')
  },
  texts,
  formats: [w3dFile],
  archives: [big, mix],
  opens: ['w3d'],
  alsoCalled: ['big'],
  folders: ['w3d', 'textures', 'compiledtextures'],
  loose,
  bind,
  assemble,
  lint,
  rules,
  fixes,
  editor: { clips, weights, skeleton, materials, textures: imageTextures },
}
