/** What the right button offers in the picture: on what is under the pointer, else on the picture itself. */
import { say } from '../../shared/texts/say.ts'
import type { MenuEntry } from '../core/menu/context-menu.ts'
import { useDisplay } from '../core/display.ts'
import { useLayout } from '../core/layout.ts'
import { useModelEntries } from '../core/menu/model-entries.ts'
import { useModels } from '../core/models.ts'
import { useSecondPicture } from '../core/second-picture.ts'
import { useSelection } from '../core/selection.ts'
import type { ViewPick } from '../viewport/types.ts'

/** Switches of the picture that are their commands' names. */
const SWITCHES = ['skeleton', 'names', 'wireframe', 'textures', 'lit', 'grid', 'helpers', 'follow', 'inPlace', 'rootPath'] as const

export interface PictureMenu {
  /** what it is about */
  label: string
  entries: MenuEntry[]
}

/** @returns makes it for what is under the pointer; null is the picture, or what is chosen where the keyboard asks */
export function usePictureMenu(): (what: ViewPick | null) => PictureMenu {
  const models = useModels()
  const selection = useSelection()
  const display = useDisplay()
  const layout = useLayout()
  const second = useSecondPicture()
  const of = useModelEntries()

  function picture(): MenuEntry[] {
    // with nothing chosen both would be the same
    const chosen: MenuEntry[] = selection.current.kind === 'none' ? [] : ['view.frame', 'edit.deselect']
    return [
      ...chosen,
      'view.frameAll',
      ...of.hiddenMeshes(),
      'line',
      'view.front',
      'view.right',
      'view.top',
      'view.threeQuarter',
      { command: 'view.parallel', checked: layout.viewport?.orbit?.parallel === true },
      'line',
      ...SWITCHES.map((key): MenuEntry => ({ command: `view.${key}`, checked: display.options[key] })),
      'line',
      'point.add',
      { command: 'view.second', checked: second.shown !== '' },
      { command: 'view.over', checked: second.over },
      'view.fullScreen',
    ]
  }

  /** The menu of a part, then what leads back to all of the model. */
  const about = (name: string | undefined, entries: MenuEntry[]): PictureMenu => ({
    label: name?.trim() || say('common.noName'),
    entries: [...entries, 'line', 'edit.deselect', 'view.frameAll'],
  })

  return (what) => {
    const { scene } = models
    const { kind, ...chosen } = selection.current
    // the keyboard has no pointer: it asks about what is chosen
    const {
      helper,
      joint = -1,
      mesh = -1,
      group = -1,
    } = what ?? {
      helper: kind === 'helper' ? chosen.helper : undefined,
      joint: kind === 'joint' ? chosen.joint : -1,
      mesh: kind === 'mesh' || kind === 'vertex' ? chosen.mesh : -1,
      group: chosen.group,
    }
    if (helper !== undefined && scene?.helpers[helper]) return about(scene.helpers[helper].name, of.helper(helper))
    if (joint >= 0 && scene) return about(scene.skeleton.names[joint], of.joint(joint))
    if (mesh >= 0 && scene?.meshes[mesh]) return about(scene.meshes[mesh].name, of.mesh(mesh, group))
    return { label: say('menu.picture'), entries: picture() }
  }
}
