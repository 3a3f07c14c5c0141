/** How much room the middle of a picture has between what stands over it. */
import { zoomOf } from '../ui/scale.ts'

/** Pixels between a tool and a figure beside it. */
const GAP = 6

/** Pixels from the middle to the nearest of what can be pressed, at either side; 0 where something stands in the middle. */
export function besideTools(root: HTMLElement): number {
  const { left, width } = root.getBoundingClientRect()
  const middle = left + width / 2
  let beside = width / 2
  for (const tool of root.querySelectorAll('button, select, input, label')) {
    const box = tool.getBoundingClientRect()
    if (box.width > 0) beside = Math.min(beside, Math.max(box.left - middle, middle - box.right))
  }
  return Math.max(0, beside / zoomOf(root) - GAP)
}
