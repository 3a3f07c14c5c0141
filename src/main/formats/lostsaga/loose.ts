/** Loose files of Lost Saga: its resources stand in no archives that Marrow writes, each is a file at its resource path already. */
import { say } from './texts/index.ts'
import type { LooseLayout } from '../loose.ts'

export const loose: LooseLayout = {
  get needs() {
    return say('loose.needs')
  },
}
