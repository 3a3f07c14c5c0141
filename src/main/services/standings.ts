/** Of files that stand in several places (on disk, in archives, in the mod folder) which one the game reads, by the rules of its family. */
import { relative, sep } from 'node:path'
import { looseCopyOf, modCopyFor } from '../workspace/mod-copies.ts'
import { baseName, MEMBER_SEPARATOR, stemOf } from '../../shared/ref.ts'
import { say } from '../../shared/texts/say.ts'
import type { FileStore } from '../files/store.ts'
import type { Neighbourhood } from '../formats/binding.ts'
import type { GameFile, ReadingOrder, ReadingTurn } from '../formats/loose.ts'
import type { SavePlace } from '../workspace/mod-copies.ts'
import type { FileStanding } from '../../shared/api/types/library.ts'

interface StandingTools {
  store: FileStore
  around: Neighbourhood
  /** of the library */
  root: string
  place: (ref: string) => SavePlace
}

/** Files of one name that are looked at: a name that thousands have is no file that stands in two places. */
const MOST_RIVALS = 64
const MOST_NAMED = 8

/** A file as its game finds it: itself, or the pack that it stands in, with what is behind that. */
interface Found extends ReadingTurn {
  ref: string
  file: GameFile
  /** of a member of a pack that the game finds as a file: its place in there */
  rest: string
}

export class Standings {
  private readonly tools: StandingTools
  private readonly orders: readonly ReadingOrder[]

  constructor(tools: StandingTools) {
    this.tools = tools
    this.orders = tools.store.registry.families.flatMap(({ loose }) => (loose?.reading ? [loose.reading] : []))
  }

  /** null for a file that stands in nobody's way. */
  of(ref: string): FileStanding | null {
    try {
      return this.inMod(ref) ?? this.inGame(ref)
    } catch {
      // of a file that cannot be read nothing is known: the list says what is wrong with it
      return null
    }
  }

  private inMod(ref: string): FileStanding | undefined {
    const place = this.tools.place(ref)
    if (place.mode !== 'mod-folder' || !place.folder || !place.root) return undefined
    const copy = modCopyFor(this.tools.store, ref, place)
    if (!copy || !this.differs(ref, copy, place)) return undefined
    return { state: 'mod', why: say('looseFiles.inMod'), others: [copy] }
  }

  /** An archive in the mod folder has copies of all members, and most are as the game has them. */
  private differs(ref: string, copy: string, place: SavePlace): boolean {
    const { store } = this.tools
    if (store.container(ref) === undefined || looseCopyOf(store, ref, place)?.target?.ref === copy) return true
    const [a, b] = [store.source(ref), store.source(copy)]
    return a.size !== b.size || Buffer.compare(a.read(0, a.size), b.read(0, b.size)) !== 0
  }

  private inGame(ref: string): FileStanding | null {
    const { around, store } = this.tools
    const name = baseName(ref).toLowerCase()
    const rivals = around
      .byStem(stemOf(name), store.folderOf(ref))
      .filter((file) => file.ref !== ref && baseName(file.ref).toLowerCase() === name)
    if (rivals.length === 0) return null
    for (const order of this.orders) {
      const own = this.found(ref, order)
      if (!own) continue
      const others = rivals.slice(0, MOST_RIVALS).flatMap((file) => this.found(file.ref, order) ?? [])
      const same = others.filter((other) => other.key === own.key && other.rest === own.rest)
      // two files on disk are one at most
      if (!same.some(({ file }) => file.packed) && !own.file.packed) continue
      if (same.length > 0) return this.told(own, same, order)
    }
    return null
  }

  private told(own: Found, others: readonly Found[], order: ReadingOrder): FileStanding {
    const [first] = [...others].sort(inTurn)
    const less = inTurn(own, first)
    const paths = others.slice(0, MOST_NAMED).map((other) => this.below(other.ref))
    const [read, other] = less <= 0 ? [own, first] : [first, own]
    return { state: less < 0 ? 'read' : less > 0 ? 'hidden' : 'open', why: order.why(read.file, other.file), others: paths }
  }

  /** The outermost that the game looks for: a pack on a disc, a member of an archive, a file on disk. */
  private found(ref: string, order: ReadingOrder): Found | undefined {
    const { store } = this.tools
    const chain: string[] = []
    for (let at: string | undefined = ref; at !== undefined; at = store.container(at)) chain.unshift(at)
    for (const [i, at] of chain.entries()) {
      const outer = i > 0 ? store.openArchive(chain[i - 1]) : undefined
      const file: GameFile = outer
        ? {
            packed: { format: outer.format.id, archive: this.below(outer.ref) },
            name: at.slice(outer.ref.length + MEMBER_SEPARATOR.length),
          }
        : { name: this.below(at) }
      const rest = ref.slice(at.length).toLowerCase()
      // an archive that the game looks into is no file that it looks for
      if (i < chain.length - 1 && !outer && order.turn({ packed: { format: this.formatOf(at), archive: '' }, name: 'x' })) continue
      const turn = order.turn(file)
      if (turn) return { ref, file, rest, ...turn }
    }
    return undefined
  }

  private formatOf(archive: string): string {
    return this.tools.store.openArchive(archive)?.format.id ?? ''
  }

  private below(ref: string): string {
    return relative(this.tools.root, ref).split(sep).join('/')
  }
}

/** < 0: the first is read; 0: nobody knows */
function inTurn(a: ReadingTurn, b: ReadingTurn): number {
  if (a.turn !== b.turn) return a.turn - b.turn
  if (a.then === undefined || b.then === undefined || a.then === b.then) return 0
  return a.then < b.then ? -1 : 1
}
