import { BrowserWindow, screen } from 'electron'
import { join } from 'node:path'
import { onDisplay, readPlacement, smallest, writePlacement } from './placement.ts'

export interface WindowPaths {
  preload: string
  /** for what the host itself remembers */
  userData: string
  icon?: string
}

const usual = { width: 1440, height: 900 }

/** A window that is not shown before its first frame, where the user left it the last time. */
export function createWindow(paths: WindowPaths): BrowserWindow {
  const file = join(paths.userData, 'window.json')
  const placement = readPlacement(file)
  const window = new BrowserWindow({
    ...usual,
    ...placement?.bounds,
    minWidth: smallest.width,
    minHeight: smallest.height,
    show: false,
    title: 'Marrow',
    backgroundColor: '#1b1d21',
    icon: paths.icon,
    webPreferences: {
      preload: paths.preload,
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      webviewTag: false,
      navigateOnDragDrop: false,
      spellcheck: false,
    },
  })
  if (placement?.maximized) window.maximize()
  if (placement?.fullScreen) window.setFullScreen(true)
  window.once('ready-to-show', () => window.show())

  let timer: NodeJS.Timeout | undefined
  const remember = () => {
    clearTimeout(timer)
    if (window.isDestroyed()) return
    writePlacement(file, { bounds: window.getNormalBounds(), maximized: window.isMaximized(), fullScreen: window.isFullScreen() })
  }
  const soon = () => {
    clearTimeout(timer)
    timer = setTimeout(remember, 500)
  }
  for (const event of ['resize', 'move', 'maximize', 'unmaximize', 'enter-full-screen', 'leave-full-screen'] as const)
    window.on(event as 'resize', soon)
  window.on('close', remember)

  // a display was unplugged, or is another size now: the window must not stand where nobody sees it
  const comeBack = () => {
    if (window.isDestroyed() || window.isMinimized() || window.isMaximized() || window.isFullScreen()) return
    const bounds = window.getBounds()
    const seen = onDisplay(bounds)
    if (seen !== bounds) window.setBounds(seen)
  }
  screen.on('display-removed', comeBack)
  screen.on('display-metrics-changed', comeBack)
  window.on('closed', () => {
    clearTimeout(timer)
    screen.off('display-removed', comeBack)
    screen.off('display-metrics-changed', comeBack)
  })
  return window
}
