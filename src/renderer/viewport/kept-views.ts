/** Models that were shown and may be again, as those of the other tabs: what the graphics card has of them stays there, unseen. */
import type { Scene } from '../../shared/scene/types.ts'
import type { ModelView } from './model-view.ts'
import type { PosedModel } from './posed-model.ts'

/** Models that are kept at most: those that were shown last. */
const MOST = 4

export class KeptViews {
  /** the one that was shown last stands last */
  private views: ModelView[] = []
  private scenes: readonly Scene[] = []

  /** Scenes that may be shown again; what is kept of others goes. */
  allow(scenes: readonly Scene[]): void {
    this.scenes = scenes
    this.trim()
  }

  /** It is not shown any more: hidden, or let go of. */
  put(view: ModelView): void {
    view.hide()
    this.views.push(view)
    this.trim()
  }

  /** What there is of a model already: whoever takes it shows it. Null where it has to be built. */
  take(model: PosedModel): ModelView | null {
    const view = this.views.find((kept) => kept.model.scene === model.scene)
    if (!view?.adopt(model)) return null
    this.views = this.views.filter((kept) => kept !== view)
    return view
  }

  private trim(): void {
    this.keep(this.views.filter((view) => this.scenes.includes(view.model.scene)).slice(-MOST))
  }

  /** Lets go of all: the graphics card has nothing any more. */
  clear(): void {
    this.keep([])
  }

  private keep(views: ModelView[]): void {
    for (const view of this.views) if (!views.includes(view)) view.dispose()
    this.views = views
  }
}
