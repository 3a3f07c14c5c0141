/** What is told of a run that has trouble: the log, and settings through the scrubber. */
import { makeDiagnostics, previewDiagnostics } from '../diagnostics.ts'
import type { DiagnosticsSource } from '../diagnostics.ts'
import type { CallContext, HandlersOf } from './context.ts'

export function diagnosticsCalls({
  stateFolder,
  version,
  host,
  store,
  state,
  libraries,
  log,
  failing,
}: CallContext): HandlersOf<'diagnostics'> {
  const diagnostics = (): DiagnosticsSource => ({
    stateFolder,
    version,
    host,
    settings: state.settings,
    recent: state.recent,
    libraries: libraries.all().map(({ index }) => index.info()),
    failing: failing.all(),
  })

  return {
    'diagnostics.look': () => previewDiagnostics(diagnostics()),
    'diagnostics.make': ({ headers, window }) => {
      const known = failing.all().filter(({ ref }) => headers.includes(ref))
      return makeDiagnostics(diagnostics(), {
        headers: known.flatMap(({ ref, name }) => (store.exists(ref) ? { name, bytes: store.head(ref) } : [])),
        window,
      })
    },
    'diagnostics.note': ({ message, detail }) => {
      log.write('error', `window: ${message}${detail ? ` | ${detail}` : ''}`)
      return null
    },
  }
}
