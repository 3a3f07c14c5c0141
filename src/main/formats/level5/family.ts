import { assemble } from './scene/assemble.ts'
import { OPTION } from './scene/options.ts'
import { bbpFormat } from './codecs/bbp.ts'
import { bind } from './scene/bind.ts'
import { cfgFormat } from './codecs/cfg.ts'
import { hd2Format, hd3Format, hd4Format, hd6Format, hedFormat } from './archives/disc.ts'
import { clips } from './edit/clips.ts'
import { materials } from './edit/materials.ts'
import { skeleton } from './edit/skeleton.ts'
import { slices } from './edit/slices.ts'
import { textures } from './edit/textures.ts'
import { weights } from './edit/weights.ts'
import { imgFormat } from './codecs/img.ts'
import { fixes, lint, rules } from './lint.ts'
import { mdsFormat } from './codecs/mds.ts'
import { motFormat } from './codecs/mot.ts'
import { packFormat } from './archives/pack.ts'
import { tim2Format } from './codecs/tim2.ts'
import { wgtFormat } from './codecs/wgt.ts'
import { loose } from './loose.ts'
import { say, texts } from './texts/index.ts'
import type { Family } from '../family.ts'

/** The Level-5 family; its formats stand in this folder, one file each. */
export const level5: Family = {
  id: 'level5',
  label: 'Level-5',
  get games() {
    return say('family.games')
  },
  texts,
  formats: [mdsFormat, motFormat, wgtFormat, bbpFormat, cfgFormat, imgFormat, tim2Format],
  archives: [packFormat, hd2Format, hd3Format, hd4Format, hedFormat, hd6Format],
  opens: ['mot', 'wgt', 'chr'],
  alsoCalled: ['mds', 'bbp', 'tm2', 'tim2'],
  loose,
  bind,
  assemble,
  settings: { tickRate: OPTION.tickRate },
  lint,
  judgedByOriginal: [mdsFormat.id, wgtFormat.id, cfgFormat.id],
  rules,
  fixes,
  editor: { slices, clips, weights, skeleton, materials, textures },
}
