import { emptyScene } from '../../../shared/scene/types.ts'
import { bbpFormat } from './bbp.ts'
import { cfgFormat } from './cfg.ts'
import { imgFormat } from './img.ts'
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
  archives: [packFormat],
  bind: () => [],
  assemble: (binding) => ({ scene: emptyScene(binding.name), options: [], diagnostics: [] }),
  lint: () => [],
  editor: {},
}
