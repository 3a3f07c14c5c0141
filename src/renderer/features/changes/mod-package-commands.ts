/** Commands that give a mod away as a zip, and build a mod folder from one. */
import { say } from '../../../shared/texts/say.ts'
import type { Command } from '../../core/commands/registry.ts'
import { useLibrary } from '../../core/library.ts'
import { useModels } from '../../core/models.ts'
import { useModPackage } from '../../core/mod-package.ts'
import { useSession } from '../../core/session.ts'
import { pickFile, saveAs } from '../../ui/files.ts'

export function modPackageCommands(): Command[] {
  const session = useSession()
  const library = useLibrary()
  const models = useModels()
  const packages = useModPackage()

  async function give(model?: string): Promise<void> {
    if (!library.info) return
    try {
      const made = await session.call('modPackage.export', { library: library.info.id, model })
      saveAs(made.fileName, made.bytes, 'application/zip')
      const unsaved = models.open.filter((m) => m.info.dirty && (!model || m.id === model)).length
      session.notify(
        unsaved ? 'warning' : 'good',
        say(unsaved ? 'changes.packages.givenUnsaved' : 'changes.packages.given', { file: made.fileName, count: made.files.length }),
        [...made.notes, ...made.files.slice(0, 20).map((f) => (f.member ? `${f.path}!${f.member}` : f.path))].join('\n'),
      )
    } catch (error) {
      session.report(error)
    }
  }

  async function build(): Promise<void> {
    const file = await pickFile('.zip,.marrow,application/zip')
    if (file) await packages.look({ name: file.name, modPackage: new Uint8Array(await file.arrayBuffer()) })
  }

  const open = (): boolean => library.info !== null
  return [
    { id: 'modPackage.export', when: open, run: () => give() },
    {
      id: 'modPackage.exportModel',
      when: () => open() && models.page === 'model' && models.active !== null,
      run: () => give(models.activeId),
    },
    { id: 'modPackage.build', when: open, run: build },
  ]
}
