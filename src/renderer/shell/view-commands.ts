/** Commands of the picture: what is drawn, and where the camera stands. They mean the same wherever the focus is. */
import { computed, type ComputedRef } from 'vue'
import { useSecondPicture } from '../core/second-picture.ts'
import { useCommands, type Command } from '../core/commands/registry.ts'
import { useDisplay } from '../core/display.ts'
import { useLayout } from '../core/layout.ts'
import { useModels } from '../core/models.ts'
import { useSelection } from '../core/selection.ts'
import { BONE_SIZES } from '../viewport/types.ts'
import type { ViewKeys, ViewName } from '../viewport/types.ts'
import { say } from '../../shared/texts/say.ts'

const TURN = Math.PI / 24
const MOVE = 24
const ZOOM = 1.15

export function viewCommands(): Command[] {
  const models = useModels()
  const selection = useSelection()
  const display = useDisplay()
  const layout = useLayout()
  const second = useSecondPicture()
  const hasClips = (): boolean => (models.scene?.clips.length ?? 0) > 0
  const hasModel = (): boolean => models.page === 'model' && models.active !== null
  const view = (name: ViewName) => () => layout.viewport?.setView(name)
  const turn = (yaw: number, pitch: number) => () => layout.viewport?.turn(yaw * TURN, pitch * TURN)
  const pan = (x: number, y: number) => () => layout.viewport?.pan(x * MOVE, y * MOVE)

  const commands: Command[] = [
    { id: 'view.wireframe', run: () => display.toggle('wireframe') },
    { id: 'view.skeleton', run: () => display.toggle('skeleton') },
    { id: 'view.names', run: () => display.toggle('names') },
    { id: 'view.grid', run: () => display.toggle('grid') },
    { id: 'view.textures', run: () => display.toggle('textures') },
    { id: 'view.lit', run: () => display.toggle('lit') },
    { id: 'view.follow', when: hasClips, run: () => display.toggle('follow') },
    { id: 'view.rootPath', when: hasClips, run: () => display.toggle('rootPath') },
    { id: 'view.inPlace', when: hasClips, run: () => display.toggle('inPlace') },
    { id: 'view.frontOnly', when: () => (models.scene?.meshes.length ?? 0) > 0, run: () => display.toggle('frontOnly') },
    { id: 'view.boneShape', run: display.turnBoneShape },
    { id: 'view.bonesLarger', run: () => display.scaleBones(BONE_SIZES.step) },
    { id: 'view.bonesSmaller', run: () => display.scaleBones(1 / BONE_SIZES.step) },
    { id: 'view.second', run: () => second.toggle() },
    { id: 'view.over', run: () => second.turn() },
    { id: 'view.fullScreen', run: () => layout.toggleFullScreen() },
    { id: 'view.helpers', when: () => (models.scene?.helpers.length ?? 0) > 0, run: () => display.toggle('helpers') },
    {
      id: 'view.heat',
      when: () => selection.current.joint >= 0 || display.chosen.heatJoint >= 0,
      run: () => display.heat(display.chosen.heatJoint >= 0 ? -1 : selection.current.joint),
    },
    { id: 'view.frame', run: () => layout.viewport?.frame() },
    { id: 'view.frameAll', run: () => layout.viewport?.frame('all') },
    { id: 'view.front', run: view('front') },
    { id: 'view.back', run: view('back') },
    { id: 'view.right', run: view('right') },
    { id: 'view.left', run: view('left') },
    { id: 'view.top', run: view('top') },
    { id: 'view.bottom', run: view('bottom') },
    { id: 'view.threeQuarter', run: view('three-quarter') },
    { id: 'view.parallel', run: () => layout.viewport?.toggleParallel() },
    { id: 'camera.left', run: turn(-1, 0) },
    { id: 'camera.right', run: turn(1, 0) },
    { id: 'camera.up', run: turn(0, 1) },
    { id: 'camera.down', run: turn(0, -1) },
    { id: 'camera.panLeft', run: pan(1, 0) },
    { id: 'camera.panRight', run: pan(-1, 0) },
    { id: 'camera.panUp', run: pan(0, 1) },
    { id: 'camera.panDown', run: pan(0, -1) },
    { id: 'camera.in', run: () => layout.viewport?.zoom(1 / ZOOM) },
    { id: 'camera.out', run: () => layout.viewport?.zoom(ZOOM) },
  ]
  return commands.map((command) => ({ ...command, when: () => hasModel() && (!command.when || command.when()) }))
}

/** What is said of keys with the picture. */
const HELP = [
  ['viewport.help.orbit', ['camera.left', 'camera.right', 'camera.up', 'camera.down']],
  ['viewport.help.move', ['camera.panLeft', 'camera.panRight', 'camera.panUp', 'camera.panDown']],
  ['viewport.help.zoom', ['camera.in', 'camera.out']],
  ['viewport.help.frames', ['view.frame']],
  ['viewport.help.views', ['view.front', 'view.right', 'view.top']],
] as const

/** Keys of the same commands for the tips in the picture, and for what a screen reader says of it. */
export function useViewKeys(): ComputedRef<ViewKeys> {
  const commands = useCommands()
  return computed(() => {
    const key = commands.shortcut
    return {
      wireframe: key('view.wireframe'),
      skeleton: key('view.skeleton'),
      names: key('view.names'),
      textures: key('view.textures'),
      lit: key('view.lit'),
      grid: key('view.grid'),
      helpers: key('view.helpers'),
      heat: key('view.heat'),
      follow: key('view.follow'),
      inPlace: key('view.inPlace'),
      frame: key('view.frameAll'),
      front: key('view.front'),
      back: key('view.back'),
      left: key('view.left'),
      right: key('view.right'),
      top: key('view.top'),
      bottom: key('view.bottom'),
      parallel: key('view.parallel'),
      'three-quarter': key('view.threeQuarter'),
      help: HELP.map(([text, ids]) => [text, ids.map(key).filter(Boolean).join(' ')] as const)
        .filter(([, keys]) => keys)
        .map(([text, keys]) => say(text, { keys }))
        .join(', '),
    }
  })
}
