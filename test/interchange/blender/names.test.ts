/**
 * What Blender makes of names, on the way back: figures that stand in a scene twice, renamed armatures, tracks named as other
 * tools name them, actions of before an edit, and joints of one name. Made where Blender is installed, recorded for
 * everywhere else, as in blender.test.ts.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { jointNames } from '../../../src/shared/scene/animation-names.ts'
import { blender, throughBlender } from './blender.ts'
import { recorded, recordedNow } from './recorded.ts'
import { exported, FAMILIES, SampleLibrary, turnOf } from './round-trip.ts'
import type { CallResult } from '../../../src/shared/api/contract.ts'
import type { OpenedModel } from '../../../src/shared/api/types/model.ts'
import type { Scene } from '../../../src/shared/scene/types.ts'
import type { Called, Trip } from './blender.ts'
import type { FamilyName } from './round-trip.ts'

const families = Object.keys(FAMILIES) as FamilyName[]
const CALLED = {
  doubled: { copies: 2 },
  renamed: { armature: 'My Rig' },
  layered: { tracks: '{armature}|{track}|BaseLayer' },
  pushed: { tracks: '{action}' },
  before: { again: true },
} satisfies Record<string, Called>
type Naming = keyof typeof CALLED
const NAMINGS = Object.keys(CALLED) as Naming[]
/** Of a model with two joints of one name. */
const TWINS = ['twins', 'twins-turned'] as const
type Kind = Naming | (typeof TWINS)[number]
const KINDS: readonly Kind[] = [...NAMINGS, ...TWINS]
/** Skeletons of Lost Saga find their bones by name: no two have the same. */
const twinned = (family: FamilyName): boolean => family !== 'lostsaga'
const kindsOf = (family: FamilyName): readonly Kind[] => (twinned(family) ? KINDS : NAMINGS)

/** Two joints that turn, on different branches of the skeleton. */
function twinsOf(scene: Scene, family: FamilyName): [number, number] {
  const { parents } = scene.skeleton
  const turns = turnOf(scene, FAMILIES[family])!
  const clip = scene.clips[clipOf(scene, turns.animation)]
  const turning = clip.tracks.flatMap(({ target, property, times }) =>
    target.kind === 'joint' && property === 'rotation' && times.length > 3 && parents[target.index] >= 0 ? [target.index] : [],
  )
  for (const a of turning) for (const b of turning) if (a < b && parents[a] !== parents[b] && parents[b] !== a) return [a, b]
  throw new Error('no two joints turn')
}

function clipOf({ slices, clips }: Scene, animation: string): number {
  const slice = slices.find(({ name }) => name === animation)
  return slice ? slice.clip : clips.findIndex(({ name }) => name === animation)
}

function suite(
  name: string,
  trips: (library: SampleLibrary, models: Record<FamilyName, OpenedModel>) => Promise<Record<FamilyName, Record<Kind, Uint8Array>>>,
): void {
  describe(name, () => {
    const library = new SampleLibrary()
    let models: Record<FamilyName, OpenedModel>
    let files: Record<FamilyName, Record<Kind, Uint8Array>>
    beforeAll(async () => {
      models = await library.open()
      files = await trips(library, models)
    }, 600_000)
    afterAll(() => library.close())
    afterEach(() => Promise.all(Object.values(models).map((model) => undone(library, model))))

    const importing = (family: FamilyName, kind: Kind): Promise<CallResult<'import.animation'>> =>
      library.call('import.animation', { model: models[family].info.id, name: `${kind}.glb`, bytes: files[family][kind] })

    describe.each(families)('%s', (family) => {
      it.each(NAMINGS)('%s: nothing changes, and what was taken for what is told', async (kind) => {
        const { info, report } = await importing(family, kind)
        const [{ animation, ...done }, ...others] = report.imported
        expect(others).toEqual([])
        expect(done).toMatchObject({ keysChanged: 0, keysInserted: 0, tracksAdded: 0, moved: [] })
        expect(info.dirty).toBe(false)
        expect(await library.call('model.changes', { model: info.id })).toEqual([])
        const window = done.name
        const named = { layered: expect.stringMatching(/^.+[|].+[|]BaseLayer$/), pushed: expect.stringMatching(`^${window}_.+`) }
        const assumed = Object.hasOwn(named, kind)
        expect(animation).toEqual(assumed ? named[kind as keyof typeof named] : window)
        expect(report.assumed).toEqual(assumed ? [`${animation} is ${window}`] : [])
        expect(report.unmatched).toEqual([])
        expect(report.unused).toEqual(kind === 'before' ? [`${window}.001`] : [])
        const left = {
          before: [`${window}.001: ${window} goes into ${window} already`],
          doubled: [expect.stringMatching(/^\d+ bones of the file, .+ among them: it has others of these names, which are taken$/)],
        }
        expect(report.left).toEqual(Object.hasOwn(left, kind) ? left[kind as keyof typeof left] : [])
      })
    })

    describe.each(families.filter(twinned))('%s, with two joints of one name', (family) => {
      let scene: Scene
      beforeAll(async () => {
        scene = await twins(library, models[family])
        await undone(library, models[family])
      })

      it('nothing changes', async () => {
        await twins(library, models[family])
        const { report } = await importing(family, 'twins')
        expect(report).toMatchObject({ unmatched: [], unused: [], assumed: [], left: [] })
        expect(report.imported).toMatchObject([{ keysChanged: 0, keysInserted: 0, tracksAdded: 0, moved: [] }])
      })

      it('each is proposed for its own', async () => {
        await twins(library, models[family])
        const { id } = models[family].info
        const proposed = await library.call('import.inspect', { model: id, name: 'x.glb', bytes: files[family].twins })
        expect(proposed.map(({ joint, why }) => [joint, why])).toEqual(proposed.map(({ node }) => [node, 'name']))
      })

      it('the second turned: its keys alone change', async () => {
        await twins(library, models[family])
        const { id } = models[family].info
        const { joint, animation } = twinTurn(scene, family)
        const tracks = () => library.call('clips.tracks', { model: id, clip: clipOf(scene, animation) })
        const before = await tracks()
        const { report } = await importing(family, 'twins-turned')
        const [done] = report.imported
        expect(done.moved[0].joint).toBe(joint)
        expect(Math.abs(done.moved[0].degrees - 20)).toBeLessThan(0.1)
        expect(done.degrees).toBeLessThan(0.1)
        for (const { degrees } of done.moved.slice(1)) expect(degrees).toBeLessThan(0.01)
        const twin = jointNames(scene.skeleton).indexOf(joint)
        const after = new Map((await tracks()).map((track) => [track.id, track]))
        for (const track of before)
          if (track.joint !== twin) expect([after.get(track.id)!.times, after.get(track.id)!.values]).toEqual([track.times, track.values])
      })
    })
  })
}

/** Gives a joint the name of another. @returns the model as it is then */
async function twins(library: SampleLibrary, { info, scene }: OpenedModel): Promise<Scene> {
  const [a, b] = twinsOf(scene, info.family as FamilyName)
  await library.call('skeleton.rename', { model: info.id, joint: b, name: scene.skeleton.names[a], follow: true })
  const now = (await library.call('model.scene', { model: info.id })).scene
  if (jointNames(now.skeleton)[b] !== `${now.skeleton.names[a]} 2`) throw new Error('no two joints have one name')
  return now
}

/** The second of two joints of one name, turned in the midst of its animation. */
function twinTurn(scene: Scene, family: FamilyName): NonNullable<ReturnType<typeof turnOf>> {
  const names = jointNames(scene.skeleton)
  const twin = names.findIndex((name, i) => name !== scene.skeleton.names[i])
  const clips = scene.clips.map((clip) => ({
    ...clip,
    tracks: clip.tracks.filter(({ target }) => target.kind === 'joint' && target.index === twin),
  }))
  return { ...turnOf({ ...scene, clips }, FAMILIES[family])!, joint: names[twin] }
}

async function undone(library: SampleLibrary, { info }: OpenedModel): Promise<void> {
  while ((await library.call('model.scene', { model: info.id })).info.history.undo.length > 0)
    await library.call('history.undo', { model: info.id })
}

suite('names as Blender wrote them once', () =>
  Promise.resolve(
    Object.fromEntries(families.map((family) => [family, recorded([family], kindsOf(family))[family]])) as ReturnType<
      typeof recorded<FamilyName, Kind>
    >,
  ),
)

if (blender)
  suite('names through Blender', async (library, models) => {
    const files = {} as Record<FamilyName, Record<Kind, Uint8Array>>
    for (const family of families) {
      const job = async (scene: Scene, trips: Trip[]) => ({ glb: await exported(scene), fps: FAMILIES[family], trips })
      const jobs = [
        await job(
          models[family].scene,
          NAMINGS.map((kind) => ({ sampling: false, names: CALLED[kind] })),
        ),
      ]
      if (twinned(family)) {
        const scene = await twins(library, models[family])
        jobs.push(await job(scene, [{ sampling: false }, { sampling: false, turn: twinTurn(scene, family) }]))
        await undone(library, models[family])
      }
      Object.assign(files, recordedNow([family], kindsOf(family), [throughBlender(jobs).flat()]))
    }
    return files
  })
else
  describe.skip('names through Blender (skipped: it is not installed, and MARROW_BLENDER names none)', () =>
    it('goes and comes back', () => {}))
