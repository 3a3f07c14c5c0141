/** The application and the folders around it. */
import type { FamilyInfo } from './family.ts'

export interface AppInfo {
  version: string
  host: 'electron' | 'web'
  platform: string
  /** folder for recent, sample and such, for display */
  sample: string
  /** whose files are known, in the order of the registry; of no family (COMMON_FAMILY) is not among them */
  families: FamilyInfo[]
  recent: { root: string; name: string; openedAt: number }[]
}

export interface FolderListing {
  path: string
  parent: string
  folders: string[]
}
