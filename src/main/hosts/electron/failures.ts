/**
 * The way back from what goes wrong: a page that ended, a page that hangs, a start that fails. Each is told in a dialog, which needs no page, with the
 * way to go on and the way to a file for a report. Edits are with the services and in journals, not with the page: they are there after a reload.
 */
import { app, dialog, shell } from 'electron'
import type { BrowserWindow, MessageBoxOptions } from 'electron'
import { join } from 'node:path'
import { replaceFile, writeAll } from '../../workspace/atomic.ts'
import type { Log } from '../../services/log.ts'
import { say } from '../../../shared/texts/say.ts'

interface Diagnostics {
  fileName: string
  bytes: Uint8Array
}

export interface FailureTools {
  log: Log
  /** a zip to attach to a report */
  diagnostics(): Diagnostics | Promise<Diagnostics>
}

/** A window whose page ends or hangs. */
export function watchWindow(window: BrowserWindow, tools: FailureTools): void {
  const contents = window.webContents
  let asking: AbortController | undefined
  /** the page is ended on purpose */
  let ending = false

  contents.on('render-process-gone', (_event, { reason, exitCode }) => {
    asking?.abort()
    if (ending || reason === 'clean-exit') return
    tools.log.write('error', `the window's page ended: ${reason}, status ${exitCode}`)
    void ask({
      type: 'error',
      message: reason === 'oom' ? say('desktop.outOfMemory') : say('desktop.windowEnded'),
      detail: `${say('desktop.editsKept')} (${reason})`,
      buttons: [say('desktop.reload'), say('desktop.openDiagnostics'), say('desktop.quit')],
      cancelId: 0,
    }).then(([button, again]) => {
      if (button === 2) app.quit()
      else if (!again) reload()
    })
  })
  contents.on('preload-error', (_event, path, error) => tools.log.failure(`preload ${path}`, error))

  window.on('unresponsive', () => {
    if (asking) return
    tools.log.write('warning', 'the window does not answer')
    void ask({
      type: 'warning',
      message: say('desktop.windowHangs'),
      detail: `${say('desktop.mayComeBack')} ${say('desktop.editsKept')}`,
      buttons: [say('desktop.reload'), say('desktop.openDiagnostics'), say('desktop.wait')],
      cancelId: 2,
    }).then(([button, again]) => {
      if (button !== 0 || again || window.isDestroyed()) return
      ending = true
      // a page that hangs cannot be told to load again
      contents.forcefullyCrashRenderer()
      ending = false
      reload()
    })
  })
  window.on('responsive', () => asking?.abort())

  /** @returns the button; `again` where the question was taken back */
  async function ask(options: MessageBoxOptions): Promise<[button: number, again: boolean]> {
    const mine = (asking = new AbortController())
    try {
      for (;;) {
        const { response } = await dialog.showMessageBox(window, {
          ...options,
          title: 'Marrow',
          defaultId: 0,
          noLink: true,
          signal: mine.signal,
        })
        if (mine.signal.aborted || window.isDestroyed()) return [options.cancelId!, true]
        if (response !== 1) return [response, false]
        await saveDiagnostics(tools)
      }
    } catch (error) {
      tools.log.failure('dialog', error)
      return [options.cancelId!, true]
    } finally {
      if (asking === mine) asking = undefined
    }
  }

  function reload(): void {
    if (!window.isDestroyed()) contents.reload()
  }
}

/** The application cannot start: there is no window, and there may be no services. */
export async function tellStartFailed(error: unknown, tools: FailureTools): Promise<void> {
  tools.log.failure('start', error)
  const reason = error instanceof Error ? error.message : String(error)
  await app.whenReady()
  for (;;) {
    const { response } = await dialog.showMessageBox({
      type: 'error',
      title: 'Marrow',
      message: say('desktop.startFailed'),
      detail: reason,
      buttons: [say('desktop.reload'), say('desktop.openDiagnostics'), say('desktop.quit')],
      defaultId: 0,
      cancelId: 2,
      noLink: true,
    })
    if (response === 1) {
      await saveDiagnostics(tools)
      continue
    }
    if (response === 0) app.relaunch()
    app.exit(response === 0 ? 0 : 1)
    return
  }
}

/** Asks where, writes the zip and shows it in the system's file manager. */
async function saveDiagnostics({ diagnostics, log }: FailureTools): Promise<void> {
  try {
    const { fileName, bytes } = await diagnostics()
    const { canceled, filePath } = await dialog.showSaveDialog({
      defaultPath: join(app.getPath('downloads'), fileName),
      filters: [{ name: say('desktop.zip'), extensions: ['zip'] }],
    })
    if (canceled || !filePath) return
    await replaceFile(filePath, (handle) => writeAll(handle, bytes))
    shell.showItemInFolder(filePath)
  } catch (error) {
    log.failure('diagnostics', error)
    dialog.showErrorBox('Marrow', say('desktop.diagnosticsFailed', { why: error instanceof Error ? error.message : String(error) }))
  }
}
