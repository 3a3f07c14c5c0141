/** Looks now and then what became of the files of open models on disk, and tells the windows. */
import type { Workspace } from '../workspace/workspace.ts'
import type { Libraries } from './libraries.ts'
import type { Models } from './models.ts'
import type { Emit } from './service.ts'

const EVERY = 2000

export class DiskWatch {
  private readonly workspace: Workspace
  private readonly libraries: Libraries
  private readonly models: Models
  private readonly emit: Emit
  /** updates of the game that windows were told of, by library */
  private readonly updates = new Map<string, string>()
  private readonly timer: NodeJS.Timeout | undefined

  /** @param every ms; 0 for never */
  constructor(workspace: Workspace, libraries: Libraries, models: Models, emit: Emit, every = EVERY) {
    this.workspace = workspace
    this.libraries = libraries
    this.models = models
    this.emit = emit
    if (every !== 0) this.timer = setInterval(() => this.look(), every).unref()
  }

  stop(): void {
    clearInterval(this.timer)
  }

  /** Tells of models that another Marrow on this state folder opened, edited or let go of. */
  async lookElsewhere(): Promise<void> {
    for (const model of await this.workspace.lookElsewhere())
      this.emit('model.elsewhere', { model: model.id, elsewhere: this.models.elsewhere(model) })
  }

  private look(): void {
    void this.lookElsewhere()
    for (const { model, ...state } of this.workspace.changedOnDisk()) this.emit('file.changed', { ...state, model: model.id })
    for (const { id, root } of this.libraries.all()) {
      const now = this.workspace
        .gameUpdates(root)
        .map(({ base, sizeNow }) => `${base.target} ${base.hash} ${sizeNow}`)
        .join('\n')
      if ((this.updates.get(id) ?? '') === now) continue
      this.updates.set(id, now)
      this.emit('mod.updated', { library: id })
    }
  }
}
