/** Commands that give a mod away as a zip, and build a mod folder from one. */
import type { PatchBuild } from '../../shared/api/types.ts'
import type { Command } from '../commands/registry.ts'
import { useLibrary } from '../state/library.ts'
import { useModels } from '../state/models.ts'
import { useSession } from '../state/session.ts'
import { plural } from '../ui/format.ts'
import { pickFile, saveAs } from '../ui/files.ts'

export function patchCommands(): Command[] {
  const session = useSession()
  const library = useLibrary()
  const models = useModels()

  async function give(model?: string): Promise<void> {
    if (!library.info) return
    try {
      const patch = await session.call('patch.export', { library: library.info.id, model })
      saveAs(patch.fileName, patch.bytes, 'application/zip')
      const unsaved = models.open.filter((m) => m.info.dirty && (!model || m.id === model)).length
      session.notify(
        unsaved ? 'warning' : 'good',
        `${patch.fileName}: ${plural(patch.files.length, 'changed file')}${unsaved ? '. Edits that are not saved are not in it' : ''}`,
        patch.files
          .slice(0, 20)
          .map((f) => (f.member ? `${f.path}!${f.member}` : f.path))
          .join('\n'),
      )
    } catch (error) {
      session.report(error)
    }
  }

  async function build(): Promise<void> {
    const info = library.info
    const folder = session.settings.modFolder
    if (!info) return
    if (!folder) return void session.notify('info', 'Choose a mod folder in the settings first: the patch is built into it')
    const file = await pickFile('.zip,application/zip')
    if (file) await run(info.id, new Uint8Array(await file.arrayBuffer()), folder, false)
  }

  async function run(id: string, patch: Uint8Array, folder: string, force: boolean): Promise<void> {
    try {
      const built = await session.call('patch.build', { library: id, patch, folder, force: force || undefined })
      const left = built.files.filter((f) => !f.written && f.state !== 'same')
      const message = `${built.name || 'The patch'}: ${plural(built.written, 'file')} written${left.length ? `, ${left.length} left out` : ''}`
      const forceable = left.some((f) => f.state === 'updated' || f.state === 'in-the-way')
      session.notify(
        left.length ? 'warning' : 'good',
        message,
        detail(left),
        forceable && !force ? { label: 'Write them too', run: () => void run(id, patch, folder, true) } : undefined,
      )
    } catch (error) {
      session.report(error)
    }
  }

  function detail(files: PatchBuild['files']): string {
    return files
      .slice(0, 20)
      .map(
        (f) =>
          `${f.member ? `${f.path}!${f.member}` : f.path}: ${f.detail}${f.changes ? ` (${plural(f.changes.changedBytes, 'byte')} differ, first ${f.changes.changes[0]?.path ?? ''})` : ''}`,
      )
      .join('\n')
  }

  const open = (): boolean => library.info !== null
  return [
    { id: 'patch.export', title: 'Export the changes of the library as a patch…', group: 'Mod', when: open, run: () => give() },
    {
      id: 'patch.exportModel',
      title: 'Export the changes of this model as a patch…',
      group: 'Mod',
      when: () => open() && models.page === 'model' && models.active !== null,
      run: () => give(models.activeId),
    },
    { id: 'patch.build', title: 'Build the mod folder from a patch…', group: 'Mod', when: open, run: build },
  ]
}
