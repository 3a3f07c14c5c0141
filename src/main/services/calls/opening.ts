/** Paths and files that came from outside of the window: what they mean, and copies of dropped ones. */
import type { CallContext, HandlersOf } from './context.ts'

export function openingCalls({ opening, libraries }: CallContext): HandlersOf<'open' | 'inbox'> {
  return {
    // a host that is told paths answers this itself
    'open.pending': () => ({ paths: [] }),
    'open.look': ({ paths }) => paths.map((path) => opening.look(path)),
    'open.around': ({ ref }) => ({ root: opening.around(ref) }),
    'open.match': ({ files }) => files.map((file) => opening.match(file)),
    'inbox.begin': ({ name, kept }) =>
      opening.inbox.begin(
        name,
        libraries.all().map(({ root }) => root),
        kept,
      ),
    'inbox.add': ({ id, path, bytes }) => {
      opening.inbox.add(id, path, bytes)
      return null
    },
    'inbox.open': ({ id }) => opening.openInbox(id),
  }
}
