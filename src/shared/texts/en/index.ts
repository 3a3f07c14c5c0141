/** The English texts: what main says (main.ts), and what the window does, an area a file. */
import { archivePage } from './archivePage.ts'
import { changes } from './changes.ts'
import { clipList } from './clipList.ts'
import { commands, commandAliases, commandGroups } from './commands.ts'
import { common } from './common.ts'
import { comparing } from './comparing.ts'
import { connection } from './connection.ts'
import { exporting } from './exporting.ts'
import { firstSteps } from './firstSteps.ts'
import { folders } from './folders.ts'
import { giving } from './giving.ts'
import { help } from './help.ts'
import { imageCopy } from './imageCopy.ts'
import { importing } from './importing.ts'
import { inspector } from './inspector.ts'
import { keyEdits } from './keyEdits.ts'
import { keyTools } from './keyTools.ts'
import { keys } from './keys.ts'
import { library } from './library.ts'
import { link } from './link.ts'
import { main } from './main.ts'
import { menu } from './menu.ts'
import { mod } from './mod.ts'
import { notices } from './notices.ts'
import { offset } from './offset.ts'
import { opening } from './opening.ts'
import { outliner } from './outliner.ts'
import { pose } from './pose.ts'
import { poseLibrary } from './poseLibrary.ts'
import { poseTools } from './poseTools.ts'
import { problems } from './problems.ts'
import { recovery } from './recovery.ts'
import { retarget } from './retarget.ts'
import { save } from './save.ts'
import { settings } from './settings.ts'
import { shell } from './shell.ts'
import { slices } from './slices.ts'
import { textures } from './textures.ts'
import { timeline } from './timeline.ts'
import { transport } from './transport.ts'
import { units } from './units.ts'
import { viewport } from './viewport.ts'
import { weights } from './weights.ts'
import { welcome } from './welcome.ts'

export const english = {
  ...main,
  archivePage,
  changes,
  clipList,
  commands,
  commandAliases,
  commandGroups,
  common,
  comparing,
  connection,
  exporting,
  firstSteps,
  folders,
  giving,
  help,
  imageCopy,
  importing,
  inspector,
  keyEdits,
  keyTools,
  keys,
  library,
  link,
  menu,
  mod,
  notices,
  offset,
  opening,
  outliner,
  pose,
  poseLibrary,
  poseTools,
  problems,
  recovery,
  retarget,
  save,
  settings,
  shell,
  slices,
  textures,
  timeline,
  transport,
  units,
  viewport,
  weights,
  welcome,
} as const
