/** Textures as their files store them. */

/** How a texture stands in its file. */
export interface TextureStorage {
  /** as the format calls it: `DXT1`, `8888 PAL8`; '' where nobody knows */
  format: string
  /** mip levels, the picture itself included */
  levels: number
  /** most colours that a palette holds, 0 without one */
  colors: number
  /** bits of alpha for each pixel or palette entry */
  alphaBits: number
  /** what storing does to a picture, in words: one line each */
  notes: string[]
  /** which sizes can be stored, in words */
  sizes: string
  /** why it cannot be replaced, '' when it can */
  readOnly: string
}

/** One level of a texture: RGBA rows from the top, straight alpha. */
export interface TexturePixels {
  width: number
  height: number
  rgba: Uint8Array
}

/** A texture as it is stored now, beside the picture that was put in. */
export interface TextureReport {
  width: number
  height: number
  storage: TextureStorage
  /** of 255: root of the mean square and the most that a colour differs, over pixels that are not clear; the most that alpha does */
  colorError: number
  worstColor: number
  worstAlpha: number
}
