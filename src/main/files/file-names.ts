/** Names that come from game files, made fit for every file system: what Marrow writes on one machine can be copied to any other. */

import { DEVICE } from '../../shared/portable-name.ts'

/** `%` and `#` mean something in the addresses of files that a glTF names. */
const BAD = /[\u0000-\u001f\u007f<>:"/\\|?*%#]+/g
/** Bytes in UTF-8 of a name without what is put behind it; file systems of Linux end at 255. */
const MOST_BYTES = 200

/**
 * A name without an extension; never empty, never leading out of its folder, never a device. What cannot stand becomes `_`; callers that
 * write many say which file came from what.
 */
export function safeName(name: string): string {
  const plain = clippedName(name.toWellFormed().replace(BAD, '_').replace(/^\.+/, '').slice(0, 120), MOST_BYTES).replace(/[. ]+$/, '')
  return plain === '' || DEVICE.test(plain) ? `_${plain}` : plain
}

/** One file name per given name, different from each other without regard to case. */
export function fileNames(names: readonly string[], extension: string): string[] {
  const taken = new Set<string>()
  return names.map((name) => {
    const base = safeName(name)
    let out = base
    for (let n = 2; taken.has(nameKey(out)); n++) out = `${base}-${n}`
    taken.add(nameKey(out))
    return `${out}.${extension}`
  })
}

/** Names with one key are one file somewhere: Windows and macOS pass over case, macOS over the way that accents are written. */
export function nameKey(name: string): string {
  return name.normalize('NFC').toLowerCase()
}

/** The beginning of a name that has at most so many bytes in UTF-8; no character is cut. */
export function clippedName(name: string, bytes: number): string {
  let out = ''
  let size = 0
  for (const character of name.toWellFormed()) {
    size += Buffer.byteLength(character)
    if (size > bytes) break
    out += character
  }
  return out
}
