/** Models that are worked on in another program. */
import { join } from 'node:path'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { IMPORT_DEFAULTS } from '../../../shared/api/import-options.ts'
import { FormatError } from '../../binary/format-error.ts'
import { safeName } from '../../files/file-names.ts'
import { checkFolder } from '../libraries.ts'
import { shortHash } from '../state.ts'
import type { CallContext, HandlersOf } from './context.ts'
import { say } from '../../../shared/texts/say.ts'

export function linkCalls({ stateFolder, libraries, workspace, links, openFile }: CallContext): HandlersOf<'link'> {
  return {
    'link.start': async ({ model, folder, parts, existing, ...wishes }) => {
      const open = workspace.model(model)
      const { animations, weights, rest } = { ...IMPORT_DEFAULTS, ...wishes }
      if (!animations && !weights && !rest) throw new FormatError('invalid-argument', say('importedMotion.nothingAsked'))
      const { name, primary } = open.binding
      // a place of Marrow's own for each model
      const place = folder === undefined ? join(stateFolder, 'live', shortHash(primary)) : checkFolder(folder)
      if (folder === undefined) await mkdir(place, { recursive: true, mode: 0o700 })
      const path = join(place, `${safeName(name)}.glb`)
      const there = existsSync(path)
      if (there && existing === 'keep') return links.start(open, path, false, wishes)
      const { exportScene } = await import('../../interchange/export-model.ts')
      const { files } = await exportScene(open.assembled.scene, {
        to: 'glb',
        folder: place,
        name,
        parts,
        overwrite: existing === 'replace' && libraries.holding(place) === undefined,
      })
      return links.start(open, files[0], true, wishes)
    },
    'link.stop': ({ model }) => {
      links.stop(model)
      return null
    },
    'link.state': ({ model }) => links.state(model),
    'link.openFile': async ({ model }) => {
      const state = links.state(model)
      if (!state) throw new FormatError('not-found', say('calls.noLink'))
      return { opened: openFile ? (await openFile(state.path)) === '' : false }
    },
  }
}
