/** What the services have the desktop do: it is with Electron's main process, wherever they run. */
import type { CallArgs } from '../../../shared/api/contract.ts'
import type { MenuKeys } from '../../../shared/api/menu.ts'
import type { Settings } from '../../../shared/api/settings.ts'
import type { Services } from '../../services/service.ts'

/** Every answer can come from another process. */
export interface Desktop {
  /** the system's dialog for folders; null where the user took none. What was picked is admitted before the answer comes */
  pickFolder(): string | null | Promise<string | null>
  /** paths that the user opened from outside, each told once */
  takePending(): string[] | Promise<string[]>
  menuKeys(keys: MenuKeys): void | Promise<void>
  actOnUpdate(action: CallArgs<'update.act'>['action']): void | Promise<void>
  /** '' or why it could not */
  openFile(path: string): Promise<string>
  showInFolder(path: string): void | Promise<void>
  /** the user drags them out of the window */
  dragFiles(files: string[]): void | Promise<void>
  recentChanged(): void | Promise<void>
  themeIs(theme: Settings['theme']): void | Promise<void>
}

/** Services whose calls reach the desktop. */
export function withDesktop(services: Services, desktop: Desktop): Services {
  const { handlers } = services
  /** A call that changes the list of recent folders. */
  const andRecent =
    <A, R>(call: (args: A, context: { signal: AbortSignal }) => R | Promise<R>) =>
    async (args: A, context: { signal: AbortSignal }): Promise<R> => {
      const result = await call(args, context)
      void desktop.recentChanged()
      return result
    }
  const andTheme =
    <A>(call: (args: A, context: { signal: AbortSignal }) => Settings | Promise<Settings>) =>
    async (args: A, context: { signal: AbortSignal }): Promise<Settings> => {
      const settings = await call(args, context)
      void desktop.themeIs(settings.theme)
      return settings
    }
  return {
    ...services,
    handlers: {
      ...handlers,
      'folders.pick': () => desktop.pickFolder(),
      'open.pending': async () => ({ paths: await desktop.takePending() }),
      async 'menu.keys'({ keys }) {
        await desktop.menuKeys(keys)
        return null
      },
      async 'update.act'({ action }) {
        await desktop.actOnUpdate(action)
        return null
      },
      async 'archive.drag'(args, context) {
        const result = await handlers['archive.drag'](args, context)
        await desktop.dragFiles(result.files)
        return result
      },
      'library.open': andRecent(handlers['library.open']),
      'library.openSample': andRecent(handlers['library.openSample']),
      'library.forget': andRecent(handlers['library.forget']),
      'recovery.restore': andRecent(handlers['recovery.restore']),
      'settings.get': andTheme(handlers['settings.get']),
      'settings.set': andTheme(handlers['settings.set']),
    },
  }
}
