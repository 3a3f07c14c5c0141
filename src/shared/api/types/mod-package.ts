/** Mod packages: what is in one, and what became of it. */
import type { ErrorCode } from '../errors.ts'
import type { FileChanges } from './changes.ts'

/** What a mod package holds, and what became of it in a mod folder. */
export interface ModPackageFile {
  /** below the game's folder */
  path: string
  /** '' for a whole file */
  member: string
  /** `same`: the game's file is the one that the package was made from; `in-the-way`: the mod folder has another one */
  state: 'same' | 'updated' | 'missing' | 'in-the-way' | 'failed'
  written: boolean
  /** why it was not written, in words */
  detail: string
  /** for `failed`: how, for scripts */
  code?: ErrorCode
  /** for `updated`, where a format reads it: the game's file as it is now, and what the package has */
  changes?: FileChanges
}

export interface ModPackageBuild {
  name: string
  madeWith: string
  folder: string
  files: ModPackageFile[]
  /** files on disk */
  written: number
}

export interface ModPackageExport {
  /** for saving under: `name.marrow.zip` */
  fileName: string
  /** where it was written; '' when the bytes are here */
  path: string
  bytes: Uint8Array
  size: number
  files: { path: string; member: string; size: number; originalSize: number }[]
  /** what whoever builds it is to know, a sentence each */
  notes: string[]
}
