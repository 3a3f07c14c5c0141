/**
 * Loose files of GTA III, Vice City and San Andreas: the games read members of IMG archives there alone, Mod Loader (LINK/2012) puts files of
 * `modloader/<mod>` in their place, by their names and whatever archive they are in. What it streams so, and the two kinds that it wants in
 * a folder called as the archive, is told by its own page on std.stream (docs/formats/renderware.md).
 */
import { extensionOf } from '../../../shared/ref.ts'
import { pathParts } from '../loose.ts'
import { img1, img2 } from './archives/img.ts'
import { say } from './texts/index.ts'
import type { GameFile, LooseLayout, ReadingOrder } from '../loose.ts'

/** What it puts in the place of a member wherever it lies below the mod. */
const STREAMED: ReadonlySet<string> = new Set(['dff', 'txd', 'col', 'ipl', 'ifp', 'rrr', 'scm'])
/** Folders of the games, which archives stand in: what is above them is the game's own. */
const GAME_FOLDERS: ReadonlySet<string> = new Set(['anim', 'audio', 'data', 'models'])
/** Of clothes, which have names of other models. */
const CLOTHES = 'player.img'

const LOADER = 'modloader'
const IMGS: ReadonlySet<string> = new Set([img1.id, img2.id])

/**
 * Members have no rival on disk but what Mod Loader puts in their place, by the bare name: of two archives it is in the place of both. Which of
 * two archives with one name the games read, and which of two mods counts without a word of the user on it, no source says.
 */
const reading: ReadingOrder = {
  turn({ packed, name }) {
    const { folders, name: file } = pathParts(packed ? packed.archive : name)
    const lower = folders.map((folder) => folder.toLowerCase())
    if (packed) {
      if (!IMGS.has(packed.format)) return undefined
      const clothes = /^player\.(img|dir)$/i.test(file)
      const at = lower.findLastIndex((folder) => GAME_FOLDERS.has(folder))
      const game = (at < 0 ? lower : lower.slice(0, at)).join('/')
      return { key: [game, clothes ? CLOTHES : '', name.toLowerCase()].join('|'), turn: 1 }
    }
    const at = lower.lastIndexOf(LOADER)
    if (at < 0 || at + 1 >= lower.length || !STREAMED.has(extensionOf(file))) return undefined
    const clothes = lower.includes(CLOTHES, at)
    return { key: [lower.slice(0, at).join('/'), clothes ? CLOTHES : '', file.toLowerCase()].join('|'), turn: 0 }
  },
  why(read, other) {
    const place = ({ packed, name }: GameFile): string => (packed ? pathParts(packed.archive).name : name)
    const words = { read: place(read), other: place(other) }
    if (read.packed) return say('loose.twoArchives', words)
    return say(other.packed ? 'loose.loaderFirst' : 'loose.twoMods', words)
  },
}

export const loose: LooseLayout = {
  reading,
  get needs() {
    return say('loose.needs')
  },
  place({ archive, name, mod }) {
    const { folders, name: file } = pathParts(archive)
    const at = folders.findLastIndex((folder) => GAME_FOLDERS.has(folder.toLowerCase()))
    // the directory of an archive of two files is called after it
    const img = file.replace(/\.dir$/i, '.img')
    const nodes = /^nodes\d+\.dat$/i.test(name)
    if (!STREAMED.has(extensionOf(name)) && !nodes) return { why: say('loose.notStreamed', { name }) }
    const inFolder = nodes || img.toLowerCase() === CLOTHES
    const mods = [...(at < 0 ? folders : folders.slice(0, at)), LOADER].join('/')
    return { path: [mods, mod, ...(inFolder ? [img] : []), name].join('/'), mods }
  },
}
