/** What a write of an archive, or of the image of a disc that it stands in, does to the file: its size and members, its bytes, and what is to be known of it. */
import type { ArchiveBytes } from '../../shared/api/types/archive.ts'
import { say } from '../../shared/texts/say.ts'

interface PlannedWrite {
  size: readonly [number, number]
  members: readonly [number, number]
  copied: number
  bodies: number
  tables: number
  moved: number
  notes: readonly string[]
}

export function planLines(file: string, { size, members, copied, bodies, tables, moved, notes }: PlannedWrite): string[] {
  const bytes = (n: number): string => say('reports.counts.bytes', { n })
  return [
    say('archiveEdits.plan.size', {
      file,
      from: bytes(size[0]),
      to: size[1],
      before: say('archiveEdits.members', { n: members[0] }),
      after: members[1],
    }),
    say('archiveEdits.plan.bytes', { copied: bytes(copied), bodies, tables, n: moved }),
    ...notes,
  ]
}

/** Each file of an archive that is several, with its bytes. */
export const fileLines = (each: ArchiveBytes['each'] = []): string[] =>
  each.map(({ file, bytes }) => say('archiveEdits.plan.file', { file, n: bytes }))
