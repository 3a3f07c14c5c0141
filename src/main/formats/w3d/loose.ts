/**
 * Loose files of the W3D games. SAGE names a file by its path, the same on disk as in a BIG; Renegade by its bare name, in its Data folder,
 * which its MIX archives stand in. What each looks at first: docs/formats/w3d.md.
 */
import { pathParts } from '../loose.ts'
import { big } from './archives/big.ts'
import { mix } from './archives/mix.ts'
import { say } from './texts/index.ts'
import type { GameFile, LooseLayout, ReadingOrder } from '../loose.ts'

/** A member of a MIX that only its checksum is known of. */
const NAMELESS = /^0x[0-9a-f]{8}$/
/** Archives of one language stand in a folder, their paths are those of the game's. */
const LANGUAGE_FOLDER = 'lang'

/** Archives of Renegade by their turns, behind its Data folder; of others no source says when they are asked. */
const MIX_TURNS: readonly string[] = ['always2.dat', 'always.dbs', 'always.dat']
/** of an archive that the list does not have */
const UNLISTED = 9

/**
 * What the engines look at first: files on disk before archives in both; the BIGs of a folder by their names. Facts and their sources:
 * docs/formats/w3d.md. The Battle for Middle-earth is the other way round, and its archives are of the same kind: the sentence says so.
 */
const reading: ReadingOrder = {
  turn({ packed, name }) {
    // the same key by the path as for Renegade's bare names: a file in its Data folder is both
    if (!packed) return { key: name.toLowerCase(), turn: 0 }
    if (packed.format !== mix.id && packed.format !== big.id) return undefined
    const place = loose.place!({ ...packed, name, mod: '' })
    if (place.path === undefined) return undefined
    const key = place.path.toLowerCase()
    const { name: archive } = pathParts(packed.archive.toLowerCase())
    if (packed.format !== mix.id) return { key, turn: 1, then: archive }
    const listed = MIX_TURNS.indexOf(archive)
    return { key, turn: listed < 0 ? UNLISTED : 1 + listed }
  },
  why(read, other) {
    const archive = (file: GameFile): string => pathParts(file.packed?.archive ?? '').name
    const renegade = [read, other].some(({ packed }) => packed?.format === mix.id)
    if (!read.packed) return say(renegade ? 'loose.dataFirst' : 'loose.diskFirst', { archive: archive(other) })
    if (!renegade) return say('loose.firstByName', { read: archive(read), other: archive(other) })
    const known = MIX_TURNS.includes(archive(read).toLowerCase())
    return say(known ? 'loose.listed' : 'loose.notListed', { read: archive(read), other: archive(other) })
  },
}

export const loose: LooseLayout = {
  reading,
  get needs() {
    return say('loose.needs')
  },
  place({ format, archive, name }) {
    const { folders } = pathParts(archive)
    if (format === mix.id) {
      if (NAMELESS.test(name)) return { why: say('loose.nameless', { name }) }
      return { path: [...folders, pathParts(name).name].join('/') }
    }
    if (folders.at(-1)?.toLowerCase() === LANGUAGE_FOLDER) folders.pop()
    return { path: [...folders, name].join('/') }
  },
}
