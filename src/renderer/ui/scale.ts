/**
 * The size of the interface is CSS zoom on what the window shows. A pointer's place is told in the page's pixels, and what an element measures of
 * itself in its own: whoever has both asks here.
 */

/** Pixels of the page in a pixel of the element. */
export const zoomOf = (element: Element): number => element.currentCSSZoom || 1

/** Where a pointer is in an element, in the element's own pixels. */
export function placeIn(element: Element, event: MouseEvent): { x: number; y: number } {
  const box = element.getBoundingClientRect()
  const zoom = zoomOf(element)
  return { x: (event.clientX - box.left) / zoom, y: (event.clientY - box.top) / zoom }
}

/** Pixels of the screen in a pixel of the element. */
export const screenPixels = (element: Element): number => (window.devicePixelRatio || 1) * zoomOf(element)
