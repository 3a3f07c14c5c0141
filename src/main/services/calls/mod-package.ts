/** Mod packages: what differs from the game as a zip, and a mod folder from one. */
import { isAbsolute, join, relative, sep } from 'node:path'
import { FormatError } from '../../binary/format-error.ts'
import { safeName } from '../../files/file-names.ts'
import type { FileStore } from '../../files/store.ts'
import { MEMBER_SEPARATOR } from '../../../shared/ref.ts'
import { buildMod } from '../../workspace/build-mod.ts'
import { changedFiles } from '../../workspace/changed-files.ts'
import type { ChangedPair } from '../../workspace/changed-files.ts'
import { exportModPackage, packageNotes, readModPackage, writeModPackage } from '../../workspace/mod-package.ts'
import type { ModPackageManifest, ReadModPackage } from '../../workspace/mod-package.ts'
import { checkFolder } from '../libraries.ts'
import { savingTold } from '../saving-told.ts'
import type { CallContext, HandlersOf } from './context.ts'
import { say } from '../../../shared/texts/say.ts'

export function modPackageCalls({ store, state, version, libraries, workspace, emit }: CallContext): HandlersOf<'modPackage'> {
  return {
    'modPackage.read': ({ modPackage }) => {
      const { manifest } = readGiven(store, modPackage)
      return {
        name: manifest.name,
        madeWith: manifest.madeWith,
        files: manifest.files.map(({ path, member, now, original }) => ({
          path,
          member: member ?? '',
          size: now.size,
          originalSize: original?.size ?? -1,
        })),
        notes: packageNotes(manifest),
      }
    },
    'modPackage.export': async ({ library, model, folder }) => {
      const { root, name } = libraries.get(library)
      const open = model === undefined ? undefined : workspace.model(model)
      const changed = await changedFiles(store, root, state.settings, workspace.originals)
      const refs = open && workspace.changeRefs(open)
      const own = refs && new Set(refs.map((ref) => relative(root, diskPartOf(store, ref)).split(sep).join('/')))
      const isOwn = ({ path, member }: ChangedPair): boolean =>
        member ? refs!.some((ref) => ref === member.ref || ref.startsWith(member.ref + MEMBER_SEPARATOR)) : own!.has(path)
      const pairs = own ? changed.filter(isOwn) : changed
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
        return { fileName, path, bytes: new Uint8Array(0), size: bytes, files: listed(manifest), notes: packageNotes(manifest) }
      }
      const chunks: Uint8Array[] = []
      const manifest = await writeModPackage(store, pairs, { name: title, madeWith: version }, (chunk) => void chunks.push(chunk))
      const bytes = new Uint8Array(Buffer.concat(chunks))
      return { fileName, path: '', bytes, size: bytes.length, files: listed(manifest), notes: packageNotes(manifest) }
    },
    'modPackage.build': async ({ library, modPackage, folder, force, replaceReadOnly }, { signal }) => {
      const { root } = libraries.get(library)
      if (!isAbsolute(folder)) throw new FormatError('invalid-argument', say('calls.wholeModFolderPath'), { file: folder })
      return buildMod(store, readGiven(store, modPackage), {
        root,
        folder,
        loose: state.mod(folder).loose,
        force,
        replaceReadOnly,
        signal,
        originals: workspace.originals,
        onProgress: savingTold(emit),
      })
    },
  }
}

/**
 * A package by its path, or its bytes.
 * @throws FormatError of a zip that is no package, or cannot be trusted
 */
function readGiven(store: FileStore, modPackage: string | Uint8Array): ReadModPackage {
  if (typeof modPackage !== 'string') return readModPackage(modPackage, 'mod-package')
  if (!isAbsolute(modPackage)) throw new FormatError('invalid-argument', say('calls.wholeFilePath'), { file: modPackage })
  return readModPackage(store.read(modPackage), modPackage)
}

/** The file on disk of a reference, also when it is gone. */
function diskPartOf(store: FileStore, ref: string): string {
  try {
    return store.diskFile(ref)
  } catch {
    return ref
  }
}
