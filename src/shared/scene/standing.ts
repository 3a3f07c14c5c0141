/** Which of many clips shows a model as it is known best: the first by name may be a fall. */

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
