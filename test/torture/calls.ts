import type { ArenaRound } from './arena.ts'
export async function callRound(_round: ArenaRound): Promise<number> {
  return 0
}
