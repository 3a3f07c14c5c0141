/**
 * What was open when the window was left: the library, its models, and in each what played, what was chosen and where the camera stood. It is there
 * again at the next start, and when the page is loaded again.
 */
import { defineStore } from 'pinia'
import { ref, watch } from 'vue'
import { baseName } from '../../shared/ref.ts'
import { say } from '../../shared/texts/say.ts'
import { useCameras } from './cameras.ts'
import { useKept, type Kept, type KeptModel } from './kept.ts'
import { useLibrary } from './library.ts'
import { useModels, type OpenModel } from './models.ts'
import { usePlayback } from './playback.ts'
import { SELECTION_KINDS, useSelection, type SelectionKind } from './selection.ts'
import { useSession } from './session.ts'

interface Named {
  index: number
  name: string
}

/** The same thing in a scene that may have changed since; -1 where it is gone. */
function again(found: Named | null, names: readonly string[]): number {
  if (!found || found.index < 0) return -1
  return names[found.index] === found.name ? found.index : names.indexOf(found.name)
}

const within = (index: number, list: readonly unknown[]): number => (index < list.length ? index : -1)

export const useLastOpen = defineStore('lastOpen', () => {
  const session = useSession()
  const library = useLibrary()
  const models = useModels()
  const playback = usePlayback()
  const selection = useSelection()
  const cameras = useCameras()
  const kept = useKept('lastOpen')
  /** name of the folder that is being opened again */
  const opening = ref('')

  function stateOf({ id, info, scene }: OpenModel): KeptModel {
    const { clip, slice, time, speed, loop } = playback.of(id) ?? { clip: -1, slice: -1, time: 0, speed: 1, loop: true }
    const { joint, ...rest } = selection.of(id)
    return {
      ref: info.primary,
      clip: clip < 0 ? null : { index: clip, name: scene.clips[clip]?.name ?? '' },
      slice: slice < 0 ? null : { index: slice, name: scene.slices[slice]?.name ?? '' },
      time,
      speed,
      loop,
      camera: cameras.of(id) ?? null,
      selection: { ...rest, joint: { index: joint, name: scene.skeleton.names[joint] ?? '' } },
    }
  }

  function now(): Kept<'lastOpen'> {
    return {
      library: library.info?.root ?? '',
      walked: library.walked,
      page: models.page,
      active: models.info?.primary ?? '',
      models: models.open.map(stateOf),
    }
  }

  function takeUp(model: OpenModel, was: KeptModel): void {
    const { scene, id } = model
    const clip = again(
      was.clip,
      scene.clips.map(({ name }) => name),
    )
    const slice = again(
      was.slice,
      scene.slices.map(({ name }) => name),
    )
    // what played is gone: as at the first look
    if (clip >= 0 || !was.clip) playback.set(id, { clip, slice, time: was.time, speed: was.speed, loop: was.loop })
    if (was.camera) cameras.set(id, was.camera)
    const { joint, kind, ...rest } = was.selection
    const mesh = within(rest.mesh, scene.meshes)
    if ((SELECTION_KINDS as readonly string[]).includes(kind))
      selection.set(id, {
        ...rest,
        kind: kind as SelectionKind,
        joint: again(joint, scene.skeleton.names),
        mesh,
        group: mesh < 0 ? -1 : within(rest.group, scene.meshes[mesh].groups),
        vertex: mesh < 0 || 3 * rest.vertex >= scene.meshes[mesh].positions.length ? -1 : rest.vertex,
        material: within(rest.material, scene.materials),
        texture: within(rest.texture, scene.textures),
        slice: within(rest.slice, scene.slices),
        clip: within(rest.clip, scene.clips),
        helper: within(rest.helper, scene.helpers),
      })
  }

  /**
   * Opens again what was open.
   * @param what `given`: a folder was asked for, and is open; only what stood in it comes again. `nothing`: it is only kept from now on
   */
  async function restore(what: 'all' | 'given' | 'nothing'): Promise<void> {
    const was = kept.read()
    const given = what === 'given'
    models.restoring = true
    try {
      if (what === 'nothing') return
      if (given && library.info?.root !== was.library) return
      if (!given && was.library) {
        opening.value = baseName(was.library)
        const there = await library.open(was.library, { scan: was.walked })
        opening.value = ''
        if (!there) return
      }
      const live = await session.call('model.list', {})
      const first = was.models.findIndex(({ ref }) => ref === was.active)
      const gone: string[] = []
      // the one that was shown comes first, the others beside it
      for (const [i, state] of [...was.models.entries()].sort(([a], [b]) => Number(b === first) - Number(a === first))) {
        if (models.open.some(({ info }) => info.primary === state.ref)) continue
        try {
          const held = live.find(({ primary }) => primary === state.ref)?.id
          // it may stand in another folder than the shown one; what the services hold needs no file: that may be gone
          await models.reach(state.ref).catch((error: unknown) => {
            if (held === undefined) throw error
          })
          const model = await models.openBeside(state.ref, held)
          takeUp(model, state)
          // who went on meanwhile, or asked for a folder, is left there
          if (i === first && was.page === 'model' && !given && models.activeId === '' && models.page === 'library') models.show(model.id)
        } catch {
          gone.push(state.ref)
        }
      }
      models.arrange(was.models.map(({ ref }) => ref))
      if (gone.length > 0) session.notify('warning', say('opening.notAgain', { files: gone.map(baseName).join(', ') }), gone.join('\n'))
    } catch (error) {
      session.report(error)
    } finally {
      opening.value = ''
      models.restoring = false
      watchAll()
    }
  }

  let watching = false
  function watchAll(): void {
    if (watching) return
    watching = true
    watch(
      [
        () => library.info?.root,
        () => library.walked,
        () => models.page,
        () => models.activeId,
        () => models.open.map(({ id }) => id).join(),
        () => [playback.state.clip, playback.state.slice, playback.state.speed, playback.state.loop].join(),
        () => (playback.state.playing ? null : playback.state.time),
        () => ({ ...selection.current }),
        () => cameras.moves,
      ],
      () => kept.writeSoon(now),
    )
    // what could not be opened now is kept: it may be there at the next start
    if (library.info) kept.writeSoon(now)
  }

  return { opening, restore }
})
