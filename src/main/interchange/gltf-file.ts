/** A glTF on the disk, as far as an import reads it: what is large in it and of no use never comes into memory. */
import { open, stat } from 'node:fs/promises'
import { FormatError } from '../binary/format-error.ts'
import { ioError } from '../files/sources.ts'
import { GLB, lightGlb } from '../../shared/light-glb.ts'
import { say } from '../../shared/texts/say.ts'

/** Whether a GLB is as long as it says; what else the file may be, its reader says. */
export async function isWholeGltf(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const head = Buffer.alloc(12)
    if ((await file.read(head, 0, head.length, 0)).bytesRead < head.length) return false
    return head.readUInt32LE(0) !== GLB || head.readUInt32LE(8) <= (await file.stat()).size
  } finally {
    await file.close()
  }
}

/** What one import may have in memory of a file. */
const MOST_READ = 2 ** 27

/**
 * The file, or a lighter one that says the same of animations, skins and, where they are asked for, skinned meshes.
 * @throws FormatError io, unsupported where it is larger than one import may be
 */
export async function readGltfBytes(path: string, { meshes = false, most = MOST_READ } = {}): Promise<Uint8Array> {
  try {
    // a pipe or a device has no end
    if (!(await stat(path)).isFile()) throw new FormatError('io', say('files.noFile', { file: path }), { file: path })
    const file = await open(path)
    try {
      const { size } = await file.stat()
      const read = async (from: number, to: number): Promise<Uint8Array> => {
        const bytes = new Uint8Array(Math.max(0, Math.min(to, size) - from))
        let at = 0
        while (at < bytes.length) {
          const { bytesRead } = await file.read(bytes, at, bytes.length - at, from + at)
          if (bytesRead === 0) return bytes.subarray(0, at)
          at += bytesRead
        }
        return bytes
      }
      const bytes = await lightGlb({ size, read }, { most, meshes })
      if (!bytes) throw new FormatError('unsupported', say('gltf.tooMuch', { size, most }), { file: path })
      return bytes
    } finally {
      await file.close()
    }
  } catch (error) {
    throw ioError(error, path)
  }
}
