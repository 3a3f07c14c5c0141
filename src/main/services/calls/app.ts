/** The application itself, its settings, and folders to open. */
import { expectBeside } from '../../files/mod-folder.ts'
import { EVENT_DELAY } from '../model-edits.ts'
import type { CallContext, HandlersOf } from './context.ts'

export function appCalls({
  version,
  host,
  sampleFolder,
  store,
  state,
  stateCare,
  libraries,
  models,
  boundary,
  pickFolder,
  announce,
}: CallContext): HandlersOf<'app' | 'settings' | 'folders' | 'update' | 'menu'> {
  return {
    // the packaged desktop application answers this itself
    'update.act': () => null,
    // a browser has no menu of the application
    'menu.keys': () => null,

    'app.info': () => {
      stateCare.begin(EVENT_DELAY)
      return {
        version,
        host,
        platform: process.platform,
        sample: sampleFolder,
        families: store.registry.families.map(({ id, label, games }) => ({ id, label, games })),
        recent: state.recent,
      }
    },
    'settings.get': () => state.settings,
    'settings.set': (values) => {
      if (values.modFolder) for (const { root } of libraries.all()) expectBeside(root, values.modFolder)
      const settings = state.set(values)
      for (const model of models.follow()) announce(model)
      return settings
    },

    'folders.pick': async () => (pickFolder ? pickFolder() : null),
    'folders.list': ({ path }) => boundary.list(path),
  }
}
