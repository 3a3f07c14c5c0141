/** The window's own commands. Panels register theirs beside what they act on. Ids are what the host's menus send. */
import { patchCommands } from '../features/changes/patch-commands.ts'
import { useDiagnostics } from '../features/help/diagnostics.ts'
import { textureCommands } from '../features/textures/texture-commands.ts'
import { useAdjust } from '../core/adjust.ts'
import { useBatchExport } from '../features/export/batch-export.ts'
import { useDisplay } from '../core/display.ts'
import { EXPORT_FORMS, useExport } from '../features/export/export.ts'
import { useLayout } from '../core/layout.ts'
import { useLibrary } from '../core/library.ts'
import { useModels } from '../core/models.ts'
import { useOpening } from '../core/opening.ts'
import { usePlayback } from '../core/playback.ts'
import { useSelection } from '../core/selection.ts'
import { useSession } from '../core/session.ts'
import { importCommands } from '../features/export/import-commands.ts'
import { useCommands } from '../core/commands/registry.ts'

export function installCommands(actions: { openFolder: () => Promise<void> }): () => void {
  const commands = useCommands()
  const session = useSession()
  const library = useLibrary()
  const models = useModels()
  const playback = usePlayback()
  const selection = useSelection()
  const display = useDisplay()
  const layout = useLayout()
  const adjust = useAdjust()
  const exporting = useExport()
  const batch = useBatchExport()
  const opening = useOpening()
  const diagnostics = useDiagnostics()

  const hasModel = (): boolean => models.page === 'model' && models.active !== null
  const hasClip = (): boolean => hasModel() && playback.clip !== null
  const nextTab = (by: number): void => {
    const at = models.page === 'library' ? -1 : models.open.findIndex((m) => m.id === models.activeId)
    const n = models.open.length + 1
    const to = ((at + 1 + by + n) % n) - 1
    if (to < 0) models.showLibrary()
    else models.show(models.open[to].id)
  }

  return commands.register([
    {
      id: 'app.palette',
      title: 'Show all commands',
      group: 'Marrow',
      keys: ['Mod+K', 'Mod+Shift+P'],
      inFields: true,
      hidden: true,
      run: () => (commands.paletteOpen = true),
    },
    {
      id: 'app.theme',
      title: 'Switch light and dark',
      group: 'Marrow',
      run: () => session.change({ theme: session.theme === 'dark' ? 'light' : 'dark' }),
    },

    { id: 'file.open', title: 'Open folder…', group: 'File', keys: ['Mod+O'], inFields: true, run: actions.openFolder },
    { id: 'file.openFiles', title: 'Open files…', group: 'File', keys: ['Mod+Shift+O'], inFields: true, run: opening.pick },
    {
      id: 'file.sample',
      title: 'Open the sample library',
      group: 'File',
      run: async () => (await library.openSample()) && models.showLibrary(),
    },
    {
      id: 'file.save',
      title: 'Save',
      group: 'File',
      keys: ['Mod+S'],
      inFields: true,
      commits: true,
      when: () => hasModel() && (models.info!.dirty || models.saving || models.pending > 0),
      run: () => models.save(),
    },
    ...EXPORT_FORMS.map(({ value }) => ({
      id: `export.${value}`,
      title: value === 'png' ? 'Export textures as PNG…' : `Export as ${value === 'glb' ? 'GLB' : 'glTF'}…`,
      group: 'File',
      when: () => hasModel() && !exporting.busy,
      run: () => exporting.start(value),
    })),
    {
      id: 'file.close',
      title: 'Close model',
      group: 'File',
      keys: ['Mod+W'],
      when: () => hasModel() && !models.info!.dirty,
      run: () => models.close(models.activeId),
    },

    { id: 'help.diagnostics', title: 'Save diagnostics…', group: 'Help', run: () => diagnostics.open() },

    ...patchCommands(),
    ...importCommands(),
    ...textureCommands(),

    {
      id: 'edit.undo',
      title: 'Undo',
      group: 'Edit',
      keys: ['Mod+Z'],
      when: () => hasModel() && (models.info!.history.undo.length > 0 || models.pending > 0),
      run: models.undo,
    },
    {
      id: 'edit.adjust',
      title: 'Adjust the last operation',
      group: 'Edit',
      keys: ['F9'],
      inFields: true,
      when: () => adjust.shown !== null,
      run: adjust.focus,
    },
    {
      id: 'edit.redo',
      title: 'Redo',
      group: 'Edit',
      keys: ['Mod+Shift+Z', 'Mod+Y'],
      when: () => hasModel() && (models.info!.history.redo.length > 0 || models.pending > 0),
      run: models.redo,
    },
    {
      id: 'edit.deselect',
      title: 'Clear the selection',
      group: 'Edit',
      keys: ['Escape'],
      when: () => hasModel() && !commands.enabled('key.none') && !commands.enabled('weights.paint.end'),
      hidden: true,
      run: () => selection.clear(),
    },

    {
      id: 'library.show',
      title: 'Show the library',
      group: 'Library',
      keys: ['Mod+Shift+L'],
      when: () => library.info !== null,
      run: models.showLibrary,
    },
    {
      id: 'library.scan',
      title: 'Scan for changes',
      group: 'Library',
      when: () => library.info !== null && !library.scanning,
      run: () => library.scan(),
    },
    {
      id: 'library.export',
      title: 'Export the models that are shown…',
      group: 'Library',
      keys: ['Mod+Shift+E'],
      when: () => library.info !== null && !library.scanning,
      run: () => (models.showLibrary(), batch.open()),
    },
    {
      id: 'library.rescan',
      title: 'Scan everything again',
      group: 'Library',
      when: () => library.info !== null && !library.scanning,
      run: () => library.scan(true),
    },
    {
      id: 'tab.next',
      title: 'Next tab',
      group: 'Window',
      keys: ['Mod+PageDown', 'Mod+Tab'],
      inFields: true,
      when: () => models.open.length > 0,
      run: () => nextTab(1),
    },
    {
      id: 'tab.previous',
      title: 'Previous tab',
      group: 'Window',
      keys: ['Mod+PageUp', 'Mod+Shift+Tab'],
      inFields: true,
      when: () => models.open.length > 0,
      run: () => nextTab(-1),
    },

    { id: 'play.toggle', title: 'Play or pause', group: 'Play', keys: ['Space'], when: hasClip, run: playback.toggle },
    { id: 'play.next', title: 'Next frame', group: 'Play', keys: ['ArrowRight', '.'], when: hasClip, run: () => playback.step(1) },
    { id: 'play.previous', title: 'Previous frame', group: 'Play', keys: ['ArrowLeft', ','], when: hasClip, run: () => playback.step(-1) },
    { id: 'play.start', title: 'First frame', group: 'Play', keys: ['Home'], when: hasClip, run: playback.toStart },
    { id: 'play.end', title: 'Last frame', group: 'Play', keys: ['End'], when: hasClip, run: playback.toEnd },
    { id: 'play.loop', title: 'Loop', group: 'Play', keys: ['L'], when: hasClip, run: () => (playback.state.loop = !playback.state.loop) },
    { id: 'play.rest', title: 'Show the bind pose', group: 'Play', keys: ['0'], when: hasModel, run: () => playback.chooseClip(-1) },
    {
      id: 'play.slice.next',
      title: 'Next slice',
      group: 'Play',
      keys: ['PageDown'],
      when: () => hasModel() && models.scene!.slices.length > 0,
      run: () => stepSlice(1),
    },
    {
      id: 'play.slice.previous',
      title: 'Previous slice',
      group: 'Play',
      keys: ['PageUp'],
      when: () => hasModel() && models.scene!.slices.length > 0,
      run: () => stepSlice(-1),
    },

    { id: 'view.wireframe', title: 'Wireframe', group: 'Show', keys: ['W'], when: hasModel, run: () => display.toggle('wireframe') },
    { id: 'view.skeleton', title: 'Skeleton', group: 'Show', keys: ['B'], when: hasModel, run: () => display.toggle('skeleton') },
    { id: 'view.names', title: 'Names of bones', group: 'Show', keys: ['N'], when: hasModel, run: () => display.toggle('names') },
    { id: 'view.grid', title: 'Grid', group: 'Show', keys: ['Shift+G'], when: hasModel, run: () => display.toggle('grid') },
    { id: 'view.textures', title: 'Textures', group: 'Show', keys: ['T'], when: hasModel, run: () => display.toggle('textures') },
    { id: 'view.lit', title: 'Light', group: 'Show', when: hasModel, run: () => display.toggle('lit') },
    {
      id: 'view.heat',
      title: 'Weights of the chosen bone',
      group: 'Show',
      keys: ['H'],
      when: () => hasModel() && (selection.current.joint >= 0 || display.chosen.heatJoint >= 0),
      run: () => display.heat(display.chosen.heatJoint >= 0 ? -1 : selection.current.joint),
    },
    { id: 'view.frame', title: 'Frame the selection', group: 'Show', keys: ['F'], when: hasModel, run: () => layout.viewport?.frame() },
    {
      id: 'view.front',
      title: 'View from the front',
      group: 'Show',
      keys: ['1'],
      when: hasModel,
      run: () => layout.viewport?.setView('front'),
    },
    {
      id: 'view.right',
      title: 'View from the right',
      group: 'Show',
      keys: ['3'],
      when: hasModel,
      run: () => layout.viewport?.setView('right'),
    },
    { id: 'view.top', title: 'View from the top', group: 'Show', keys: ['7'], when: hasModel, run: () => layout.viewport?.setView('top') },

    ...layout.panels.map((p) => ({
      id: `view.${p.id}`,
      title: p.title,
      group: 'Panel',
      keys: p.keys,
      when: hasModel,
      run: () => layout.showPanel(p.id),
    })),
    { id: 'view.resetLayout', title: 'Reset the panels', group: 'Panel', when: hasModel, run: () => layout.reset() },
  ])

  function stepSlice(by: 1 | -1): void {
    const n = models.scene!.slices.length
    const to = (((playback.state.slice + by) % n) + n) % n
    playback.chooseSlice(to)
    selection.slice(to)
  }
}
