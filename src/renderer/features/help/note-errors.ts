/** Errors that nobody caught go into the log, so that diagnostics have them; the console has them as before. */
import type { App } from 'vue'
import { useSession } from '../../core/session.ts'

/** One that comes with every frame would fill the log. */
const MOST = 50

export function noteErrors(app: App): void {
  let left = MOST
  const note = (error: unknown): void => {
    if (left-- <= 0) return
    const message = error instanceof Error ? error.message : String(error)
    const detail = error instanceof Error ? (error.stack ?? '') : ''
    // where the services do not answer there is no log either
    void useSession()
      .call('diagnostics.note', { message: message.slice(0, 1000), detail: detail.slice(0, 4000) })
      .catch(() => {})
  }
  app.config.errorHandler = (error) => {
    note(error)
    console.error(error)
  }
  window.addEventListener('error', (event) => note(event.error ?? event.message))
  window.addEventListener('unhandledrejection', (event) => note(event.reason))
}
