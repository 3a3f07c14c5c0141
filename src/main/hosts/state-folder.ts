/** Where Marrow keeps its index, journals, originals and settings: one place for both hosts and the command line. */
import { homedir } from 'node:os'
import { join } from 'node:path'

/** The folder that Electron calls userData, for any process. MARROW_HOME puts it elsewhere. */
export function userDataFolder(
  env: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
  home = homedir(),
): string {
  if (env.MARROW_HOME) return env.MARROW_HOME
  if (platform === 'win32') return join(env.APPDATA || join(home, 'AppData', 'Roaming'), 'Marrow')
  // eslint-disable-next-line texts/in-catalogue -- a folder of the system
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Marrow')
  return join(env.XDG_CONFIG_HOME || join(home, '.config'), 'Marrow')
}

/** Inside it, apart from what Chromium puts there. */
export function stateFolder(userData = userDataFolder()): string {
  return join(userData, 'state')
}
