// @vitest-environment happy-dom
import { createPinia, disposePinia, setActivePinia, type Pinia } from 'pinia'
import { beforeEach, describe, expect, it } from 'vitest'
import { createFakeApi } from '../../../src/renderer/dev/fake-api.ts'
import { useCameras } from '../../../src/renderer/core/cameras.ts'
import { parseKept } from '../../../src/renderer/core/kept.ts'
import { useLastOpen } from '../../../src/renderer/core/last-open.ts'
import { useLibrary } from '../../../src/renderer/core/library.ts'
import { useModels } from '../../../src/renderer/core/models.ts'
import { usePlayback } from '../../../src/renderer/core/playback.ts'
import { useSelection } from '../../../src/renderer/core/selection.ts'
import { useSession } from '../../../src/renderer/core/session.ts'
import type { Api } from '../../../src/shared/api/transport.ts'

const camera = { target: [1, 2, 3] as [number, number, number], yaw: 0.1, pitch: 0.2, distance: 4.125, fov: 0.5 }
/** as the settings have it */
let text = ''
/** calls that fail, by the file that they name */
let gone = new Set<string>()
/** models that the services have open still */
let held: string[] = []
let api: Api
let pinia: Pinia | undefined

/** The window is left: it keeps at once what it would keep soon, and nothing later. */
function leave(): void {
  window.dispatchEvent(new Event('pagehide'))
  if (pinia) disposePinia(pinia)
}

/** A window that is loaded anew: nothing in it, the services as they were. */
async function load(): Promise<void> {
  leave()
  pinia = createPinia()
  setActivePinia(pinia)
  const session = useSession()
  const call = (async (name: string, args: any, options: any) => {
    if (name === 'settings.set') text = args.window?.lastOpen ?? text
    if (gone.has(args.ref)) throw new Error('no such file')
    if (name === 'model.list') return held.map((id) => ({ id, primary: id }))
    const answer = await (api.call as any)(name, args, options)
    // the stand-in has one model, whatever is asked for
    if (name === 'library.open') return { ...answer, root: args.root }
    const id: string | undefined = { 'model.open': args.ref, 'model.scene': args.model }[name]
    return id === undefined ? answer : { ...answer, info: { ...answer.info, id, primary: id } }
  }) as Api['call']
  // what it tells of its one library, in its own time, is of the folder that it knows
  await session.start({ call, on: (name, listener) => (name.startsWith('library.') ? () => {} : api.on(name, listener)) })
  session.settings = { ...session.settings, window: { lastOpen: text } }
}

const refs = (): string[] => useModels().open.map(({ info }) => info.primary)
const shown = (): string | undefined => useModels().info?.primary

beforeEach(async () => {
  leave()
  pinia = undefined
  api = createFakeApi()
  text = ''
  gone = new Set()
  held = []
  await load()
})

/** Two models; the second is shown, with something else than what it begins with. */
async function work(): Promise<void> {
  await useLastOpen().restore('all')
  await useLibrary().open('/games/dark-cloud')
  const models = useModels()
  for (const row of [0, 1]) await models.openRef(useLibrary().rowAt(row)!.ref)
  usePlayback().chooseClip(models.scene!.clips.length - 1)
  usePlayback().seek(3)
  useSelection().joint(2)
  useCameras().set(models.activeId, camera)
  useCameras().moves++
  await expect.poll(() => text).toContain(String(camera.distance))
}

describe('what was open', () => {
  it('is there again: tabs in their order, clip, moment, selection, camera', async () => {
    await work()
    const before = { refs: refs(), shown: shown(), clip: usePlayback().clip!.name, time: usePlayback().state.time }
    expect(before.refs).toHaveLength(2)
    await load()
    await useLastOpen().restore('all')
    expect(useModels().page).toBe('model')
    expect({ refs: refs(), shown: shown(), clip: usePlayback().clip!.name, time: usePlayback().state.time }).toEqual(before)
    expect(useSelection().current).toMatchObject({ kind: 'joint', joint: 2 })
    expect(useCameras().leftAt(useModels().activeId)).toEqual(camera)
  })

  it('leaves who asked for a folder in it, and opens only what stood there', async () => {
    await work()
    const before = refs()
    await load()
    await useLibrary().open('/games/dark-cloud')
    await useLastOpen().restore('given')
    expect([refs(), useModels().page]).toEqual([before, 'library'])
    await load()
    await useLibrary().open('/games/another')
    await useLastOpen().restore('given')
    expect(refs()).toEqual([])
  })

  it('is not forgotten by a window that opens nothing of it', async () => {
    await work()
    const kept = text
    await load()
    await useLastOpen().restore('nothing')
    expect(refs()).toEqual([])
    await useSession().change({ theme: 'light' })
    expect(text).toBe(kept)
  })

  it('says in one message what is gone, and opens the rest', async () => {
    await work()
    const [first, second] = refs()
    gone = new Set([first])
    await load()
    await useLastOpen().restore('all')
    expect(refs()).toEqual([second])
    expect(useSession().notices.map(({ severity }) => severity)).toEqual(['warning'])
    expect(useSession().notices[0].detail).toBe(first)
  })

  it('takes up what the services hold, also where its file was deleted: that is all that is left of it', async () => {
    await work()
    const before = refs()
    gone = new Set(before)
    held = [before[0]]
    await load()
    await useLastOpen().restore('all')
    expect(refs()).toEqual(held)
    expect(useSession().notices[0].detail).toBe(before[1])
  })

  it('finds by its name what an edit moved, and forgets what is gone', async () => {
    await work()
    const was = parseKept('lastOpen', text)
    const model = was.models.at(-1)!
    const names = useModels().scene!.skeleton.names
    text = JSON.stringify({
      version: 2,
      value: {
        ...was,
        models: [
          {
            ...model,
            clip: { index: 0, name: 'no such clip' },
            selection: { ...model.selection, mesh: 999, joint: { index: 0, name: names[3] } },
          },
        ],
      },
    })
    await load()
    await useLastOpen().restore('all')
    expect(useSelection().current).toMatchObject({ joint: 3, mesh: -1 })
    expect(usePlayback().clip!.name).not.toBe('no such clip')
  })
})
