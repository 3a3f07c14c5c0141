/** Animation files (.anm): AnimAnimation chunks. */
import { Reader } from '../../../binary/reader.ts'
import { extensionOf } from '../../../../shared/ref.ts'
import { Diagnostics } from '../../format.ts'
import { describeChunkFile } from './chunk-structure.ts'
import { HEAD } from './chunk.ts'
import { readChunkFile, writeChunkFile } from './chunk-file.ts'
import { ID, plausibleStamp } from './chunk-ids.ts'
import { leafCodec } from './leaves.ts'
import { HALF, RT_ANIM_HEAD, RT_KEY_BYTES, animNodes, animation } from './rt-anim.ts'
import { say } from '../texts/index.ts'
import type { Document, FileFormat, FileSummary } from '../../format.ts'
import type { Chunk } from './chunk.ts'
import type { ChunkFile } from './chunk-file.ts'
import type { RtAnim } from './rt-anim.ts'

export interface AnmDocument extends Document, ChunkFile {
  readonly format: 'renderware.anm'
  roots: Chunk[]
  trailing: Uint8Array
}

export const anmFormat: FileFormat<AnmDocument> = {
  id: 'renderware.anm',
  get label() {
    return say('codecs.anm')
  },
  family: 'renderware',
  kind: 'animation',
  extensions: ['anm'],
  identify(head, name, size) {
    // the data of an IMG archive of version 1 begins with its first member; its directory beside it tells
    if (extensionOf(name) === 'img') return 0.3
    if (head.length < 32) return 0
    const r = new Reader(head, '')
    const root = HEAD.read(r)
    if (root.type !== ID.animAnimation || !plausibleStamp(root.stamp)) return 0
    if (root.size + HEAD.size > size || root.size < RT_ANIM_HEAD.size) return 0
    const { version, type } = RT_ANIM_HEAD.read(r)
    return version === 0x100 && RT_KEY_BYTES[type] ? 0.95 : 0.7
  },
  decode(bytes, ref, memory) {
    const diagnostics = new Diagnostics(ref)
    const file = readChunkFile(Reader.owning(bytes, ref, memory), leafCodec, diagnostics)
    return { format: 'renderware.anm', ref, diagnostics: diagnostics.list, ...file }
  },
  encode: (document, out) => writeChunkFile(document, out),
  scalars: { half: HALF },
  describe: (document) => describeChunkFile(document, say('codecs.anm')),
  summarize(document): FileSummary {
    const clips: FileSummary['clips'] = []
    for (const root of document.roots) {
      if (root.codec !== animation) continue
      const anim = root.value as RtAnim
      const nodes = animNodes(anim)
      clips.push({ name: `animation ${clips.length}`, frames: 0, rate: 1, tracks: nodes.length, keys: anim.numKeyFrames })
    }
    return {
      clips,
      provides: [`renderware.anm:${clips[0]?.tracks ?? 0}`],
      counted: say('codecs.clips', { count: clips.length }),
      note: say('codecs.nodeCount', { count: clips[0]?.tracks ?? 0 }),
    }
  },
}
