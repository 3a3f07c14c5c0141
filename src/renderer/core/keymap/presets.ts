/**
 * Default keys of other programs where Marrow has the same command; everything else is as in the preset *Marrow*, moved aside where the other
 * program has its key for something. Blender: its default keymap (`keymap_data/blender_default.py`: Frames, 3D View, Outliner,
 * Animation), whose keys of the number pad are taken as the digits' own. Blockbench: the `keybind` of its tools and actions.
 */
import type { KeyPreset } from '../../../shared/api/settings.ts'
import { catalogue, commandIds, type CommandId } from './catalogue.ts'

type Keys = Partial<Record<CommandId, readonly string[]>>

const blender: Keys = {
  'app.palette': ['F3', 'Mod+K', 'Mod+Shift+P'],
  'edit.redo': ['Mod+Shift+Z'],
  'edit.duplicate': ['Shift+D'],
  'edit.delete': ['Delete', 'X'],
  'edit.leave': ['Escape', 'Alt+A'],
  'key.all': ['A'],
  'slice.add': ['Alt+Insert'],
  'play.next': ['ArrowRight'],
  'play.previous': ['ArrowLeft'],
  'play.start': ['Shift+ArrowLeft'],
  'play.end': ['Shift+ArrowRight'],
  'pose.select': ['W'],
  // its keys move and turn at once; the handles are its tools, which the bar has
  'pose.grab': ['G'],
  'pose.turn': ['R'],
  'pose.move': ['Alt+Shift+G'],
  'pose.rotate': ['Alt+Shift+R'],
  'pose.space': [','],
  'view.frame': ['.', 'F'],
  'view.frameAll': ['Home'],
  'view.wireframe': ['Shift+Z'],
  'view.back': ['Mod+1', 'Shift+1'],
  'view.left': ['Mod+3', 'Shift+3'],
  'view.bottom': ['Mod+7', 'Shift+7'],
  'camera.panLeft': ['Mod+4'],
  'camera.panRight': ['Mod+6'],
  'camera.panUp': ['Mod+8'],
  'camera.panDown': ['Mod+2'],
}

const blockbench: Keys = {
  'app.palette': ['F', 'Mod+K', 'Mod+Shift+P'],
  // Blockbench's "add keyframe" adds a key to the pose of the chosen bone
  'pose.key': ['Q'],
  'pose.select': ['Shift+Q'],
  'view.frame': ['Alt+F'],
  'pose.move': ['V'],
  'weights.paint': ['Shift+V'],
  'view.wireframe': ['Z'],
  'marker.add': ['Mod+M'],
  'edit.redo': ['Mod+Y', 'Mod+Shift+Z'],
}

export const PRESETS: Record<KeyPreset, Keys> = {
  marrow: {},
  blender,
  blockbench,
}

/** Keys of a command before the user changed any. */
export function defaultKeys(preset: KeyPreset, id: CommandId): readonly string[] {
  return PRESETS[preset][id] ?? catalogue[id].keys ?? []
}

/** Keys of every command: the user's own where there are some, else those of the preset. */
export function keysOf(preset: KeyPreset, changed: Readonly<Record<string, readonly string[]>>): Map<CommandId, readonly string[]> {
  return new Map(commandIds.map((id) => [id, Object.hasOwn(changed, id) ? changed[id] : defaultKeys(preset, id)]))
}
