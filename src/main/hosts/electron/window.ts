import { BrowserWindow, screen } from 'electron'
import type { Rectangle } from 'electron'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import writeFileAtomic from 'write-file-atomic'

export interface WindowPaths {
  preload: string
  /** for what the host itself remembers */
  userData: string
  icon?: string
}

interface Placement {
  bounds: Rectangle
  maximized: boolean
}

const usual = { width: 1440, height: 900 }
const smallest = { width: 900, height: 600 }

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
  window.once('ready-to-show', () => window.show())

  let timer: NodeJS.Timeout | undefined
  const remember = () => {
    clearTimeout(timer)
    if (!window.isDestroyed()) writePlacement(file, { bounds: window.getNormalBounds(), maximized: window.isMaximized() })
  }
  const soon = () => {
    clearTimeout(timer)
    timer = setTimeout(remember, 500)
  }
  window.on('resize', soon)
  window.on('move', soon)
  window.on('close', remember)
  return window
}

/** null where nothing was kept, or where no screen shows that place any more. */
function readPlacement(file: string): Placement | null {
  try {
    const { bounds, maximized } = JSON.parse(readFileSync(file, 'utf8')) as Placement
    const { x, y, width, height } = bounds
    if (![x, y, width, height].every((n) => Number.isInteger(n)) || width < smallest.width || height < smallest.height) return null
    const { workArea } = screen.getDisplayMatching(bounds)
    const wide = Math.min(x + width, workArea.x + workArea.width) - Math.max(x, workArea.x)
    const high = Math.min(y + height, workArea.y + workArea.height) - Math.max(y, workArea.y)
    // enough of it to take hold of
    if (wide < 200 || high < 100) return null
    return { bounds: { x, y, width, height }, maximized: maximized === true }
  } catch {
    return null
  }
}

function writePlacement(file: string, placement: Placement): void {
  try {
    writeFileAtomic.sync(file, JSON.stringify(placement))
  } catch (error) {
    // not worth a dialog: the window opens at its usual place
    console.error(error)
  }
}
