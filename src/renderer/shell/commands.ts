/** The window's own commands. Panels register theirs beside what they act on. Ids are what the host's menus send. */
import { modPackageCommands } from '../features/changes/mod-package-commands.ts'
import { useDiagnostics } from '../features/help/diagnostics.ts'
import { useFirstSteps } from '../features/first-steps/first-steps.ts'
import { useModHome } from '../features/mod/mod-home.ts'
import { useLibraryLint } from '../features/problems/library-lint.ts'
import { textureCommands } from '../features/textures/texture-commands.ts'
import { useAdjust } from '../core/adjust.ts'
import { EXPORT_FORMS, useExport } from '../features/export/export.ts'
import { useGiving } from '../core/giving.ts'
import { useInspect } from '../core/inspect.ts'
import { useBatchChoice } from '../core/batch-choice.ts'
import { useArchivePage } from '../core/archive-page.ts'
import { useCompare } from '../core/compare.ts'
import { useLayout } from '../core/layout.ts'
import { useLibraryChoice } from '../core/library-choice.ts'
import { useLibrary } from '../core/library.ts'
import { useModels } from '../core/models.ts'
import { useOpening } from '../core/opening.ts'
import { usePlayback } from '../core/playback.ts'
import { useSaveAll } from '../core/save-all.ts'
import { useSelection } from '../core/selection.ts'
import { useSession } from '../core/session.ts'
import { importCommands } from '../features/export/import-commands.ts'
import { retargetCommands } from '../features/retarget/retarget-commands.ts'
import { useCommands } from '../core/commands/registry.ts'
import { closeAllBut } from './tab-menu.ts'
import { viewCommands } from './view-commands.ts'

export function installCommands(actions: { openFolder: () => Promise<void> }): () => void {
  const commands = useCommands()
  const session = useSession()
  const saveAll = useSaveAll()
  const library = useLibrary()
  const models = useModels()
  const playback = usePlayback()
  const selection = useSelection()
  const layout = useLayout()
  const adjust = useAdjust()
  const exporting = useExport()
  const batchChoice = useBatchChoice()
  const choice = useLibraryChoice()
  const opening = useOpening()
  const giving = useGiving()
  const inspect = useInspect()
  const diagnostics = useDiagnostics()
  const firstSteps = useFirstSteps()
  const modHome = useModHome()
  const libraryLint = useLibraryLint()
  const archivePage = useArchivePage()
  const compare = useCompare()

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
      run: () => (commands.paletteOpen = true),
    },
    {
      id: 'app.theme',
      run: () => session.change({ theme: session.theme === 'dark' ? 'light' : 'dark' }),
    },

    { id: 'file.open', run: actions.openFolder },
    { id: 'file.openFiles', run: opening.pick },
    { id: 'help.firstSteps', run: firstSteps.start },
    {
      id: 'file.sample',
      run: async () => (await library.openSample()) && models.showLibrary(),
    },
    {
      id: 'file.save',
      when: () => hasModel() && (models.info!.dirty || models.saving || models.pending > 0),
      run: () => models.save(),
    },
    { id: 'file.saveAll', when: () => saveAll.unsaved.length > 0 && !saveAll.progress && !models.saving, run: saveAll.run },
    ...EXPORT_FORMS.map(({ value }) => ({
      id: `export.${value}` as const,
      when: () => hasModel() && !exporting.busy,
      run: () => exporting.open(value),
    })),
    { id: 'model.addFiles', when: hasModel, run: () => giving.pick() },
    { id: 'model.addAnimation', when: hasModel, run: () => giving.pick('animation') },

    { id: 'app.keys', run: () => (commands.shortcutsOpen = true) },
    { id: 'help.diagnostics', run: () => diagnostics.open() },

    { id: 'archive.new', when: () => library.info !== null, run: () => archivePage.make() },
    {
      id: 'compare.show',
      when: () => library.info !== null,
      run: () => (compare.shown ? (compare.shown = false) : compare.open(compare.selected || !hasModel() ? '' : models.info!.primary)),
    },
    { id: 'library.lint', when: () => library.info !== null, run: () => (libraryLint.shown = !libraryLint.shown) },
    { id: 'mod.show', when: () => library.info !== null, run: () => (modHome.shown = !modHome.shown) },
    ...modPackageCommands(),
    ...importCommands(),
    ...retargetCommands(),
    ...textureCommands(),

    {
      id: 'edit.undo',
      when: () => hasModel() && (models.info!.history.undo.length > 0 || models.pending > 0),
      run: models.undo,
    },
    {
      id: 'edit.adjust',
      when: () => adjust.shown !== null,
      run: adjust.focus,
    },
    {
      id: 'edit.redo',
      when: () => hasModel() && models.info!.history.redo.length > 0,
      // an edit that is on its way leaves nothing to redo; a button that lights up draws frames beside the services' work for the picture
      soon: () => hasModel() && models.stepping > 0,
      run: models.redo,
    },
    {
      id: 'edit.deselect',
      when: () => hasModel(),
      run: () => selection.clear(),
    },
    {
      id: 'bone.rename',
      when: () => hasModel() && selection.current.kind === 'joint' && models.info!.abilities.skeleton?.rename === true,
      run: () => inspect.askFor('name'),
    },

    {
      id: 'library.show',
      when: () => library.info !== null,
      run: models.showLibrary,
    },
    {
      id: 'library.scan',
      when: () => library.info !== null && !library.scanning,
      run: () => library.scan(),
    },
    {
      id: 'library.export',
      when: () => library.info !== null && !library.scanning,
      run: () => (
        models.showLibrary(),
        batchChoice.ask(choice.several.size > 0 ? choice.rows.filter((row) => row.type === 'model') : null)
      ),
    },
    {
      id: 'library.rescan',
      when: () => library.info !== null && !library.scanning,
      run: () => library.scan({ full: true }),
    },
    {
      id: 'tab.next',
      when: () => models.open.length > 0,
      run: () => nextTab(1),
    },
    { id: 'tab.closeOthers', when: () => hasModel() && models.open.length > 1, run: () => closeAllBut(models.activeId) },
    { id: 'tab.closeAll', when: () => models.open.length > 0, run: () => closeAllBut('') },
    {
      id: 'tab.previous',
      when: () => models.open.length > 0,
      run: () => nextTab(-1),
    },

    { id: 'play.toggle', when: hasClip, run: playback.toggle },
    { id: 'play.next', when: hasClip, run: () => playback.step(1) },
    { id: 'play.previous', when: hasClip, run: () => playback.step(-1) },
    { id: 'play.start', when: hasClip, run: playback.toStart },
    { id: 'play.end', when: hasClip, run: playback.toEnd },
    { id: 'play.loop', when: hasClip, run: () => (playback.state.loop = !playback.state.loop) },
    { id: 'play.rest', when: hasModel, run: () => playback.chooseClip(-1) },
    {
      id: 'play.slice.next',
      when: () => hasModel() && models.scene!.slices.length > 0,
      run: () => stepSlice(1),
    },
    {
      id: 'play.slice.previous',
      when: () => hasModel() && models.scene!.slices.length > 0,
      run: () => stepSlice(-1),
    },

    ...viewCommands(),

    ...layout.panels.map((p) => ({
      id: `view.${p.id}` as const,
      when: hasModel,
      run: () => layout.showPanel(p.id),
    })),
    { id: 'view.closePanel', when: hasModel, run: () => layout.closePanel() },
    { id: 'view.resetLayout', when: hasModel, run: () => layout.reset() },
  ])

  function stepSlice(by: 1 | -1): void {
    const n = models.scene!.slices.length
    const to = (((playback.state.slice + by) % n) + n) % n
    playback.chooseSlice(to)
    selection.slice(to)
  }
}
