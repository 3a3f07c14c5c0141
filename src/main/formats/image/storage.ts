/** What storing does to a picture, in the words that the window shows. */
import type { TextureStorage } from '../../../shared/api/types/textures.ts'

/** Which sizes a format takes. `blocks`: sides in multiples of 4 but for the size that it has. */
export function anySize(blocks: boolean): string {
  return blocks ? 'multiples of 4, up to 4096' : 'any up to 4096'
}

/** @param alpha bits of alpha for each pixel or palette entry */
export function notesOn(form: {
  dxt?: boolean
  colorBits?: string
  colors?: number
  grey?: boolean
  alpha: number
  levels: number
}): string[] {
  const notes: string[] = []
  if (form.dxt) notes.push('Four colours on one line for each 4 x 4 pixels: gradients band, sharp coloured detail blurs.')
  if (form.colors) notes.push(`At most ${form.colors} colours: the old palette where it holds them all, else a new one.`)
  if (form.colorBits) notes.push(`Colours are rounded to ${form.colorBits} bits.`)
  if (form.grey) notes.push('Grey: colours become their brightness.')
  if (form.alpha === 0) notes.push('No alpha: every pixel becomes opaque.')
  else if (form.alpha === 1) notes.push('Alpha is on or off: below half a pixel is clear.')
  else if (form.alpha === 4) notes.push('Alpha has 16 steps.')
  if (form.levels > 1) notes.push(`${form.levels} levels: the smaller ones are made anew by averaging.`)
  return notes
}

/** A texture of the scene that stands in no file which could be written. */
export function notStored(why: string): TextureStorage {
  return { format: '', levels: 0, colors: 0, alphaBits: 0, notes: [], sizes: '', readOnly: why }
}
