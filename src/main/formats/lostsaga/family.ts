import { emptyScene } from '../../../shared/scene/types.ts'
import type { Family } from '../format.ts'

/** The Lost Saga family; its formats stand in this folder, one file each. */
export const lostsaga: Family = {
  id: 'lostsaga',
  label: 'Lost Saga',
  formats: [],
  archives: [],
  bind: () => [],
  assemble: (binding) => ({ scene: emptyScene(binding.name), options: [], diagnostics: [] }),
  lint: () => [],
  editor: {},
}
