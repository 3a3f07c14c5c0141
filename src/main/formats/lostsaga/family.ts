import { imageTextures } from '../image/edit-textures.ts'
import { ani } from './ani.ts'
import { assemble } from './assemble.ts'
import { bind } from './bind.ts'
import { cms } from './cms.ts'
import { skeleton, weights } from './edit-bones.ts'
import { clips, events } from './edit-clips.ts'
import { points } from './edit-points.ts'
import { submeshes } from './edit-submeshes.ts'
import { keptFormats } from './kept.ts'
import { fixes, lint } from './lint.ts'
import { material } from './material.ts'
import { model } from './model.ts'
import { msh } from './msh.ts'
import { skl } from './skl.ts'
import type { Family } from '../format.ts'

/** The Lost Saga family; its formats stand in this folder, one file each. */
export const lostsaga: Family = {
  id: 'lostsaga',
  label: 'Lost Saga',
  formats: [skl, ani, msh, cms, material, model, ...keptFormats],
  archives: [],
  folders: ['animation', 'effect', 'material', 'mesh', 'model', 'skeleton', 'texture'],
  bind,
  assemble,
  lint,
  fixes,
  editor: { clips, weights, skeleton, events, points, submeshes, textures: imageTextures },
}
