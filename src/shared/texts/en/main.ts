/** The English texts of main: services, hosts, command line. */
import { poses } from './poses.ts'
import { archiveEdits } from './archiveEdits.ts'
import { commandLine } from './commandLine.ts'
import { calls, steps, edits, restoring, slicesFile, given, diagnostics, pictures, workers, menus, desktop, web } from './services.ts'
import { counted } from './counted.ts'
import { compare } from './compare.ts'
import { fields } from './fields.ts'
import { formats } from './formats.ts'
import { images } from './images.ts'
import { looseFiles } from './looseFiles.ts'
import { reports } from './reports.ts'
import {
  files,
  binary,
  indexing,
  saving,
  originals,
  journals,
  modPackages,
  importedMotion,
  exportedModel,
  gltf,
  retargeting,
} from './files.ts'

export const main = {
  archiveEdits,
  binary,
  calls,
  commandLine,
  compare,
  counted,
  desktop,
  diagnostics,
  edits,
  exportedModel,
  fields,
  files,
  formats,
  gltf,
  images,
  importedMotion,
  indexing,
  journals,
  looseFiles,
  menus,
  given,
  originals,
  modPackages,
  pictures,
  poses,
  reports,
  restoring,
  retargeting,
  saving,
  slicesFile,
  steps,
  web,
  workers,
} as const
