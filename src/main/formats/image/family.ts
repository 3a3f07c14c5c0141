import { dds } from './dds.ts'
import { tga } from './tga.ts'
import type { FileFormat } from '../format.ts'

/** Pictures that belong to no single family. */
export const commonFormats: readonly FileFormat[] = [dds, tga]
