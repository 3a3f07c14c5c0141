/** Tracks of a clip for windows that show them: whole at first, after an edit what it changed. */
import type { ChangedTracks, NativeTrack } from '../../shared/api/types/clips.ts'
import { differenceOf } from '../../shared/scene/difference.ts'
import type { OpenModel } from '../workspace/open-model.ts'

export class SentTracks {
  /** of each model what was sent last */
  private readonly last = new WeakMap<OpenModel, { clip: number; revision: number; tracks: NativeTrack[] }>()

  whole(model: OpenModel, clip: number, tracks: NativeTrack[]): NativeTrack[] {
    this.last.set(model, { clip, revision: model.revision, tracks })
    return tracks
  }

  /** @param since revision of the tracks that the window has */
  changed(model: OpenModel, clip: number, since: number, tracks: NativeTrack[]): ChangedTracks {
    const known = this.last.get(model)
    this.whole(model, clip, tracks)
    const { revision } = model
    return known?.clip === clip && known.revision === since
      ? { revision, change: differenceOf(tracks, known.tracks) }
      : { revision, tracks }
  }
}
