/**
 * What was made of the nodes of a document, and of the whole of it, for as long as their bytes stay: an edit of one key makes one track of the
 * scene anew, not all of them, and no picture. It is the bytes that tell, as everywhere: what stands in a range that no splice of the difference touches is as it was, wherever it
 * stands now. A document that is given out to be changed has nothing kept, as it is no more what its bytes say.
 */
import type { SourceRange } from '../binary/reader.ts'
import type { Document } from './format.ts'

/** The parts of a difference that say where it is. */
interface Splices {
  readonly offsets: Uint32Array
  readonly removedSizes: Uint32Array
  readonly insertedSizes: Uint32Array
}

export class Kept {
  /** by where a node stands */
  private readonly nodes = new Map<string, SourceRange & { made: Map<string, unknown> }>()
  private whole = new Map<string, unknown>()

  /** @param what names it, with all that it depends on beside the node's bytes */
  of<T>({ start, end }: SourceRange, what: string, make: () => T): T {
    const place = `${start} ${end}`
    let node = this.nodes.get(place)
    if (!node) this.nodes.set(place, (node = { start, end, made: new Map() }))
    return once(node.made, what, make)
  }

  /** The same of the document as a whole. */
  ofAll<T>(what: string, make: () => T): T {
    return once(this.whole, what, make)
  }

  /** What still holds behind a difference, at its new places. */
  after({ offsets, removedSizes, insertedSizes }: Splices): Kept {
    const next = new Kept()
    if (offsets.length === 0) next.whole = this.whole
    /** how far bytes behind so many splices have moved */
    const moved = new Float64Array(offsets.length + 1)
    for (let i = 0; i < offsets.length; i++) moved[i + 1] = moved[i] + insertedSizes[i] - removedSizes[i]
    for (const { start, end, made } of this.nodes.values()) {
      let before = 0
      let last = offsets.length
      while (before < last) {
        const mid = (before + last) >> 1
        if (offsets[mid] + removedSizes[mid] <= start) before = mid + 1
        else last = mid
      }
      if (before < offsets.length && offsets[before] < end) continue
      const now = { start: start + moved[before], end: end + moved[before], made }
      next.nodes.set(`${now.start} ${now.end}`, now)
    }
    return next
  }
}

function once<T>(made: Map<string, unknown>, what: string, make: () => T): T {
  if (made.has(what)) return made.get(what) as T
  const fresh = make()
  made.set(what, fresh)
  return fresh
}

const keptFor = new WeakMap<Document, Kept>()

/** From now on what is made of its nodes is kept. @param document as it was decoded */
export function keepFor(document: Document, kept: Kept): void {
  keptFor.set(document, kept)
}

/** Whether nobody was given the document to change it since: it is what its bytes say. */
export function isAsItsBytes(document: Document): boolean {
  return keptFor.has(document)
}

/** What is to be made of documents as long as they are as they are, for as long as somebody else holds it, too. */
const awaited = new WeakMap<Document, { makes: WeakRef<() => unknown>[]; most: number }>()

/** How many are kept at least before those that nobody holds any more are taken out. */
const FEW = 1024

/** `make` is called before the document is changed, if it ever is and whoever gave it still holds it: it is not made of another state. */
export function beforeChange(document: Document, make: () => unknown): void {
  const list = awaited.get(document) ?? { makes: [], most: FEW }
  awaited.set(document, list)
  // a document is assembled again with each edit of another file of its model
  if (list.makes.length >= list.most) {
    list.makes = list.makes.filter((one) => one.deref() !== undefined)
    list.most = Math.max(FEW, 2 * list.makes.length)
  }
  list.makes.push(new WeakRef(make))
}

/** The document is going to be changed. */
export function keepNothing(document: Document): void {
  for (const make of awaited.get(document)?.makes ?? []) make.deref()?.()
  awaited.delete(document)
  keptFor.delete(document)
}

/** What `make` gives of a node, made once as long as the node's bytes stay: whoever gets it changes nothing in it. @see Kept.of */
export function kept<T>(document: Document, node: SourceRange, what: string, make: () => T): T {
  const own = node.end > node.start ? keptFor.get(document) : undefined
  return own ? own.of(node, what, make) : make()
}

/** The same of the whole document, as long as no byte of it changes. */
export function keptOf<T>(document: Document, what: string, make: () => T): T {
  const own = keptFor.get(document)
  return own ? own.ofAll(what, make) : make()
}
