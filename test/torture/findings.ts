/** What the areas count and tell. */
export const AREAS = ['kills', 'flips', 'disk', 'calls'] as const
export type Area = (typeof AREAS)[number]

export interface Finding {
  area: Area
  /** `lost`: an acknowledged edit is gone; `wrong`: something holds not; `crash`: a program ended, or threw what is no answer */
  kind: 'lost' | 'wrong' | 'crash'
  round: number
  /** number of the kill, flip, fault or call within its round */
  operation: number
  text: string
}

export interface RoundResult {
  /** kills, flips, faults or calls */
  done: number
  findings: Finding[]
  /** said in the summary, e.g. how a full disk was made */
  note?: string
}

export interface RoundOptions {
  /** folder with the programs */
  programs: string
  seed: number
  round: number
  /** the round ends early after it, ms of performance.now() */
  until: number
  /** words of what was done, for `--verbose` */
  trace?: (text: string) => void
}

export class Findings {
  readonly list: Finding[] = []
  private readonly area: Area
  private readonly round: number

  constructor(area: Area, round: number) {
    this.area = area
    this.round = round
  }

  add(kind: Finding['kind'], operation: number, text: string): void {
    // one fault tells itself again and again on the same folder
    if (this.list.length < 20) this.list.push({ area: this.area, kind, round: this.round, operation, text })
  }
}
