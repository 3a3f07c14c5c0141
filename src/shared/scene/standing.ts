/** Which of many clips shows a model as it is known best: the first by name may be a fall. */
import type { Scene } from './types.ts'

/** The best first. Japanese and Korean words are those of the games' own scripts. */
const STANDING = [
  /^idle_?stance$/i,
  /^(idle|stand|stance|wait|立ち|待ち|待機|대기)/i,
  /_(sta|idl)[a-e]?\b|(idle|stand|stance|wait)\d*$/i,
  /idle|stand|stance|wait/i,
]
/** Poses that need something beneath or around the model to make sense. */
const ELSEWHERE = /climb|seat|sit|swim|jetpack|bike|car_|duck|crouch|prone/i

const rankOf = (name: string): number => {
  const rank = STANDING.findIndex((pattern) => pattern.test(name))
  if (rank < 0) return 2 * STANDING.length
  return ELSEWHERE.test(name) ? STANDING.length + rank : rank
}

/** Clips whose names are likely to be of a model at rest come first; else the order stays. */
export function standingFirst<T>(clips: readonly T[], name: (clip: T) => string): T[] {
  return clips
    .map((clip) => ({ clip, rank: rankOf(name(clip)) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ clip }) => clip)
}

/** What is shown of a model first: its first slice that plays, else the clip that it stands in, at its start; -1 for none. */
export function firstMoment({ slices, clips }: Pick<Scene, 'slices' | 'clips'>): { clip: number; slice: number; time: number } {
  const slice = slices.findIndex((s) => s.end > s.start && s.speed > 0)
  if (slice >= 0) return { slice, clip: slices[slice].clip, time: slices[slice].start }
  const clip = standingFirst(clips, (c) => c.name).at(0)
  return { slice: -1, clip: clip ? clips.indexOf(clip) : -1, time: clip?.start ?? 0 }
}
