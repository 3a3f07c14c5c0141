/** The two forms of a glTF file: text, and one binary file with text and buffer in chunks. */
import type { GLTF } from '@gltf-transform/core'
import { GLB, JSON_CHUNK } from '../../shared/light-glb.ts'
import { say } from '../../shared/texts/say.ts'

const MOST_JSON = 64 * 2 ** 20

export type Fail = (
  code: 'bad-magic' | 'truncated' | 'bad-count' | 'bad-value' | 'unsupported',
  message: string,
  path?: string,
  offset?: number,
) => never

/** The JSON of a .gltf, or JSON and binary part of a GLB. */
export function jsonAndBinary(bytes: Uint8Array, fail: Fail): { json: GLTF.IGLTF; bin: Uint8Array | undefined } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let text = bytes
  let bin: Uint8Array | undefined
  if (bytes.length >= 4 && view.getUint32(0, true) === GLB) {
    if (bytes.length < 20) fail('truncated', say('gltf.headerEnds'), '', bytes.length)
    if (view.getUint32(4, true) !== 2) fail('unsupported', say('gltf.version', { version: view.getUint32(4, true) }), 'version', 4)
    const chunks: [number, Uint8Array][] = []
    for (let at = 12; at + 8 <= bytes.length && chunks.length < 16;) {
      const size = view.getUint32(at, true)
      if (size > bytes.length - at - 8)
        fail('truncated', say('gltf.chunkEnds', { size, left: bytes.length - at - 8 }), `chunks[${chunks.length}]`, at)
      chunks.push([view.getUint32(at + 4, true), bytes.subarray(at + 8, at + 8 + size)])
      at += 8 + size
    }
    if (chunks[0]?.[0] !== JSON_CHUNK) fail('bad-value', say('gltf.firstNotJson'), 'chunks[0]', 12)
    text = chunks[0][1]
    bin = chunks.find(([type]) => type === 0x004e4942)?.[1]
  } else if (!/^[\s\u{feff}]*\{/u.test(new TextDecoder().decode(bytes.subarray(0, 64)))) fail('bad-magic', say('gltf.neither'), '', 0)
  if (text.length > MOST_JSON) fail('unsupported', say('gltf.jsonTooLarge', { count: text.length }))
  try {
    const json = JSON.parse(new TextDecoder().decode(text)) as GLTF.IGLTF
    if (typeof json === 'object' && json !== null && !Array.isArray(json)) return { json, bin }
  } catch (error) {
    return fail('bad-value', say('gltf.jsonUnreadable', { why: (error as Error).message }))
  }
  return fail('bad-value', say('gltf.notGltf'))
}

/** Bytes of a buffer that stands in the text; undefined for one that is no such. */
export function dataUri(uri: string): Uint8Array | undefined {
  const comma = uri.indexOf(',')
  return comma > 0 && uri.slice(0, comma).endsWith(';base64') ? new Uint8Array(Buffer.from(uri.slice(comma + 1), 'base64')) : undefined
}
