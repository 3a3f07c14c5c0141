/** An import in words: what it does in a line, and what is to be known about it. */
import type { ImportReport } from '../../../shared/api/types/import.ts'
import { say } from '../../../shared/texts/say.ts'

/** Joints whose edits of the model's own stay, or are not the last word. */
function listedOnce(which: 'kept' | 'both', imported: ImportReport['imported']): string[] {
  const joints = [...new Set(imported.flatMap((done) => done[which] ?? []))]
  return joints.length > 0 ? [say(`importing.${which}`, { names: joints.slice(0, 12).join(', ') })] : []
}

export function importSummary({ imported, unmatched, unused, assumed, left, weights, placed }: ImportReport): {
  words: string
  notes: string[]
} {
  const keys = imported.reduce((n, i) => n + i.keysChanged + i.keysInserted, 0)
  const [most] = imported.flatMap((i) => i.moved).sort((a, b) => b.degrees - a.degrees || b.distance - a.distance)
  const slow = imported.find((i) => i.timing)?.timing
  const vertices = (weights ?? []).reduce((n, { changed }) => n + changed, 0)
  const notes = [
    ...(vertices > 0 ? [say('importing.weightsChanged', { count: vertices })] : []),
    ...(placed?.length
      ? [
          say('importing.placed', {
            count: placed.length,
            names: placed
              .slice(0, 12)
              .map(({ joint }) => joint)
              .join(', '),
          }),
        ]
      : []),
    ...listedOnce('kept', imported),
    ...listedOnce('both', imported),
    ...left,
    ...(slow
      ? [say('importing.sampled', { file: Math.round(slow.file), clip: Math.round(slow.clip), degrees: slow.degrees.toFixed(2) })]
      : []),
    ...(unmatched.length ? [say('importing.unmatched', { count: unmatched.length, names: unmatched.slice(0, 12).join(', ') })] : []),
    ...(assumed.length ? [say('importing.assumed', { names: assumed.slice(0, 12).join(', ') })] : []),
    ...(unused.length ? [say('importing.unused', { names: unused.slice(0, 12).join(', ') })] : []),
  ]
  const names = imported
    .map((i) => i.name || i.animation)
    .slice(0, 3)
    .join(', ')
  const what = !keys
    ? say('importing.nothingDiffers')
    : most
      ? say('importing.keysChangedMoved', { count: keys, joint: most.joint, degrees: most.degrees.toFixed(2) })
      : say('importing.keysChanged', { count: keys })
  return { words: names ? say('importing.done', { names, what }) : what, notes }
}
