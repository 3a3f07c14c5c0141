/** Every command of the window: its words, where its key counts and its key in the preset *Marrow*. What it does is registered beside what it acts on. */

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

export interface CommandInfo {
  title: string
  group: string
  /** absent: the window */
  scope?: Scope
  keys?: readonly string[]
  /** runs the first of these that can run now, so that one key has one meaning; they have no keys of their own */
  first?: readonly string[]
  /** its key also works while a text field has the focus, unless it is a key that types */
  inFields?: boolean
  /** text that is being typed counts: its field is left, and so commits, before the command runs */
  commits?: boolean
  /** not listed in the palette */
  hidden?: boolean
}

const table = {
  'app.palette': { title: 'Show all commands', group: 'Marrow', keys: ['Mod+K', 'Mod+Shift+P'], inFields: true, hidden: true },
  'app.keys': { title: 'Keyboard shortcuts', group: 'Marrow', keys: ['Mod+Alt+K'], inFields: true },
  'app.theme': { title: 'Switch light and dark', group: 'Marrow' },
  'file.open': { title: 'Open folder…', group: 'File', keys: ['Mod+O'], inFields: true },
  'file.openFiles': { title: 'Open files…', group: 'File', keys: ['Mod+Shift+O'], inFields: true },
  'file.sample': { title: 'Open the sample library', group: 'File' },
  'file.save': { title: 'Save', group: 'File', keys: ['Mod+S'], inFields: true, commits: true },
  'export.glb': { title: 'Export as GLB…', group: 'File' },
  'export.gltf': { title: 'Export as glTF…', group: 'File' },
  'export.png': { title: 'Export textures as PNG…', group: 'File' },
  'file.close': { title: 'Close model', group: 'File', keys: ['Mod+W'] },
  'help.diagnostics': { title: 'Save diagnostics…', group: 'Help' },
  'edit.undo': { title: 'Undo', group: 'Edit', keys: ['Mod+Z'] },
  'edit.adjust': { title: 'Adjust the last operation', group: 'Edit', keys: ['F9'], inFields: true },
  'edit.redo': { title: 'Redo', group: 'Edit', keys: ['Mod+Shift+Z', 'Mod+Y'] },
  'edit.cut': { title: 'Cut', group: 'Edit', keys: ['Mod+X'], first: ['outliner.take', 'key.cut'], hidden: true },
  'edit.copy': { title: 'Copy', group: 'Edit', keys: ['Mod+C'], first: ['event.copy', 'key.copy'], hidden: true },
  'edit.paste': { title: 'Paste', group: 'Edit', keys: ['Mod+V'], first: ['outliner.hang', 'event.paste', 'key.paste'], hidden: true },
  'edit.duplicate': {
    title: 'Duplicate what is chosen',
    group: 'Edit',
    keys: ['Mod+D'],
    first: ['point.duplicate', 'slice.duplicate'],
    hidden: true,
  },
  'edit.delete': {
    title: 'Delete what is chosen',
    group: 'Edit',
    keys: ['Delete'],
    first: ['key.remove', 'point.remove', 'slice.remove'],
    hidden: true,
  },
  'edit.leave': {
    title: 'Let go: stop painting, choose no keys, clear the selection',
    group: 'Edit',
    keys: ['Escape'],
    first: ['outliner.letGo', 'weights.paint.end', 'key.none', 'edit.deselect'],
    hidden: true,
  },
  'edit.deselect': { title: 'Clear the selection', group: 'Edit', hidden: true },
  'library.show': { title: 'Show the library', group: 'Library', keys: ['Mod+Shift+L'] },
  'library.scan': { title: 'Scan for changes', group: 'Library' },
  'library.export': { title: 'Export the models that are shown…', group: 'Library', keys: ['Mod+Shift+E'] },
  'library.rescan': { title: 'Scan everything again', group: 'Library' },
  'tab.next': { title: 'Next tab', group: 'Window', keys: ['Mod+PageDown', 'Mod+Tab'], inFields: true },
  'tab.previous': { title: 'Previous tab', group: 'Window', keys: ['Mod+PageUp', 'Mod+Shift+Tab'], inFields: true },
  'play.toggle': { title: 'Play or pause', group: 'Play', keys: ['Space'] },
  'play.next': { title: 'Next frame', group: 'Play', keys: ['ArrowRight', '.'] },
  'play.previous': { title: 'Previous frame', group: 'Play', keys: ['ArrowLeft', ','] },
  'play.start': { title: 'First frame', group: 'Play', keys: ['Home'] },
  'play.end': { title: 'Last frame', group: 'Play', keys: ['End'] },
  'play.loop': { title: 'Loop', group: 'Play', keys: ['L'] },
  'play.rest': { title: 'Show the bind pose', group: 'Play', keys: ['0'] },
  'play.slice.next': { title: 'Next slice', group: 'Play', keys: ['PageDown'] },
  'play.slice.previous': { title: 'Previous slice', group: 'Play', keys: ['PageUp'] },
  'view.wireframe': { title: 'Wireframe', group: 'Show', keys: ['W'] },
  'view.skeleton': { title: 'Skeleton', group: 'Show', keys: ['B'] },
  'view.names': { title: 'Names of bones', group: 'Show', keys: ['N'] },
  'view.grid': { title: 'Grid', group: 'Show', keys: ['Shift+G'] },
  'view.textures': { title: 'Textures', group: 'Show', keys: ['T'] },
  'view.lit': { title: 'Light', group: 'Show', keys: ['Shift+L'] },
  'view.helpers': { title: 'Boxes and helpers', group: 'Show', keys: ['J'] },
  'view.heat': { title: 'Weights of the chosen bone', group: 'Show', keys: ['H'] },
  'view.frame': { title: 'Frame the selection', group: 'Show', keys: ['F'] },
  'view.frameAll': { title: 'Frame the model', group: 'Show', keys: ['Shift+F'] },
  'view.front': { title: 'View from the front', group: 'Show', keys: ['1'] },
  'view.back': { title: 'View from the back', group: 'Show', keys: ['Shift+1'] },
  'view.right': { title: 'View from the right', group: 'Show', keys: ['3'] },
  'view.left': { title: 'View from the left', group: 'Show', keys: ['Shift+3'] },
  'view.top': { title: 'View from the top', group: 'Show', keys: ['7'] },
  'view.bottom': { title: 'View from below', group: 'Show', keys: ['Shift+7'] },
  'view.threeQuarter': { title: 'Three-quarter view', group: 'Show', keys: ['5'] },
  'camera.left': { title: 'Orbit to the left', group: 'Camera', keys: ['4'], hidden: true },
  'camera.right': { title: 'Orbit to the right', group: 'Camera', keys: ['6'], hidden: true },
  'camera.up': { title: 'Orbit up', group: 'Camera', keys: ['8'], hidden: true },
  'camera.down': { title: 'Orbit down', group: 'Camera', keys: ['2'], hidden: true },
  'camera.panLeft': { title: 'Move the picture to the right', group: 'Camera', keys: ['Shift+ArrowLeft'], hidden: true },
  'camera.panRight': { title: 'Move the picture to the left', group: 'Camera', keys: ['Shift+ArrowRight'], hidden: true },
  'camera.panUp': { title: 'Move the picture down', group: 'Camera', keys: ['Shift+ArrowUp'], hidden: true },
  'camera.panDown': { title: 'Move the picture up', group: 'Camera', keys: ['Shift+ArrowDown'], hidden: true },
  'camera.in': { title: 'Zoom in', group: 'Camera', keys: ['+', '='], hidden: true },
  'camera.out': { title: 'Zoom out', group: 'Camera', keys: ['-', '_'], hidden: true },
  'view.viewport': { title: 'Viewport', group: 'Panel' },
  'view.outliner': { title: 'Outliner', group: 'Panel', keys: ['Alt+1'] },
  'view.files': { title: 'Library', group: 'Panel', keys: ['Alt+2'] },
  'view.timeline': { title: 'Timeline', group: 'Panel', keys: ['Alt+3'] },
  'view.inspector': { title: 'Inspector', group: 'Panel', keys: ['Alt+4'] },
  'view.structure': { title: 'Structure', group: 'Panel', keys: ['Alt+5'] },
  'view.weights': { title: 'Weights', group: 'Panel', keys: ['Alt+6'] },
  'view.problems': { title: 'Problems', group: 'Panel', keys: ['Alt+7'] },
  'view.changes': { title: 'Changes', group: 'Panel', keys: ['Alt+8'] },
  'view.history': { title: 'History', group: 'Panel', keys: ['Alt+9'] },
  'view.resetLayout': { title: 'Reset the panels', group: 'Panel' },
  'patch.export': { title: 'Export the changes of the library as a patch…', group: 'Mod' },
  'patch.exportModel': { title: 'Export the changes of this model as a patch…', group: 'Mod' },
  'patch.build': { title: 'Build the mod folder from a patch…', group: 'Mod' },
  'import.animations': { title: 'Import animations from glTF, by name…', group: 'File' },
  'import.animation': { title: 'Import an animation from glTF into what is shown…', group: 'File' },
  'texture.replace': { title: 'Replace the texture from PNG…', group: 'Texture' },
  'texture.save': { title: 'Save the texture as PNG', group: 'Texture' },
  'library.search': { title: 'Search the library', group: 'Library', keys: ['/', 'Mod+F'] },
  'key.tools': { title: 'Tools on keys', group: 'Keys', keys: ['Shift+T'] },
  'key.cut': { title: 'Cut the chosen keys', group: 'Keys' },
  'key.smooth': { title: 'Smooth keys', group: 'Keys' },
  'key.reduce': { title: 'Reduce keys', group: 'Keys' },
  'key.snap': { title: 'Snap keys to frames', group: 'Keys' },
  'key.mirror': { title: 'Mirror left and right', group: 'Keys', keys: ['Shift+M'] },
  'key.loop': { title: 'Make the end meet the start', group: 'Keys' },
  'key.inPlace': { title: 'Walk in place: take out the travel', group: 'Keys' },
  'key.insert': { title: 'Insert keys at the playhead', group: 'Keys', keys: ['I'] },
  'key.remove': { title: 'Delete the chosen keys', group: 'Keys' },
  'key.copy': { title: 'Copy the chosen keys', group: 'Keys' },
  'key.paste': { title: 'Paste keys at the playhead', group: 'Keys' },
  'key.left': { title: 'Move the chosen keys one frame earlier', group: 'Keys', keys: ['Mod+ArrowLeft'] },
  'key.right': { title: 'Move the chosen keys one frame later', group: 'Keys', keys: ['Mod+ArrowRight'] },
  'key.reverse': { title: 'Reverse the chosen keys in time', group: 'Keys' },
  'key.stretch': { title: 'Scale the chosen keys so that they end at the playhead', group: 'Keys' },
  'key.all': { title: 'Choose all keys', group: 'Keys', keys: ['Mod+A'] },
  'key.none': { title: 'Choose no keys', group: 'Keys', hidden: true },
  'slice.add': { title: 'Add slice', group: 'Slice', keys: ['Alt+A'] },
  'slice.rename': { title: 'Rename slice', group: 'Slice', keys: ['F2'], inFields: true },
  'slice.duplicate': { title: 'Duplicate slice', group: 'Slice' },
  'slice.remove': { title: 'Delete slice', group: 'Slice' },
  'slice.up': { title: 'Move slice up', group: 'Slice', keys: ['Alt+ArrowUp'], inFields: true },
  'slice.down': { title: 'Move slice down', group: 'Slice', keys: ['Alt+ArrowDown'], inFields: true },
  'slice.extract': { title: 'Extract slice as an animation file', group: 'Slice' },
  'marker.add': { title: 'Add a marker at the playhead', group: 'Timeline', keys: ['M'] },
  'marker.next': { title: 'To the next marker', group: 'Timeline', keys: ['Alt+PageDown'] },
  'marker.previous': { title: 'To the marker before', group: 'Timeline', keys: ['Alt+PageUp'] },
  'event.copy': { title: 'Copy the event', group: 'Timeline', scope: 'timeline', hidden: true },
  'event.paste': { title: 'Paste the event at the playhead', group: 'Timeline', scope: 'timeline', hidden: true },
  'timeline.curves': { title: 'Curves', group: 'Timeline', keys: ['C'] },
  'timeline.fit': { title: 'Fit the timeline', group: 'Timeline' },
  'timeline.fitSlice': { title: 'Fit the chosen slice', group: 'Timeline' },
  'weights.paint': { title: 'Paint weights', group: 'Weights', keys: ['V'] },
  'weights.paint.end': { title: 'Stop painting', group: 'Weights', hidden: true },
  'weights.paint.mode': { title: 'Brush: next mode', group: 'Weights', keys: ['D'] },
  'weights.paint.smaller': { title: 'Brush: smaller', group: 'Weights', keys: ['['] },
  'weights.paint.larger': { title: 'Brush: larger', group: 'Weights', keys: [']'] },
  'weights.paint.weaker': { title: 'Brush: weaker', group: 'Weights', keys: ['{'] },
  'weights.paint.stronger': { title: 'Brush: stronger', group: 'Weights', keys: ['}'] },
  'weights.paint.mirror': { title: 'Brush: both sides', group: 'Weights', keys: ['S'] },
  'weights.normalise': {
    title: 'Normalise the weights of the chosen vertex',
    group: 'Weights',
    scope: 'table',
    keys: ['Shift+N'],
    hidden: true,
  },
  'weights.add': { title: 'Add a weight to the chosen vertex', group: 'Weights', scope: 'table', keys: ['Insert'], hidden: true },
  'app.settings': { title: 'Settings', group: 'Marrow', keys: ['Mod+,'], inFields: true },
  'pose.select': { title: 'Choose with the pointer', group: 'Pose', keys: ['Q'] },
  'pose.move': { title: 'Move the chosen bone or point', group: 'Pose', keys: ['G'] },
  'pose.rotate': { title: 'Turn the chosen bone', group: 'Pose', keys: ['R'] },
  'pose.space': { title: 'Axes of the handles: local, parent, world', group: 'Pose', keys: ['X'] },
  'pose.key': { title: 'Key the pose at the playhead', group: 'Pose', keys: ['K'] },
  'pose.auto': { title: 'Key poses at once', group: 'Pose', keys: ['Shift+K'] },
  'pose.keep-skin': { title: 'Skin stays where bones are moved at rest', group: 'Pose' },
  'pose.onion': { title: 'Onion skin', group: 'Pose', keys: ['O'] },
  'pose.trail': { title: 'Way of the chosen bone', group: 'Pose', keys: ['P'] },
  'point.add': { title: 'Add a point under the pointer, or at the chosen bone', group: 'Points', keys: ['Shift+A'] },
  'point.duplicate': { title: 'Duplicate the chosen point', group: 'Points' },
  'point.remove': { title: 'Delete the chosen point', group: 'Points' },
  'outliner.take': { title: 'Take the chosen bone', group: 'Outliner', scope: 'table', hidden: true },
  'outliner.hang': { title: 'Hang the taken bone below the chosen one', group: 'Outliner', scope: 'table', hidden: true },
  'outliner.letGo': { title: 'Let the taken bone go', group: 'Outliner', scope: 'table', hidden: true },
} as const satisfies Record<string, CommandInfo>

export type CommandId = keyof typeof table

export const catalogue: Readonly<Record<CommandId, CommandInfo>> = table
export const commandIds = Object.keys(table) as CommandId[]

export function isCommandId(id: string): id is CommandId {
  return Object.hasOwn(table, id)
}
