import { imageTextures } from '../image/edit-textures.ts'
import { ani } from './codecs/ani.ts'
import { assemble } from './scene/assemble.ts'
import { bind } from './scene/bind.ts'
import { cms } from './codecs/cms.ts'
import { clips } from './edit/clips.ts'
import { events } from './edit/events.ts'
import { materials } from './edit/materials.ts'
import { points } from './edit/points.ts'
import { skeleton } from './edit/skeleton.ts'
import { submeshes } from './edit/submeshes.ts'
import { weights } from './edit/weights.ts'
import { keptFormats } from './codecs/kept.ts'
import { fixes, lint, rules } from './lint.ts'
import { material } from './codecs/material.ts'
import { model } from './codecs/model.ts'
import { msh } from './codecs/msh.ts'
import { skl } from './codecs/skl.ts'
import { loose } from './loose.ts'
import { say, texts } from './texts/index.ts'
import type { Family } from '../family.ts'

/** The Lost Saga family; its formats stand in this folder, one file each. */
export const lostsaga: Family = {
  id: 'lostsaga',
  label: 'Lost Saga',
  get games() {
    return say('family.games')
  },
  texts,
  formats: [skl, ani, msh, cms, material, model, ...keptFormats],
  archives: [],
  opens: ['msh', 'ani', 'skl'],
  alsoCalled: ['cms'],
  folders: ['animation', 'effect', 'material', 'mesh', 'model', 'skeleton', 'texture'],
  loose,
  bind,
  assemble,
  lint,
  rules,
  fixes,
  editor: { clips, weights, skeleton, events, points, submeshes, materials, textures: imageTextures },
}
