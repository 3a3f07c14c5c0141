/** What can be done with a part of the shown model, wherever its row or its picture is. The part is the chosen one: commands are about that. */
import type { SourceRef } from '../../../shared/scene/types.ts'
import { say } from '../../../shared/texts/say.ts'
import { groupKey } from '../../viewport/types.ts'
import { useClipList } from '../clip-list.ts'
import { useCommands } from '../commands/registry.ts'
import { useDisplay } from '../display.ts'
import { useGiving } from '../giving.ts'
import { useInspect } from '../inspect.ts'
import { useLayout } from '../layout.ts'
import { useModels } from '../models.ts'
import { usePlayback } from '../playback.ts'
import { usePoints } from '../points.ts'
import { withThoseBelow } from '../reparent.ts'
import { useSelection } from '../selection.ts'
import type { MenuEntry } from './context-menu.ts'
import { useFileEntries } from './file-entries.ts'

/** What is done with one of a list of clips. */
const OF_CLIPS = [
  'clip.rename',
  'clip.duplicate',
  { command: 'clip.remove', danger: true },
  'line',
  'clip.up',
  'clip.down',
  'clip.split',
  'clip.join',
  'clip.unpack',
  'clip.moveTo',
] as const satisfies readonly MenuEntry[]

export function useModelEntries() {
  const list = useClipList()
  const commands = useCommands()
  const models = useModels()
  const selection = useSelection()
  const playback = usePlayback()
  const display = useDisplay()
  const layout = useLayout()
  const inspect = useInspect()
  const points = usePoints()
  const giving = useGiving()
  const files = useFileEntries()

  /** What every part has: its place in the file, its name. */
  function common(name: string, source: SourceRef | undefined): MenuEntry[] {
    return ['line', ...(source ? files.structure(source.ref, source.path) : []), files.copyName(name)]
  }

  function joint(index: number): MenuEntry[] {
    const skeleton = models.scene?.skeleton
    if (skeleton?.names[index] === undefined) return []
    const can = models.info?.abilities.skeleton
    const below = withThoseBelow(skeleton.parents, index)
    const entries: MenuEntry[] = ['view.frame']
    if (below.size > 1) entries.push({ label: say('menu.chooseBelow'), run: () => selection.chooseJoints([...below]) })
    entries.push('line')
    if (can?.rename)
      entries.push({ label: say('menu.rename'), keystroke: commands.shortcut('bone.rename'), run: () => inspect.askFor('name') })
    if (can?.reparent) entries.push({ label: say('menu.chooseParent'), run: () => inspect.askFor('parent') })
    entries.push(
      'outliner.take',
      'outliner.hang',
      'outliner.letGo',
      'line',
      'pose.move',
      'pose.rotate',
      'pose.reach',
      'pose.pin',
      'pose.key',
      'line',
    )
    if (points.places.length > 0) entries.push({ label: say('inspector.bone.addPoint'), run: () => points.addAtJoint(index) })
    if (models.scene!.skins.length > 0) entries.push({ command: 'view.heat', checked: display.chosen.heatJoint >= 0 })
    entries.push(...common(skeleton.names[index], skeleton.sources[index]))
    return entries
  }

  /** Meshes that the user has hidden come back by this. */
  function hiddenMeshes(): MenuEntry[] {
    const { hiddenMeshes = [], hiddenGroups = [] } = display.options
    return hiddenMeshes.length + hiddenGroups.length > 0 ? [{ label: say('menu.showAllMeshes'), run: display.showAllMeshes }] : []
  }

  /** @param group of the mesh, where one of several is meant */
  function mesh(index: number, group = -1): MenuEntry[] {
    const found = models.scene?.meshes[index]
    if (!found) return []
    const { hiddenMeshes: hidden = [], hiddenGroups = [] } = display.options
    const entries: MenuEntry[] = [
      'view.frame',
      'line',
      { label: say(hidden.includes(index) ? 'menu.showMesh' : 'menu.hideMesh'), run: () => display.toggleMesh(index) },
    ]
    if (group >= 0 && found.groups.length > 1)
      entries.push({
        label: say(hiddenGroups.includes(groupKey(index, group)) ? 'menu.showSubmesh' : 'menu.hideSubmesh'),
        run: () => display.toggleGroup(index, group),
      })
    if (models.scene!.meshes.length > 1) entries.push({ label: say('menu.showOnlyMesh'), run: () => display.showOnlyMesh(index) })
    entries.push(...hiddenMeshes(), 'line')
    if (found.skin >= 0) entries.push({ label: say('inspector.vertex.editWeights'), run: () => layout.showPanel('weights') })
    const material = found.groups[Math.max(0, group)]?.material ?? -1
    if (models.scene!.materials[material]) entries.push({ label: say('menu.toMaterial'), run: () => selection.material(material) })
    entries.push(...common(found.name, found.groups[group]?.source ?? found.source))
    return entries
  }

  function material(index: number): MenuEntry[] {
    const found = models.scene?.materials[index]
    if (!found) return []
    const entries: MenuEntry[] = ['texture.replace', 'texture.save']
    if (models.scene!.textures[found.texture]) entries.push({ label: say('menu.toTexture'), run: () => selection.texture(found.texture) })
    return [...entries, ...common(found.name, found.source)]
  }

  /** @param inViewer where it is shown large already */
  function texture(index: number, inViewer = false): MenuEntry[] {
    const found = models.scene?.textures[index]
    if (!found) return []
    const entries: MenuEntry[] = ['texture.replace', 'texture.save']
    if (!found.missing && !inViewer) entries.unshift({ label: say('textures.viewTip'), run: () => layout.showPanel('texture') })
    if (found.missing) entries.push({ label: say('giving.locate'), run: () => giving.pick('textures') })
    entries.push(...common(found.name, found.source))
    if (found.source.ref) entries.push(...files.file(found.source.ref))
    return entries
  }

  function clip(index: number): MenuEntry[] {
    const found = models.scene?.clips[index]
    if (!found) return []
    return [
      {
        label: say('menu.play'),
        run() {
          playback.chooseClip(index)
          playback.play()
        },
      },
      'line',
      // games that keep their motions as slices edit these: of the clip itself there is nothing then
      ...(list.of === 'clips' ? OF_CLIPS : []),
      'line',
      'import.animation',
      'clip.retarget',
      'export.glb',
      'export.gltf',
      ...common(found.name, found.source),
      ...(found.source.ref ? files.file(found.source.ref) : []),
    ]
  }

  function helper(index: number): MenuEntry[] {
    const found = models.scene?.helpers[index]
    if (!found) return []
    const bone = models.scene!.skeleton.names[found.joint]
    return [
      'view.frame',
      'line',
      'pose.move',
      'point.duplicate',
      { command: 'point.remove', danger: true },
      'line',
      ...(bone === undefined ? [] : [{ label: say('menu.toBone'), run: () => selection.joint(found.joint) }]),
      ...common(found.name, found.source),
    ]
  }

  /** A file of the shown model. */
  function file(ref: string): MenuEntry[] {
    const found = models.info?.files.find((own) => own.ref === ref)
    if (!found) return []
    const entries: MenuEntry[] = [...files.structure(ref)]
    if (found.dirty)
      entries.push(
        { label: say('menu.showChanges'), run: () => layout.showPanel('changes') },
        {
          label: say('changes.detail.restoreFile'),
          run: () => models.edit('changes.restore', { ref, part: { kind: 'file' }, revision: models.info?.revision }),
        },
      )
    entries.push('line', 'model.addFiles')
    if (found.why !== 'self') entries.push({ label: say('menu.notOfModel'), run: () => models.bind(found.role, ref, true) })
    return [...entries, 'line', ...files.file(ref)]
  }

  return { joint, mesh, hiddenMeshes, material, texture, clip, helper, file }
}
