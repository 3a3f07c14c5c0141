/** Presses of a key that moves the chosen keys: those in a row are one step, which goes as far as they come to. */
import type { ShallowRef } from 'vue'
import type { NativeTrack } from '../../../shared/api/types/clips.ts'
import { roomFor } from '../../../shared/keys/retime.ts'
import { STEPS_END } from '../../ui/steps-in-a-row.ts'
import { useAdjust, type LastOperation } from '../adjust.ts'
import { useModels } from '../models.ts'
import type { ChosenKeys } from './chosen.ts'

export function keyNudge(tracks: ShallowRef<NativeTrack[]>, { chosen }: ChosenKeys, shift: (by: number) => Promise<boolean>) {
  const adjust = useAdjust()
  const models = useModels()
  const rowsOf = (): string => [...chosen.value.keys()].join('\n')
  /** the step that presses in a row made, and what they found */
  let row: { last: LastOperation; rows: string; room: (by: number) => number; at: number } | null = null
  let turn: Promise<void> = Promise.resolve()

  async function press(by: number, at: number): Promise<void> {
    // an undo that was asked for just before ends the row
    await models.stepsTaken()
    const { shown } = adjust
    if (row && shown === row.last && row.rows === rowsOf() && at - row.at < STEPS_END) {
      row.at = at
      adjust.set('by', row.room(Number(shown.values.by) + by))
      return
    }
    const [from, selection] = [tracks.value, chosen.value]
    const room = (wanted: number): number => roomFor(from, selection, wanted)
    row = (await shift(by)) && adjust.last ? { last: adjust.last, rows: rowsOf(), room, at } : null
  }

  return function nudge(by: number): Promise<void> {
    const at = performance.now()
    turn = turn.then(() => press(by, at))
    return turn
  }
}
