/** What the right button offers on a row of the outliner: what holds for its kind, and what this model's family can do. */
import { say } from '../../../shared/texts/say.ts'
import type { MenuEntry } from '../../core/menu/context-menu.ts'
import { useModelEntries } from '../../core/menu/model-entries.ts'
import { useModels } from '../../core/models.ts'
import type { OutlinerRow } from './tree.ts'

/** @param fold opens or closes a row and all that hang below it */
export function useOutlinerMenu(fold: (row: OutlinerRow, open: boolean) => void): (row: OutlinerRow) => MenuEntry[] {
  const models = useModels()
  const entries = useModelEntries()

  /** A heading stands for all of its kind: what adds another one, what is for all of them. */
  function section(key: string): MenuEntry[] {
    switch (key) {
      case 'bones':
        return ['outliner.hang', 'outliner.letGo']
      case 'meshes':
        return entries.hiddenMeshes()
      case 'textures':
        return ['model.addFiles', 'export.png']
      case 'clips':
        return [
          'clip.new',
          'clip.fromPose',
          'clip.fromRange',
          'clip.merge',
          'line',
          'model.addAnimation',
          'import.animations',
          'clip.retarget',
          'line',
          'play.rest',
        ]
      case 'points':
        return ['point.add', 'view.helpers']
      case 'files':
        return ['model.addFiles']
      default:
        return []
    }
  }

  function own(row: OutlinerRow): MenuEntry[] {
    switch (row.kind) {
      case 'section':
        return section(row.key)
      case 'file': {
        const file = models.info?.files[row.index]
        return file ? entries.file(file.ref) : []
      }
      default:
        return entries[row.kind](row.index)
    }
  }

  return (row) => {
    if (row.open === undefined) return own(row)
    return [
      ...own(row),
      'line',
      { label: say('menu.openBelow'), run: () => fold(row, true) },
      { label: say('menu.closeBelow'), run: () => fold(row, false) },
    ]
  }
}
