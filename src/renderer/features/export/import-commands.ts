/** Animations of a glTF file onto the shown model. */
import type { EditResult } from '../../../shared/api/types/model.ts'
import type { ImportReport } from '../../../shared/api/types/import.ts'
import { useJointMap } from './joint-map.ts'
import { useModels, type OpenModel } from '../../core/models.ts'
import { usePlayback } from '../../core/playback.ts'
import { useSession } from '../../core/session.ts'
import { pickFile } from '../../ui/files.ts'
import type { Command } from '../../core/commands/registry.ts'
import { say } from '../../../shared/texts/say.ts'

export function importCommands(): Command[] {
  const session = useSession()
  const models = useModels()
  const playback = usePlayback()
  const jointMap = useJointMap()

  async function take(into: { clip?: number; slice?: number }): Promise<void> {
    const model = models.active
    const file = model && (await pickFile('.glb,.gltf,model/gltf-binary'))
    if (!model || !file) return
    const bytes = new Uint8Array(await file.arrayBuffer())
    const map = await mapFor(model, file.name, bytes)
    if (map === null) return
    const result = (await models.edit('import.animation', { name: file.name, bytes, map, ...into }, { model })) as
      (EditResult & { report: ImportReport }) | null
    if (!result) return
    const { imported, unmatched, unused, assumed, left } = result.report
    const keys = imported.reduce((n, i) => n + i.keysChanged + i.keysInserted, 0)
    const [most] = imported.flatMap((i) => i.moved).sort((a, b) => b.degrees - a.degrees || b.distance - a.distance)
    const slow = imported.find((i) => i.timing)?.timing
    const lost = [
      ...left,
      ...(slow
        ? [say('importing.sampled', { file: Math.round(slow.file), clip: Math.round(slow.clip), degrees: slow.degrees.toFixed(2) })]
        : []),
      ...(unmatched.length ? [say('importing.unmatched', { count: unmatched.length, names: unmatched.slice(0, 12).join(', ') })] : []),
      ...(assumed.length ? [say('importing.assumed', { names: assumed.slice(0, 12).join(', ') })] : []),
      ...(unused.length ? [say('importing.unused', { names: unused.slice(0, 12).join(', ') })] : []),
    ]
    const names = imported
      .map((i) => i.name || i.animation)
      .slice(0, 3)
      .join(', ')
    const what = !keys
      ? say('importing.nothingDiffers')
      : most
        ? say('importing.keysWrittenMoved', { count: keys, joint: most.joint, degrees: most.degrees.toFixed(2) })
        : say('importing.keysWritten', { count: keys })
    session.notify(lost.length ? 'warning' : 'good', say('importing.done', { names, what }), lost.slice(0, 12).join('\n'))
  }

  /** Asked only where names leave something open; null where the user thinks better of it. */
  async function mapFor(model: OpenModel, name: string, bytes: Uint8Array): Promise<Record<string, string> | undefined | null> {
    try {
      const proposals = await session.call('import.inspect', { model: model.id, name, bytes })
      if (proposals.every(({ why }) => why === 'name')) return undefined
      return await jointMap.ask(name, proposals, model.scene.skeleton.names)
    } catch (error) {
      session.report(error)
      return null
    }
  }

  const movable = (): boolean => models.page === 'model' && models.info?.abilities.clips === true && (models.scene?.clips.length ?? 0) > 0
  return [
    { id: 'import.animations', when: movable, run: () => take({}) },
    {
      id: 'import.animation',
      when: () => movable() && playback.clip !== null,
      run: () => take(playback.state.slice >= 0 ? { slice: playback.state.slice } : { clip: playback.state.clip }),
    },
  ]
}
