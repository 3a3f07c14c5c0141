/**
 * Names of what Marrow writes beside user files for moments: `.<start of the file's name>.<machine>-<process>-<mark>` and
 * `.marrow-tmp`, or `.marrow-commit` for the record of files that are replaced together, `.marrow-undo` for that of files that are
 * written where they stand. They are of no format, no walk, list or package shows them, and only their owner, or whoever finds that
 * it is dead, takes them away.
 */
export type TemporaryKind = 'tmp' | 'commit' | 'undo'

/** The process that writes: `machine` tells computers on one network share apart. */
export interface TemporaryOwner {
  /** 8 hexadecimal digits */
  machine: string
  pid: number
}

const NAME = /^\.(.*)\.([0-9a-f]{8})-(\d{1,10})-([0-9a-f]{12})\.marrow-(tmp|commit|undo)$/s
/** of Marrow 0.1: no owner, and an extension behind */
const OLD_NAME = /^\..*\.[0-9a-f]{12}\.marrow-tmp(\.[^.]*)?$/s
/** of the file's name, so that the whole stays below the 255 bytes of every file system */
const MOST_OF_NAME = 40

/** @param mark 12 hexadecimal digits */
export function temporaryName(name: string, owner: TemporaryOwner, mark: string, kind: TemporaryKind = 'tmp'): string {
  return `.${[...name].slice(0, MOST_OF_NAME).join('')}.${owner.machine}-${owner.pid}-${mark}.marrow-${kind}`
}

/** @param name of a file, without its folder */
export function isTemporaryName(name: string): boolean {
  return name.startsWith('.') && (NAME.test(name) || OLD_NAME.test(name))
}

/** @returns with the start of its file's name; undefined for what is no temporary, and for those of earlier versions, which say no owner */
export function temporaryParts(name: string): (TemporaryOwner & { file: string; mark: string; kind: TemporaryKind }) | undefined {
  const found = NAME.exec(name)
  return found ? { file: found[1], machine: found[2], pid: Number(found[3]), mark: found[4], kind: found[5] as TemporaryKind } : undefined
}
