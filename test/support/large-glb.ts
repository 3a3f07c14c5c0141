/** GLB files of hundreds of megabytes that take no room: nearly all of them is a hole that a picture or an accessor stands on. */
import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs'

export const LARGE = 500 * 2 ** 20

interface Json {
  buffers: { byteLength: number }[]
  bufferViews: { buffer: number; byteOffset?: number; byteLength: number }[]
  images?: { bufferView: number; mimeType: string }[]
  accessors: { bufferView: number; byteOffset?: number; count: number; componentType: number; type: string }[]
  animations: { samplers: { input: number; output: number }[] }[]
}

/** What of a GLB stands before its bytes and behind its text. */
function parts(glb: Uint8Array): { json: Json; bin: Uint8Array } {
  const view = new DataView(glb.buffer, glb.byteOffset, glb.length)
  const size = view.getUint32(12, true)
  return { json: JSON.parse(new TextDecoder().decode(glb.subarray(20, 20 + size))) as Json, bin: glb.slice(28 + size) }
}

/**
 * The file with a hole before its bytes.
 * @param change of its text, beside what the hole needs
 * @returns what is written, and where in a file of `size` bytes
 */
export function withHole(glb: Uint8Array, change: (json: Json) => void = () => {}): { size: number; writes: [number, Uint8Array][] } {
  const { json, bin } = parts(glb)
  for (const view of json.bufferViews) view.byteOffset = (view.byteOffset ?? 0) + LARGE
  json.bufferViews.push({ buffer: 0, byteOffset: 0, byteLength: LARGE })
  json.images = [...(json.images ?? []), { bufferView: json.bufferViews.length - 1, mimeType: 'image/png' }]
  json.buffers[0].byteLength = LARGE + bin.length
  change(json)
  const raw = JSON.stringify(json)
  const text = new TextEncoder().encode(raw.padEnd(raw.length + 3))
  const room = text.length - (text.length % 4)
  const head = new Uint8Array(28 + room)
  const view = new DataView(head.buffer)
  const size = head.length + LARGE + bin.length
  ;[0x46546c67, 2, size, room, 0x4e4f534a].forEach((value, i) => view.setUint32(4 * i, value, true))
  head.set(text.subarray(0, room), 20)
  view.setUint32(20 + room, LARGE + bin.length, true)
  view.setUint32(24 + room, 0x004e4942, true)
  return {
    size,
    writes: [
      [0, head],
      [size - bin.length, bin],
    ],
  }
}

export function writeHole(path: string, { size, writes }: ReturnType<typeof withHole>): void {
  const file = openSync(path, 'w')
  try {
    ftruncateSync(file, size)
    for (const [at, bytes] of writes) writeSync(file, bytes, 0, bytes.length, at)
  } finally {
    closeSync(file)
  }
}
