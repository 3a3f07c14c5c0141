/** Pictures that several families share: what a decoder gives, and how to get it from a decoded file. */
import { ddsPixels, type DdsDocument } from './dds.ts'
import { tgaPixels, type TgaDocument } from './tga.ts'
import { keptOf } from '../kept.ts'
import type { Document } from '../format.ts'

export interface DecodedImage {
  width: number
  height: number
  /** RGBA, rows from the top, straight alpha */
  rgba: Uint8Array
  hasAlpha: boolean
}

/**
 * The picture in a `common.dds` or `common.tga` document, undefined for any other. Throws FormatError for pixel formats that are not read.
 * Nobody writes into it: it is kept for as long as the document stays as it is.
 */
export function imageOf(document: Document): DecodedImage | undefined {
  if (document.format === 'common.dds') return keptOf(document, 'pixels', () => ddsPixels(document as DdsDocument))
  if (document.format === 'common.tga') return keptOf(document, 'pixels', () => tgaPixels(document as TgaDocument))
  return undefined
}
