/** Animations of a glTF file onto the shown model. */
import { useImport } from './import.ts'
import { useJointMap } from './joint-map.ts'
import { useLink } from './link.ts'
import { readPicked } from './picked-gltf.ts'
import { useModels, type OpenModel } from '../../core/models.ts'
import { usePlayback } from '../../core/playback.ts'
import { useSession } from '../../core/session.ts'
import { pickFile } from '../../ui/files.ts'
import { jointNames } from '../../../shared/scene/animation-names.ts'
import type { Command } from '../../core/commands/registry.ts'

export function importCommands(): Command[] {
  const session = useSession()
  const models = useModels()
  const playback = usePlayback()
  const jointMap = useJointMap()
  const imports = useImport()
  const link = useLink()

  async function take(into: { clip?: number; slice?: number }): Promise<void> {
    const model = models.active
    const file = model && (await pickFile('.glb,.gltf,model/gltf-binary'))
    if (!model || !file) return
    const bytes = await read(file)
    const map = bytes && (await mapFor(model, file.name, bytes))
    if (!bytes || map === null) return
    imports.open({ model, name: file.name, bytes, map, only: into })
  }

  async function read(file: File): Promise<Uint8Array | undefined> {
    try {
      return await readPicked(file)
    } catch (error) {
      session.report(error)
      return undefined
    }
  }

  /** Asked only where names leave something open; null where the user thinks better of it. */
  async function mapFor(model: OpenModel, name: string, bytes: Uint8Array): Promise<Record<string, string> | undefined | null> {
    try {
      const proposals = await session.call('import.inspect', { model: model.id, name, bytes })
      if (proposals.every(({ why }) => why === 'name')) return undefined
      return await jointMap.ask(name, proposals, jointNames(model.scene.skeleton))
    } catch (error) {
      session.report(error)
      return null
    }
  }

  const movable = (): boolean => models.page === 'model' && models.info?.abilities.clips === true && (models.scene?.clips.length ?? 0) > 0
  return [
    { id: 'link.start', when: movable, run: () => link.open() },
    { id: 'link.stop', when: () => link.current !== null, run: () => link.stop() },
    { id: 'import.animations', when: movable, run: () => take({}) },
    {
      id: 'import.animation',
      when: () => movable() && playback.clip !== null,
      run: () => take(playback.state.slice >= 0 ? { slice: playback.state.slice } : { clip: playback.state.clip }),
    },
  ]
}
