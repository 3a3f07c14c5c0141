/** What edits of keys would make of the shown model, in the picture, while they are in the hand. */
import type { TaskPlan } from '../../../shared/keys/tasks.ts'
import { useModels, type OpenModel } from '../models.ts'
import { useSession } from '../session.ts'
import { AT_ONCE, type Watch } from './planner.ts'
import { useKeys } from './store.ts'

type Plan = (way: Watch) => TaskPlan | Promise<TaskPlan>

interface Drag {
  readonly model: OpenModel
  readonly stop: AbortController
  /** the pointer is faster than answers: of what waits the newest is asked for */
  waiting: Plan | null
  asking: boolean
}

/**
 * For one drag of the chosen keys after the other: `show` with each movement, `end` when the edit is made or taken back. More keys than tools take at
 * once are not shown: what would come of them takes longer than the hand waits for a movement.
 */
export function keyPreview(): { show: (plan: Plan) => void; end: () => void } {
  const session = useSession()
  const models = useModels()
  const keys = useKeys()
  let now: Drag | null = null

  async function ask(drag: Drag): Promise<void> {
    const { model, stop } = drag
    drag.asking = true
    while (drag.waiting) {
      const plan = drag.waiting
      drag.waiting = null
      let made = null
      try {
        const { edits } = await plan({ signal: stop.signal, progress: () => undefined })
        if (edits.length) made = await session.call('clips.preview', { model: model.id, edits }, { signal: stop.signal })
      } catch {
        // what keys cannot take is said where they are let go; until then they are shown as they are
      }
      if (drag === now) models.previewUpdate(model, made)
    }
    drag.asking = false
  }

  function show(plan: Plan): void {
    const model = models.active
    if (!model || keys.count > AT_ONCE) return
    now ??= { model, stop: new AbortController(), waiting: null, asking: false }
    now.waiting = plan
    if (!now.asking) void ask(now)
  }

  function end(): void {
    if (!now) return
    const { model, stop } = now
    now = null
    stop.abort()
    models.previewUpdate(model, null)
  }

  return { show, end }
}
