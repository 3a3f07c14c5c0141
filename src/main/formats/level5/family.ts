import { emptyScene } from '../../../shared/scene/types.ts'
import type { Family } from '../format.ts'

/** The Level-5 family; its formats stand in this folder, one file each. */
export const level5: Family = {
  id: 'level5',
  label: 'Level-5',
  formats: [],
  archives: [],
  bind: () => [],
  assemble: (binding) => ({ scene: emptyScene(binding.name), options: [], diagnostics: [] }),
  lint: () => [],
  editor: {},
}
