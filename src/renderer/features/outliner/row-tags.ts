/** What stands behind the name of a row, and is read with it. */
import type { ModelFile } from '../../../shared/api/types/model.ts'
import { say } from '../../../shared/texts/say.ts'
import type { OutlinedScene, OutlinerRow } from './tree.ts'

export interface RowTag {
  text: string
  tip?: string
  kind?: 'danger' | 'warning' | 'ellipsis'
}

function fileTags(file: ModelFile): RowTag[] {
  const why: RowTag = { text: say(`common.why.${file.why}`), tip: file.detail }
  if (file.error) return [{ text: say('outliner.error'), tip: file.error, kind: 'danger' }, why]
  if (file.readOnly) return [{ text: say('outliner.readOnly'), tip: file.readOnly, kind: 'warning' }, why]
  return [why]
}

/** @param pins joints that stay where they are while others are drawn */
export function rowTags(
  row: OutlinerRow,
  scene: OutlinedScene,
  { files }: { files: readonly ModelFile[] },
  pins: readonly number[],
): RowTag[] {
  switch (row.kind) {
    case 'joint':
      return [
        ...(pins.includes(row.index) ? [{ text: say('outliner.pinned'), tip: say('outliner.pinnedTip') }] : []),
        ...(scene.skeleton.roles?.[row.index] === 'attach' ? [{ text: say('outliner.attach') }] : []),
      ]
    case 'texture':
      return scene.textures[row.index]?.missing ? [{ text: say('common.missing'), kind: 'danger' }] : []
    case 'clip': {
      const fit = scene.clips[row.index]?.fit
      if (!fit || fit.matched >= fit.total) return []
      return [{ text: `${fit.matched}/${fit.total}`, tip: say('outliner.tracksFit', { ...fit }), kind: 'warning' }]
    }
    case 'helper':
      return [{ text: scene.skeleton.names[scene.helpers[row.index]?.joint] ?? '', kind: 'ellipsis' }]
    case 'file':
      return files[row.index] ? fileTags(files[row.index]) : []
    default:
      return []
  }
}
