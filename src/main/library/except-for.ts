/** What a drive did not answer for is not asked again in the same scan. */
import { FormatError } from '../binary/format-error.ts'
import { say } from '../../shared/texts/say.ts'
import type { DiskTouch } from '../../shared/worker/disk-mark.ts'

export function exceptFor(left: ReadonlySet<string>, disk: DiskTouch): DiskTouch {
  return {
    begin(path) {
      if (left.has(path)) throw new FormatError('no-answer', say('indexing.noAnswer'), { file: path })
      disk.begin(path)
    },
    end: () => disk.end(),
  }
}
