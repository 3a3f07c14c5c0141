/**
 * Loose files of GTA III, Vice City and San Andreas: the games read members of IMG archives there alone, Mod Loader (LINK/2012) puts files of
 * `modloader/<mod>` in their place, by their names and whatever archive they are in. What it streams so, and the two kinds that it wants in
 * a folder called as the archive, is told by its own page on std.stream (docs/formats/renderware.md).
 */
import { extensionOf } from '../../../shared/ref.ts'
import { pathParts } from '../loose.ts'
import { say } from './texts/index.ts'
import type { LooseLayout } from '../loose.ts'

/** What it puts in the place of a member wherever it lies below the mod. */
const STREAMED: ReadonlySet<string> = new Set(['dff', 'txd', 'col', 'ipl', 'ifp', 'rrr', 'scm'])
/** Folders of the games, which archives stand in: what is above them is the game's own. */
const GAME_FOLDERS: ReadonlySet<string> = new Set(['anim', 'audio', 'data', 'models'])
/** Of clothes, which have names of other models. */
const CLOTHES = 'player.img'

export const loose: LooseLayout = {
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
    const mods = [...(at < 0 ? folders : folders.slice(0, at)), 'modloader'].join('/')
    return { path: [mods, mod, ...(inFolder ? [img] : []), name].join('/'), mods }
  },
}
