/** Options of imports as they are remembered: those of a pair of files, and of a new pair how the family went last. */
import { FRESH_IMPORT } from '../../../shared/api/import-options.ts'
import { useKept, withLast } from '../../core/kept.ts'
import type { ImportOptions } from '../../../shared/api/import-options.ts'
import type { ModelInfo } from '../../../shared/api/types/model.ts'

type Of = Pick<ModelInfo, 'primary' | 'family'>

export interface ImportMemory {
  /** @param file name of the glTF */
  read(model: Of, file: string): ImportOptions
  write(model: Of, file: string, options: ImportOptions): void
}

export function useImportMemory(): ImportMemory {
  const pairs = useKept('imports')
  const families = useKept('importManner')
  const pairOf = ({ primary }: Of, file: string): string => `${primary}\n${file}`
  return {
    read(model, file) {
      const ofFamily = families.read()
      return { ...FRESH_IMPORT, ...(Object.hasOwn(ofFamily, model.family) && ofFamily[model.family]), ...pairs.read()[pairOf(model, file)] }
    },
    write(model, file, options) {
      pairs.write(withLast(pairs.read(), pairOf(model, file), { ...options }))
      const { timing, tolerance } = options
      families.write({ ...families.read(), [model.family]: { timing, tolerance } })
    },
  }
}
