/** How a picture of pixels stands in an element: its zoom, its place, and which pixel lies where. */

interface Size {
  width: number
  height: number
}

interface Place {
  x: number
  y: number
}

export interface PictureView {
  /** pixels of the element in a pixel of the picture */
  zoom: number
  /** where the picture's corner at the top left is, in pixels of the element */
  x: number
  y: number
}

export const PICTURE_ZOOM = { least: 1 / 64, most: 128, step: Math.SQRT2 } as const

/** Pixels around a picture that fits, and those of a picture that stay in sight wherever it is moved. */
const MARGIN = 12
const IN_SIGHT = 24
/** Pixels that the longer side of a picture has at least, however small it is made; one that is smaller is not made smaller. */
const SMALLEST = 32

const within = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value))

/** All of the picture, in the middle. */
export function fitView(size: Size, box: Size): PictureView {
  const room = (length: number): number => Math.max(1, length - 2 * MARGIN)
  return centred(size, box, Math.min(room(box.width) / size.width, room(box.height) / size.height))
}

function centred(size: Size, box: Size, zoom: number): PictureView {
  const z = within(zoom, PICTURE_ZOOM.least, PICTURE_ZOOM.most)
  return { zoom: z, x: (box.width - size.width * z) / 2, y: (box.height - size.height * z) / 2 }
}

/** Larger or smaller by a factor; what lies at `at` stays there. A small picture is not lost in the middle of its panel. */
export function zoomAbout(view: PictureView, factor: number, at: Place, size: Size): PictureView {
  const seen = Math.max(PICTURE_ZOOM.least, Math.min(1, SMALLEST / Math.max(size.width, size.height)))
  const zoom = within(view.zoom * factor, Math.min(seen, view.zoom), PICTURE_ZOOM.most)
  const by = zoom / view.zoom
  return { zoom, x: at.x - (at.x - view.x) * by, y: at.y - (at.y - view.y) * by }
}

/** The same with a part of the picture in sight. */
export function inSight(view: PictureView, size: Size, box: Size): PictureView {
  const place = (at: number, length: number, room: number): number => {
    const least = Math.min(IN_SIGHT, length, room)
    return within(at, least - length, room - least)
  }
  return {
    zoom: view.zoom,
    x: place(view.x, size.width * view.zoom, box.width),
    y: place(view.y, size.height * view.zoom, box.height),
  }
}

/** The pixel at a place of the element; null beside the picture. @param pixels of what is shown at that size: a smaller level has fewer */
export function pixelAt(view: PictureView, size: Size, pixels: Size, at: Place): Place | null {
  const x = Math.floor(((at.x - view.x) / (view.zoom * size.width)) * pixels.width)
  const y = Math.floor(((at.y - view.y) / (view.zoom * size.height)) * pixels.height)
  return x >= 0 && y >= 0 && x < pixels.width && y < pixels.height ? { x, y } : null
}
