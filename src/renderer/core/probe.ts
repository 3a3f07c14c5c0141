/**
 * What end-to-end tests look at beside what a user sees. A test puts an empty object on the page before the window starts, and the window
 * fills it; without one nothing is given away.
 */
import type { EngineCounts } from '../viewport/types.ts'
import { useCommands } from './commands/registry.ts'
import { useLayout } from './layout.ts'
import { useModels } from './models.ts'

export interface WindowProbe {
  /** the picture shows all that was asked for */
  pictureAtRest(): boolean
  /** live objects of the graphics engine; null without a picture */
  engine(): EngineCounts | null
  /** graphics engines that were not let go, of the pictures that are shown and of any other */
  engines(): Promise<number>
  /** From now on the ids of commands are written down here in place of what they do, and each can always run. */
  noteCommands(): string[]
  /** those that the window has now */
  commandIds(): string[]
}

export function offerProbe(): void {
  const probe = (globalThis as { marrowProbe?: Partial<WindowProbe> }).marrowProbe
  if (!probe) return
  const layout = useLayout()
  const models = useModels()
  // a page of a model without a picture waits for its scripts
  probe.pictureAtRest = () =>
    layout.viewport?.atRest ??
    (document.querySelector('[data-panel="viewport"]') === null && !(models.page === 'model' && models.active !== null))
  probe.engine = () => layout.viewport?.counts() ?? null
  probe.engines = async () => (await import('../viewport/graphics.ts')).liveEngines()
  probe.noteCommands = () => {
    const noted: string[] = []
    const commands = useCommands()
    for (const id of commands.all.keys()) commands.all.set(id, { id, run: () => noted.push(id) })
    return noted
  }
  probe.commandIds = () => [...useCommands().all.keys()]
}
