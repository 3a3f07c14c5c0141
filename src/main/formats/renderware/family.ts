import { anmFormat } from './codecs/anm.ts'
import { assemble } from './scene/assemble.ts'
import { bind } from './scene/bind.ts'
import { absent } from './scene/vehicle.ts'
import { dffFormat } from './codecs/dff.ts'
import { ifpFormat } from './codecs/ifp.ts'
import { clips } from './edit/clips.ts'
import { materials } from './edit/materials.ts'
import { skeleton } from './edit/skeleton.ts'
import { textures } from './edit/textures.ts'
import { weights } from './edit/weights.ts'
import { fixes, lint, rules } from './lint.ts'
import { ideFormat } from './codecs/ide.ts'
import { img1, img2 } from './archives/img.ts'
import { loose } from './loose.ts'
import { say, texts } from './texts/index.ts'
import { txdFormat } from './codecs/txd.ts'
import type { Family } from '../family.ts'

/** The RenderWare family; its formats stand in this folder, one file each. */
export const renderware: Family = {
  id: 'renderware',
  label: 'RenderWare',
  get games() {
    return say('family.games')
  },
  texts,
  formats: [dffFormat, txdFormat, ifpFormat, anmFormat, ideFormat],
  archives: [img2, img1],
  opens: ['dff', 'txd', 'ifp'],
  loose,
  bind,
  absent,
  assemble,
  lint,
  judgedByOriginal: [dffFormat.id],
  rules,
  fixes,
  editor: { clips, weights, skeleton, materials, textures },
}
