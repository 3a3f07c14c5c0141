/** Whether two scenes look the same: everything but their slices is equal. */
import { sameData } from '../../shared/scene/same.ts'
import type { Scene } from '../../shared/scene/types.ts'

export function sameSurface(a: Scene, b: Scene): boolean {
  if (a === b) return true
  return (Object.keys(b) as (keyof Scene)[]).every((key) => key === 'slices' || sameData(a[key], b[key]))
}
