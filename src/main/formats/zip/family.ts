import { iso } from '../iso/iso.ts'
import { zip } from './zip.ts'
import type { ArchiveFormat } from '../archive.ts'

/** Archives that belong to no single family. */
export const commonArchives: readonly ArchiveFormat[] = [zip, iso]
