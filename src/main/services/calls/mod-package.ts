/** Mod packages: what differs from the game as a zip, and a mod folder from one. */
import { existsSync } from 'node:fs'
import { isAbsolute, join, relative, sep } from 'node:path'
import { FormatError } from '../../binary/format-error.ts'
import { safeName } from '../../files/file-names.ts'
import type { FileStore } from '../../files/store.ts'
import { buildMod } from '../../workspace/build-mod.ts'
import { changedInModFolder, changedInPlace } from '../../workspace/changed-files.ts'
import { exportModPackage, readModPackage, writeModPackage } from '../../workspace/mod-package.ts'
import type { ModPackageManifest } from '../../workspace/mod-package.ts'
import { checkFolder } from '../libraries.ts'
import type { CallContext, HandlersOf } from './context.ts'
import { say } from '../../../shared/texts/say.ts'

export function modPackageCalls({ store, state, version, libraries, workspace, opening }: CallContext): HandlersOf<'modPackage'> {
  return {
    'modPackage.read': ({ modPackage }) => opening.readPackage(modPackage),
    'modPackage.export': async ({ library, model, folder }) => {
      const { root, name } = libraries.get(library)
      const open = model === undefined ? undefined : workspace.model(model)
      const { saveMode, modFolder } = state.settings
      const changed =
        saveMode === 'mod-folder'
          ? existsSync(modFolder)
            ? await changedInModFolder(root, modFolder)
            : []
          : await changedInPlace(root, workspace.originals)
      const own = open && new Set(workspace.changeRefs(open).map((ref) => relative(root, diskPartOf(store, ref)).split(sep).join('/')))
      const pairs = own ? changed.filter(({ path }) => own.has(path)) : changed
      const title = open?.binding.name ?? name
      const fileName = `${safeName(title)}.marrow.zip`
      const listed = (manifest: ModPackageManifest) =>
        manifest.files.map(({ path, member, now, original }) => ({
          path,
          member: member ?? '',
          size: now.size,
          originalSize: original?.size ?? 0,
        }))
      if (folder !== undefined) {
        const real = checkFolder(folder)
        const path = join(real, fileName)
        const { manifest, bytes } = await exportModPackage(store, pairs, {
          name: title,
          madeWith: version,
          file: path,
          overwrite: libraries.holding(real) === undefined,
        })
        return { fileName, path, bytes: new Uint8Array(0), size: bytes, files: listed(manifest) }
      }
      const chunks: Uint8Array[] = []
      const manifest = await writeModPackage(store, pairs, { name: title, madeWith: version }, (chunk) => void chunks.push(chunk))
      const bytes = new Uint8Array(Buffer.concat(chunks))
      return { fileName, path: '', bytes, size: bytes.length, files: listed(manifest) }
    },
    'modPackage.build': async ({ library, modPackage, folder, force, replaceReadOnly }, { signal }) => {
      const { root } = libraries.get(library)
      if (!isAbsolute(folder)) throw new FormatError('invalid-argument', say('calls.wholeModFolderPath'), { file: folder })
      if (typeof modPackage === 'string' && !isAbsolute(modPackage))
        throw new FormatError('invalid-argument', say('calls.wholeFilePath'), { file: modPackage })
      const bytes = typeof modPackage === 'string' ? store.read(modPackage) : modPackage
      return buildMod(store, readModPackage(bytes, typeof modPackage === 'string' ? modPackage : 'mod-package'), {
        root,
        folder,
        force,
        replaceReadOnly,
        signal,
      })
    },
  }
}

/** The file on disk of a reference, also when it is gone. */
function diskPartOf(store: FileStore, ref: string): string {
  try {
    return store.diskFile(ref)
  } catch {
    return ref
  }
}
