import type { OriginalInfo } from '../../../shared/api/types/save.ts'
import { baseName } from '../../../shared/ref.ts'

/** Name of the pack that a member stands in, '' for a file by itself: what is kept is the file on disk, wherever the user saves to. */
export function packOf({ ref, target }: Pick<OriginalInfo, 'ref' | 'target'>): string {
  const name = baseName(target)
  return baseName(ref) === name ? '' : name
}
