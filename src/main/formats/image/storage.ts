/** What storing does to a picture, in the words that the window shows. */
import { say } from '../../../shared/texts/say.ts'
import type { TextureStorage } from '../../../shared/api/types/textures.ts'

/** Which sizes a format takes. `blocks`: sides in multiples of 4 but for the size that it has. */
export function anySize(blocks: boolean): string {
  return blocks ? say('images.sizes.blocks') : say('images.sizes.any')
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
  if (form.dxt) notes.push(say('images.notes.blocks'))
  if (form.colors) notes.push(say('images.notes.palette', { count: form.colors }))
  if (form.colorBits) notes.push(say('images.notes.colourBits', { bits: form.colorBits }))
  if (form.grey) notes.push(say('images.notes.grey'))
  if (form.alpha === 0) notes.push(say('images.notes.noAlpha'))
  else if (form.alpha === 1) notes.push(say('images.notes.oneBitAlpha'))
  else if (form.alpha === 4) notes.push(say('images.notes.fourBitAlpha'))
  if (form.levels > 1) notes.push(say('images.notes.levels', { count: form.levels }))
  return notes
}

/** A texture of the scene that stands in no file which could be written. */
export function notStored(why: string): TextureStorage {
  return { format: '', levels: 0, colors: 0, alphaBits: 0, notes: [], sizes: '', readOnly: why }
}
