/**
 * Loose files of the Level-5 games: what is in DATA.DAT as the folder tree that tools unpack it to, beside its directories. No release reads
 * such a tree by itself (docs/formats/level5.md), and what is in a pack is read there alone: the pack is the file.
 */
import { pathParts } from '../loose.ts'
import { hd2Format, hd3Format, hd4Format, hedFormat } from './archives/disc.ts'
import { say } from './texts/index.ts'
import type { LooseLayout, ReadingOrder } from '../loose.ts'

const DISCS: ReadonlySet<string> = new Set([hd2Format.id, hd3Format.id, hd4Format.id, hedFormat.id])

/** The games read their disc's data by sectors, and nothing beside it: a tree that was unpacked is looked at by tools alone. */
const reading: ReadingOrder = {
  turn({ packed, name }) {
    if (!packed) return { key: name.toLowerCase(), turn: 1 }
    if (!DISCS.has(packed.format)) return undefined
    return { key: [...pathParts(packed.archive).folders, name].join('/').toLowerCase(), turn: 0 }
  },
  why(read, other) {
    if (read.packed && !other.packed) return say('loose.discAlone', { disc: pathParts(read.packed.archive).name })
    return say('loose.twoDiscs')
  },
}

export const loose: LooseLayout = {
  reading,
  get needs() {
    return say('loose.needs')
  },
  place({ format, archive, name }) {
    const { folders, name: pack } = pathParts(archive)
    if (!DISCS.has(format)) return { why: say('loose.insidePack', { name: pathParts(name).name, pack }) }
    return { path: [...folders, name].join('/') }
  },
}
