/** A glTF that the user picked, as much of it as an import reads and one message may carry. */
import { apiError } from '../../../shared/api/api-error.ts'
import { MAX_MESSAGE_BYTES } from '../../../shared/api/launch.ts'
import { lightGlb } from '../../../shared/light-glb.ts'
import { say } from '../../../shared/texts/say.ts'

/** The options of an import go with it. */
const MOST_SENT = MAX_MESSAGE_BYTES - 2 ** 20

/** @throws ApiError unsupported where the file is larger and cannot be made lighter; what the browser throws */
export async function readPicked(file: Pick<File, 'size' | 'slice'>): Promise<Uint8Array> {
  const read = async (from: number, to: number): Promise<Uint8Array> => new Uint8Array(await file.slice(from, to).arrayBuffer())
  const bytes = await lightGlb({ size: file.size, read }, { most: MOST_SENT, meshes: true })
  if (!bytes) throw apiError('unsupported', say('gltf.tooMuch', { size: file.size, most: MOST_SENT }))
  return bytes
}
