/** Names that come from game files, made fit for every file system. */

/** `%` and `#` mean something in the addresses of files that a glTF names. */
const BAD = /[\u0000-\u001f<>:"/\\|?*%#]+/g
/** Windows takes these for devices, with any extension. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)$/i

/** A name without an extension; never empty, never leading out of its folder. */
export function safeName(name: string): string {
  const plain = name
    .toWellFormed()
    .replace(BAD, '_')
    .replace(/^\.+|[. ]+$/g, '')
    .slice(0, 120)
    .toWellFormed()
  return plain === '' || DEVICE.test(plain) ? `_${plain}` : plain
}

/** One file name per given name, different from each other without regard to case. */
export function fileNames(names: readonly string[], extension: string): string[] {
  const taken = new Set<string>()
  return names.map((name) => {
    const base = safeName(name)
    let out = base
    for (let n = 2; taken.has(out.toLowerCase()); n++) out = `${base}-${n}`
    taken.add(out.toLowerCase())
    return `${out}.${extension}`
  })
}
