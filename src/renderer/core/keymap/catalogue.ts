/**
 * Every command of the window: its group, where its key counts and its key in the preset *Marrow*. Its words are
 * `commands.<id>` of the texts; what it does is registered beside what it acts on.
 */
import type { english } from '../../../shared/texts/en/index.ts'
import { isText, say } from '../../../shared/texts/say.ts'

/** Where a key counts. `field` is a text that is being typed, `table` a list, tree or grid with the focus. */
export const SCOPES = ['window', 'picture', 'timeline', 'table', 'field'] as const
export type Scope = (typeof SCOPES)[number]

/** The scopes around each one: a key that is taken there may not mean something else inside. */
export const OUTER: Record<Scope, readonly Scope[]> = {
  window: [],
  picture: ['window'],
  timeline: ['window'],
  table: ['timeline', 'window'],
  field: ['table', 'timeline', 'picture', 'window'],
}

type CommandGroup = keyof typeof english.commandGroups

export interface CommandInfo {
  group: CommandGroup
  /** absent: the window */
  scope?: Scope
  keys?: readonly string[]
  /** runs the first of these that can run now and is meant, so that one key has one meaning: what was chosen last; they have no keys of their own */
  first?: readonly string[]
  /** its key also works while a text field has the focus, unless it is a key that types */
  inFields?: boolean
  /** text that is being typed counts: its field is left, and so commits, before the command runs */
  commits?: boolean
  /** not listed in the palette */
  hidden?: boolean
}

const table = {
  'app.palette': { group: 'marrow', keys: ['Mod+K', 'Mod+Shift+P'], inFields: true, hidden: true },
  'app.keys': { group: 'marrow', keys: ['Mod+Alt+K'], inFields: true },
  'app.theme': { group: 'marrow' },
  'file.open': { group: 'file', keys: ['Mod+O'], inFields: true },
  'file.openFiles': { group: 'file', keys: ['Mod+Shift+O'], inFields: true },
  'file.sample': { group: 'file' },
  'file.save': { group: 'file', keys: ['Mod+S'], inFields: true, commits: true },
  'file.saveAll': { group: 'file', keys: ['Mod+Alt+S'], inFields: true, commits: true },
  'export.glb': { group: 'file' },
  'export.gltf': { group: 'file' },
  'export.png': { group: 'file' },
  'file.close': { group: 'file', keys: ['Mod+W'] },
  'model.addFiles': { group: 'file' },
  'model.addAnimation': { group: 'file' },
  'help.firstSteps': { group: 'help' },
  'help.diagnostics': { group: 'help' },
  'edit.undo': { group: 'edit', keys: ['Mod+Z'] },
  'edit.adjust': { group: 'edit', keys: ['F9'], inFields: true },
  'edit.redo': { group: 'edit', keys: ['Mod+Shift+Z', 'Mod+Y'] },
  'edit.cut': { group: 'edit', keys: ['Mod+X'], first: ['outliner.take', 'key.cut'], hidden: true },
  'edit.copy': { group: 'edit', keys: ['Mod+C'], first: ['event.copy', 'key.copy'], hidden: true },
  'edit.paste': { group: 'edit', keys: ['Mod+V'], first: ['outliner.hang', 'event.paste', 'key.paste'], hidden: true },
  'edit.duplicate': {
    group: 'edit',
    keys: ['Mod+D'],
    first: ['point.duplicate', 'clip.duplicate', 'slice.duplicate'],
    hidden: true,
  },
  'edit.rename': { group: 'edit', keys: ['F2'], first: ['bone.rename', 'clip.rename', 'slice.rename'], inFields: true, hidden: true },
  'edit.moveUp': { group: 'edit', keys: ['Alt+ArrowUp'], first: ['clip.up', 'slice.up'], inFields: true, hidden: true },
  'edit.moveDown': { group: 'edit', keys: ['Alt+ArrowDown'], first: ['clip.down', 'slice.down'], inFields: true, hidden: true },
  'edit.delete': {
    group: 'edit',
    keys: ['Delete'],
    first: ['key.remove', 'point.remove', 'clip.remove', 'slice.remove'],
    hidden: true,
  },
  'edit.leave': {
    group: 'edit',
    keys: ['Escape'],
    first: ['outliner.letGo', 'weights.paint.end', 'key.none', 'edit.deselect'],
    hidden: true,
  },
  'edit.deselect': { group: 'edit', hidden: true },
  'bone.rename': { group: 'edit' },
  'library.show': { group: 'library', keys: ['Mod+Shift+L'] },
  'library.scan': { group: 'library' },
  'library.export': { group: 'library', keys: ['Mod+Shift+E'] },
  'library.rescan': { group: 'library' },
  'archive.new': { group: 'library' },
  'compare.show': { group: 'library', keys: ['Alt+Shift+8'], inFields: true },
  'library.lint': { group: 'library', keys: ['Alt+Shift+7'], inFields: true },
  'tab.next': { group: 'window', keys: ['Mod+PageDown', 'Mod+Tab'], inFields: true },
  'tab.closeOthers': { group: 'window' },
  'tab.closeAll': { group: 'window' },
  'tab.previous': { group: 'window', keys: ['Mod+PageUp', 'Mod+Shift+Tab'], inFields: true },
  'play.toggle': { group: 'play', keys: ['Space'] },
  'play.next': { group: 'play', keys: ['ArrowRight', '.'] },
  'play.previous': { group: 'play', keys: ['ArrowLeft', ','] },
  'play.start': { group: 'play', keys: ['Home'] },
  'play.end': { group: 'play', keys: ['End'] },
  'play.loop': { group: 'play', keys: ['L'] },
  'play.rest': { group: 'play', keys: ['0'] },
  'play.slice.next': { group: 'play', keys: ['PageDown'] },
  'play.slice.previous': { group: 'play', keys: ['PageUp'] },
  'view.wireframe': { group: 'show', keys: ['W'] },
  'view.skeleton': { group: 'show', keys: ['B'] },
  'view.names': { group: 'show', keys: ['N'] },
  'view.grid': { group: 'show', keys: ['Shift+G'] },
  'view.textures': { group: 'show', keys: ['T'] },
  'view.lit': { group: 'show', keys: ['Shift+L'] },
  'view.helpers': { group: 'show', keys: ['J'] },
  'view.heat': { group: 'show', keys: ['H'] },
  'view.follow': { group: 'show' },
  'view.inPlace': { group: 'show' },
  'view.rootPath': { group: 'show' },
  'view.frontOnly': { group: 'show', keys: ['Alt+Z'] },
  'view.boneShape': { group: 'show' },
  'view.bonesLarger': { group: 'show' },
  'view.bonesSmaller': { group: 'show' },
  'view.second': { group: 'show', keys: ['Y'] },
  'view.over': { group: 'show', keys: ['Shift+Y'] },
  'view.fullScreen': { group: 'show', keys: ['Shift+F11'], inFields: true },
  'view.frame': { group: 'show', keys: ['F'] },
  'view.frameAll': { group: 'show', keys: ['Shift+F'] },
  'view.front': { group: 'show', keys: ['1'] },
  'view.back': { group: 'show', keys: ['Shift+1'] },
  'view.right': { group: 'show', keys: ['3'] },
  'view.left': { group: 'show', keys: ['Shift+3'] },
  'view.top': { group: 'show', keys: ['7'] },
  'view.bottom': { group: 'show', keys: ['Shift+7'] },
  'view.threeQuarter': { group: 'show', keys: ['5'] },
  'view.parallel': { group: 'show', keys: ['Shift+5'] },
  'camera.left': { group: 'camera', keys: ['4'], hidden: true },
  'camera.right': { group: 'camera', keys: ['6'], hidden: true },
  'camera.up': { group: 'camera', keys: ['8'], hidden: true },
  'camera.down': { group: 'camera', keys: ['2'], hidden: true },
  'camera.panLeft': { group: 'camera', keys: ['Shift+ArrowLeft'], hidden: true },
  'camera.panRight': { group: 'camera', keys: ['Shift+ArrowRight'], hidden: true },
  'camera.panUp': { group: 'camera', keys: ['Shift+ArrowUp'], hidden: true },
  'camera.panDown': { group: 'camera', keys: ['Shift+ArrowDown'], hidden: true },
  'camera.in': { group: 'camera', keys: ['+', '='], hidden: true },
  'camera.out': { group: 'camera', keys: ['-', '_'], hidden: true },
  'view.viewport': { group: 'panel' },
  'view.outliner': { group: 'panel', keys: ['Alt+1'] },
  'view.files': { group: 'panel', keys: ['Alt+2'] },
  'view.timeline': { group: 'panel', keys: ['Alt+3'] },
  'view.inspector': { group: 'panel', keys: ['Alt+4'] },
  'view.structure': { group: 'panel', keys: ['Alt+5'] },
  'view.weights': { group: 'panel', keys: ['Alt+6'] },
  'view.problems': { group: 'panel', keys: ['Alt+7'] },
  'view.changes': { group: 'panel', keys: ['Alt+8'] },
  'view.history': { group: 'panel', keys: ['Alt+9'] },
  'view.texture': { group: 'panel', keys: ['Alt+0'] },
  'view.poses': { group: 'panel', keys: ['Alt+P'] },
  'view.closePanel': { group: 'panel' },
  'view.resetLayout': { group: 'panel' },
  'mod.show': { group: 'mod', keys: ['Mod+Shift+M'], inFields: true },
  'modPackage.export': { group: 'mod' },
  'modPackage.exportModel': { group: 'mod' },
  'modPackage.build': { group: 'mod' },
  'import.animations': { group: 'file' },
  'import.animation': { group: 'file' },
  'clip.retarget': { group: 'clip' },
  'clip.new': { group: 'clip' },
  'clip.fromPose': { group: 'clip' },
  'clip.fromRange': { group: 'clip' },
  'clip.duplicate': { group: 'clip' },
  'clip.copyKeys': { group: 'clip' },
  'clip.rename': { group: 'clip' },
  'clip.remove': { group: 'clip' },
  'clip.vacate': { group: 'clip' },
  'clip.up': { group: 'clip' },
  'clip.down': { group: 'clip' },
  'clip.split': { group: 'clip' },
  'clip.join': { group: 'clip' },
  'clip.unpack': { group: 'clip' },
  'clip.merge': { group: 'clip' },
  'clip.moveTo': { group: 'clip' },
  'link.start': { group: 'file' },
  'link.stop': { group: 'file' },
  'texture.replace': { group: 'texture' },
  'texture.save': { group: 'texture' },
  'library.search': { group: 'library', keys: ['/', 'Mod+F'] },
  'key.tools': { group: 'keys', keys: ['Shift+T'] },
  'key.cut': { group: 'keys' },
  'key.smooth': { group: 'keys' },
  'key.reduce': { group: 'keys' },
  'key.snap': { group: 'keys' },
  'key.mirror': { group: 'keys', keys: ['Shift+M'] },
  'key.loop': { group: 'keys' },
  'key.cycle': { group: 'keys' },
  'key.inPlace': { group: 'keys' },
  'key.insert': { group: 'keys', keys: ['I'] },
  'key.remove': { group: 'keys' },
  'key.copy': { group: 'keys' },
  'key.paste': { group: 'keys' },
  'key.left': { group: 'keys', keys: ['Mod+ArrowLeft'] },
  'key.right': { group: 'keys', keys: ['Mod+ArrowRight'] },
  'key.reverse': { group: 'keys' },
  'key.stretch': { group: 'keys' },
  'key.all': { group: 'keys', keys: ['Mod+A'] },
  'key.none': { group: 'keys', hidden: true },
  'slice.add': { group: 'slice', keys: ['Alt+A'] },
  'slice.rename': { group: 'slice' },
  'slice.duplicate': { group: 'slice' },
  'slice.remove': { group: 'slice' },
  'slice.up': { group: 'slice' },
  'slice.down': { group: 'slice' },
  'slice.replaceWindow': { group: 'slice' },
  'slice.extract': { group: 'slice' },
  'marker.add': { group: 'timeline', keys: ['M'] },
  'marker.next': { group: 'timeline', keys: ['Alt+PageDown'] },
  'marker.previous': { group: 'timeline', keys: ['Alt+PageUp'] },
  'event.copy': { group: 'timeline', scope: 'timeline', hidden: true },
  'event.paste': { group: 'timeline', scope: 'timeline', hidden: true },
  'timeline.curves': { group: 'timeline', keys: ['C'] },
  'timeline.check': { group: 'timeline', keys: ['Alt+D'] },
  'timeline.onlyChosen': { group: 'timeline', keys: ['Shift+C'] },
  'timeline.fit': { group: 'timeline' },
  'timeline.fitSlice': { group: 'timeline' },
  'weights.paint': { group: 'weights', keys: ['V'] },
  'weights.paint.end': { group: 'weights', hidden: true },
  'weights.paint.mode': { group: 'weights', keys: ['D'] },
  'weights.paint.smaller': { group: 'weights', keys: ['['] },
  'weights.paint.larger': { group: 'weights', keys: [']'] },
  'weights.paint.weaker': { group: 'weights', keys: ['{'] },
  'weights.paint.stronger': { group: 'weights', keys: ['}'] },
  'weights.paint.mirror': { group: 'weights', keys: ['S'] },
  'weights.normalise': {
    group: 'weights',
    scope: 'table',
    keys: ['Shift+N'],
    hidden: true,
  },
  'weights.add': { group: 'weights', scope: 'table', keys: ['Insert'], hidden: true },
  'app.settings': { group: 'marrow', keys: ['Mod+,'], inFields: true },
  'pose.select': { group: 'pose', keys: ['Q'] },
  'pose.move': { group: 'pose', keys: ['G'] },
  'pose.rotate': { group: 'pose', keys: ['R'] },
  'pose.grab': { group: 'pose' },
  'pose.turn': { group: 'pose' },
  'pose.reach': { group: 'pose', keys: ['E'] },
  'pose.pin': { group: 'pose', keys: ['Shift+P'] },
  'pose.unpin': { group: 'pose' },
  'pose.follow': { group: 'pose' },
  'pose.longer': { group: 'pose', keys: ['Alt+]'] },
  'pose.shorter': { group: 'pose', keys: ['Alt+['] },
  'pose.copy': { group: 'pose', keys: ['Alt+C'] },
  'pose.paste': { group: 'pose', keys: ['Alt+V'] },
  'pose.pasteMirrored': { group: 'pose', keys: ['Alt+Shift+V'] },
  'pose.toRest': { group: 'pose', keys: ['Alt+R'] },
  'pose.toOriginal': { group: 'pose' },
  'pose.between': { group: 'pose', keys: ['Shift+E'] },
  'pose.push': { group: 'pose' },
  'pose.hold': { group: 'pose' },
  'pose.space': { group: 'pose', keys: ['X'] },
  'pose.key': { group: 'pose', keys: ['K'] },
  'pose.auto': { group: 'pose', keys: ['Shift+K'] },
  'pose.range': { group: 'pose', keys: ['Alt+K'] },
  'pose.keep-skin': { group: 'pose' },
  'pose.onion': { group: 'pose', keys: ['O'] },
  'pose.trail': { group: 'pose', keys: ['P'] },
  'point.add': { group: 'points', keys: ['Shift+A'] },
  'point.duplicate': { group: 'points' },
  'point.remove': { group: 'points' },
  'outliner.take': { group: 'outliner', scope: 'table', hidden: true },
  'outliner.hang': { group: 'outliner', scope: 'table', hidden: true },
  'outliner.letGo': { group: 'outliner', scope: 'table', hidden: true },
} as const satisfies Record<string, CommandInfo>

export type CommandId = keyof typeof table

export const catalogue: Readonly<Record<CommandId, CommandInfo>> = table
export const commandIds = Object.keys(table) as CommandId[]

export function isCommandId(id: string): id is CommandId {
  return Object.hasOwn(table, id)
}

/** What a command is called. */
export function titleOf(id: CommandId): string {
  return say(`commands.${id}`)
}

/** What else a command is found by, '' for most. */
export function aliasesOf(id: CommandId): string {
  const key = `commandAliases.${id}`
  return isText(key) ? say(key) : ''
}

/** What a command is listed under. */
export function groupOf(id: CommandId): string {
  return say(`commandGroups.${catalogue[id].group}`)
}
