/**
 * Loose files of the W3D games. SAGE names a file by its path, the same on disk as in a BIG; Renegade by its bare name, in its Data folder,
 * which its MIX archives stand in. What each looks at first: docs/formats/w3d.md.
 */
import { pathParts } from '../loose.ts'
import { mix } from './archives/mix.ts'
import { say } from './texts/index.ts'
import type { LooseLayout } from '../loose.ts'

/** A member of a MIX that only its checksum is known of. */
const NAMELESS = /^0x[0-9a-f]{8}$/
/** Archives of one language stand in a folder, their paths are those of the game's. */
const LANGUAGE_FOLDER = 'lang'

export const loose: LooseLayout = {
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
