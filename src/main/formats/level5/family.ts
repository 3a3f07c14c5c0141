import { assembleLevel5 } from './assemble.ts'
import { bbpFormat } from './bbp.ts'
import { bindLevel5 } from './bind.ts'
import { cfgFormat } from './cfg.ts'
import { hd2Format, hd3Format, hedFormat } from './disc.ts'
import { clips } from './edit-clips.ts'
import { skeleton } from './edit-skeleton.ts'
import { slices } from './edit-slices.ts'
import { textures } from './edit-textures.ts'
import { weights } from './edit-weights.ts'
import { imgFormat } from './img.ts'
import { fixes, lintLevel5 } from './lint.ts'
import { mdsFormat } from './mds.ts'
import { motFormat } from './mot.ts'
import { packFormat } from './pack.ts'
import { tim2Format } from './tim2.ts'
import { wgtFormat } from './wgt.ts'
import type { Family } from '../format.ts'

/** The Level-5 family; its formats stand in this folder, one file each. */
export const level5: Family = {
  id: 'level5',
  label: 'Level-5',
  formats: [mdsFormat, motFormat, wgtFormat, bbpFormat, cfgFormat, imgFormat, tim2Format],
  archives: [packFormat, hd2Format, hd3Format, hedFormat],
  bind: bindLevel5,
  assemble: assembleLevel5,
  lint: lintLevel5,
  fixes,
  editor: { slices, clips, weights, skeleton, textures },
}
