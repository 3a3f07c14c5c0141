import { emptyScene } from '../../../shared/scene/types.ts'
import { ifpFormat } from './ifp.ts'
import { img1, img2 } from './img.ts'
import { anmFormat } from './anm.ts'
import { dffFormat } from './dff.ts'
import { txdFormat } from './txd.ts'
import type { Family } from '../format.ts'

/** The RenderWare family; its formats stand in this folder, one file each. */
export const renderware: Family = {
  id: 'renderware',
  label: 'RenderWare',
  formats: [dffFormat, txdFormat, ifpFormat, anmFormat],
  archives: [img2, img1],
  bind: () => [],
  assemble: (binding) => ({ scene: emptyScene(binding.name), options: [], diagnostics: [] }),
  lint: () => [],
  editor: {},
}
