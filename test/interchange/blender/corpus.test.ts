/**
 * Real models through Blender and back: what nobody edited changes no key and no byte, a bone that was turned changes its
 * own keys, and a scene at another rate is told. One model of each family in every run; MARROW_WHOLE_CORPUS=1 takes all that
 * move or have a skin and says for each what it measured, MARROW_WHOLE_CORPUS=cj,elladan those whose names have one of these in them.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PACK_ERROR_DEGREES } from '../../../src/main/formats/lostsaga/codecs/rotation.ts'
import { writeGltf } from '../../../src/main/interchange/gltf-writer.ts'
import { createServices } from '../../../src/main/services/create-services.ts'
import { dispatch } from '../../../src/main/services/dispatch.ts'
import { copyCorpus, describeCorpus } from '../../support/corpus.ts'
import { blender, throughBlender } from './blender.ts'
import { FAMILIES, stretchesOf, turnOf } from './round-trip.ts'
import type { CallArgs, CallName, CallResult } from '../../../src/shared/api/contract.ts'
import type { Services } from '../../../src/main/services/service.ts'
import type { NativeTrack } from '../../../src/shared/api/types/clips.ts'
import type { ImportReport } from '../../../src/shared/api/types/import.ts'
import type { Scene } from '../../../src/shared/scene/types.ts'
import type { Turn } from './blender.ts'
import type { FamilyName, Stretch } from './round-trip.ts'

const asked = process.env.MARROW_WHOLE_CORPUS
const whole = asked !== undefined
const isAsked = (ref: string): boolean =>
  asked === undefined || asked === '1' || asked.split(',').some((part) => basename(ref).toLowerCase().includes(part.toLowerCase()))
/** Animations of one model that make the trip: the shortest, as long as they are no longer together than so many seconds. */
const MOST_ANIMATIONS = whole ? 12 : 1
const MOST_SECONDS = whole ? 20 : 1

/**
 * Degrees that a pose may be off by where rotations are packed into 32 bits: as far as any rotation is from the nearest
 * that the coding has, which is the one that is written (formats/lostsaga/codecs.test.ts).
 */
const PACKED = PACK_ERROR_DEGREES[4001].round
/** And where they are not. */
const POSE = 0.1

interface Trips {
  unedited: Uint8Array[]
  turned: Uint8Array | undefined
  slow: Uint8Array
  turn: (Turn & { clip: number }) | undefined
}

async function travelled(scene: Scene, fps: number): Promise<Trips | undefined> {
  const every = stretchesOf(scene)
  if (every.length === 0) return undefined
  let seconds = 0
  const all = every
    .slice(0, MOST_ANIMATIONS)
    .filter(({ start, end, rate }, i) => (seconds += (end - start) / rate) <= MOST_SECONDS || i === 0)
  const write = async (animations: string[], clips = scene.clips): Promise<Uint8Array> =>
    (await writeGltf({ ...scene, clips }, { format: 'glb', name: 'trip', animations, textures: false })).files[0].bytes
  // of one that is longer a part: what is cut off stays as it is
  const short = scene.clips.map((clip) => ({ ...clip, end: Math.min(clip.end, clip.start + MOST_SECONDS * clip.rate) }))
  const glb = await write(
    all.map(({ name }) => name),
    short,
  )
  // a turned bone at the clip's own rate: between its frames the game has no keys
  const rateOf = ({ clip, rate }: Stretch): number => (scene.clips[clip].unit === 'frame' && Number.isInteger(rate) ? rate : fps)
  const turning = all.find((stretch) => turnOf(scene, rateOf(stretch), stretch)) ?? all[0]
  const turned = turnOf(scene, rateOf(turning), turning)
  const turn = turned && { ...turned, clip: turning.clip }
  const [[...unedited], [slow, back]] = throughBlender([
    { glb, fps, trips: [{ sampling: true }, { sampling: false }] },
    {
      glb: await write([turning.name]),
      fps,
      trips: [{ sampling: true, fps: 24 }, ...(turned ? [{ sampling: true, fps: rateOf(turning), turn: turned }] : [])],
    },
  ])
  return { unedited, turned: turn && back, slow, turn }
}

/** A model that stands still: its skins and how it rests. */
async function travelledShape(scene: Scene, fps: number): Promise<Uint8Array> {
  const { files } = await writeGltf(scene, { format: 'glb', name: 'trip', animations: [], textures: false })
  return throughBlender([{ glb: files[0].bytes, fps, trips: [{ sampling: true }] }])[0][0]
}

/** What a file changed that nobody edited; empty where it is nothing. */
function changedBy({ imported, weights, placed }: ImportReport, moving: boolean): string[] {
  return [
    ...(imported.length > 0 || !moving ? [] : ['no animation was taken']),
    ...imported.flatMap(({ name, keysChanged, keysInserted, tracksAdded, moved, rounding }) =>
      keysChanged + keysInserted + tracksAdded + moved.length === 0
        ? []
        : [
            `${name}: ${keysChanged} keys changed, ${keysInserted} put in, ${tracksAdded} tracks added, rounding ${rounding.degrees}, moved ${JSON.stringify(moved.slice(0, 3))}`,
          ],
    ),
    ...(weights ?? []).flatMap(({ mesh, changed }) => (changed === 0 ? [] : [`${mesh}: weights of ${changed} vertices`])),
    ...(placed ?? []).map(({ joint, degrees, distance }) => `${joint} rests elsewhere: ${degrees} degrees, ${distance}`),
  ]
}

/** What is wrong with the import of a turned bone; empty where it is nothing. @param limit degrees that the pose may be off by */
function wrongWith({ imported }: ImportReport, turn: Turn, limit: number): string[] {
  const done = imported.find(({ name }) => name === turn.animation)
  const [most, ...others] = done?.moved ?? []
  if (!done || !most) return ['nothing moved']
  const astray = others.filter(({ degrees }) => degrees > 0.01)
  return [
    ...(most.joint === turn.joint ? [] : [`${most.joint} moved instead of ${turn.joint}`]),
    ...(Math.abs(most.degrees - turn.degrees) < limit ? [] : [`${most.joint} turned by ${most.degrees}`]),
    ...(astray.length === 0 ? [] : [`others turned: ${JSON.stringify(astray.slice(0, 3))}`]),
    ...(done.degrees < limit ? [] : [`${done.degrees} degrees off`]),
  ]
}

/** Tracks of other joints that are not as they were. */
function othersChanged(before: readonly NativeTrack[], after: readonly NativeTrack[], joint: number): string[] {
  const known = new Map(before.map((track) => [track.id, track]))
  return after.flatMap((track) => {
    const was = known.get(track.id)
    const same = was && isDeepStrictEqual([track.times, track.values], [was.times, was.values])
    return track.joint === joint || same ? [] : [`keys of ${track.target} changed, ${track.property}`]
  })
}

function suite(family: FamilyName): void {
  describeCorpus(family, () => {
    let base: string
    let services: Services
    beforeAll(() => {
      base = mkdtempSync(join(tmpdir(), 'marrow-corpus-trip-'))
      services = createServices({ stateFolder: join(base, 'state'), host: 'web', watchEvery: 0 })
    })
    const call = async <K extends CallName>(name: K, args: CallArgs<K>): Promise<CallResult<K>> => {
      const answer = await dispatch(services, name, args, new AbortController().signal)
      if (!answer.ok) throw new Error(`${name}: ${answer.error.message} ${answer.error.file}`)
      return answer.value as CallResult<K>
    }
    afterAll(async () => {
      await services.close()
      rmSync(base, { recursive: true, force: true })
    })

    const take = async (
      model: string,
      what: string,
      bytes: Uint8Array,
      more: Partial<CallArgs<'import.animation'>> = {},
    ): Promise<ImportReport> => (await call('import.animation', { model, name: `${what}.glb`, bytes, ...more })).report

    /** @returns what is wrong, bytes among it; the model is as it was */
    const changedIn = async (model: string, what: string, report: ImportReport, moving = true): Promise<string[]> => {
      const faults = changedBy(report, moving).map((fault) => `${what}: ${fault}`)
      const changes = await call('model.changes', { model })
      if (changes.length === 0) return faults
      await call('history.undo', { model })
      return [...faults, `${what}: bytes changed in ${changes.length} files`]
    }

    /** Of a model that stands still. @returns as `check` */
    async function checkShape(model: string, scene: Scene): Promise<{ faults: string[]; measured: string }> {
      const report = await take(model, 'still', await travelledShape(scene, FAMILIES[family]), {
        animations: false,
        weights: true,
        rest: true,
      })
      const vertices = (report.weights ?? []).reduce((n, one) => n + one.vertices, 0)
      return {
        faults: [
          ...(await changedIn(model, 'still', report, false)),
          ...(vertices > 0 && report.placed !== undefined ? [] : ['no weights and no rest were taken']),
        ],
        measured: `stands still, ${vertices} vertices with weights`,
      }
    }

    /** @returns what is wrong, and in words what was measured */
    async function check(model: string, scene: Scene, trips: Trips): Promise<{ faults: string[]; measured: string }> {
      const faults: string[] = []
      const shaped = scene.meshes.some(({ skin }) => skin >= 0)
      let rounding = 0
      let animations = 0
      for (const [i, bytes] of trips.unedited.entries()) {
        const what = i === 0 ? 'sampled' : 'with its keys'
        const report = await take(model, what, bytes, { weights: shaped, rest: shaped })
        faults.push(...(await changedIn(model, what, report)))
        animations += report.imported.length
        rounding = Math.max(rounding, ...report.imported.map((done) => done.rounding.degrees))
      }
      const slow = await take(model, 'slow', trips.slow)
      faults.push(...(await changedIn(model, 'at 24 frames per second', slow)))
      const timing = slow.imported.find((done) => done.timing)?.timing
      let turned = 'no key to turn'
      if (trips.turn && trips.turned) {
        const { clip, joint: name } = trips.turn
        const joint = scene.skeleton.names.indexOf(name)
        const before = await call('clips.tracks', { model, clip })
        const report = await take(model, 'turned', trips.turned)
        const track = before.find((t) => t.joint === joint && t.property === 'rotation')
        faults.push(
          ...wrongWith(report, trips.turn, track?.limits.packed ? PACKED : POSE).map((fault) => `${name} turned: ${fault}`),
          ...othersChanged(before, await call('clips.tracks', { model, clip }), joint).map((fault) => `${name} turned: ${fault}`),
        )
        const [done] = report.imported
        turned = `turned ${done.keysChanged + done.keysInserted} keys, ${done.degrees.toFixed(4)} off`
        if (done.keysChanged + done.keysInserted > 0) await call('history.undo', { model })
      }
      const told = timing ? `24 told as ${timing.file.toFixed(1)} on ${timing.clip.toFixed(1)}, ${timing.degrees.toFixed(2)}` : '24 fits'
      return { faults, measured: `${animations} animations, rounding ${rounding.toFixed(5)}; ${told}; ${turned}` }
    }

    it('changes no key and no byte', { timeout: whole ? 7_200_000 : 600_000 }, async () => {
      const root = join(base, 'game')
      copyCorpus(family, root)
      const library = (await call('library.open', { root })).id
      await call('library.scan', { library })
      const { rows } = await call('library.query', { library, show: 'models', sort: 'size', offset: 0, limit: 500 })
      const faults: string[] = []
      let went = 0
      const say = ({ faults: own, measured }: { faults: string[]; measured: string }, ref: string): void => {
        went++
        faults.push(...own.map((fault) => `${basename(ref)}: ${fault}`))
        if (whole) process.stdout.write(`${[`${basename(ref)}: ${measured}`, ...own].join('\n  ')}\n`)
      }
      for (const { ref } of rows.filter((row) => isAsked(row.ref))) {
        const { info, scene } = await call('model.open', { ref, library })
        const skinned = scene.meshes.some(({ skin }) => skin >= 0)
        try {
          // of Level-5 the corpus has no skins
          const trips = whole || skinned || family === 'level5' ? await travelled(scene, FAMILIES[family]) : undefined
          if (trips) say(await check(info.id, scene, trips), ref)
          else if (whole && skinned) say(await checkShape(info.id, scene), ref)
        } catch (error) {
          say({ faults: [(error as Error).message], measured: 'did not come back' }, ref)
        }
        await call('model.close', { model: info.id })
        if (went > 0 && !whole) break
      }
      expect(faults).toEqual([])
      expect(went).toBeGreaterThan(0)
      if (whole) process.stdout.write(`${family}: ${went} models\n`)
    })
  })
}

if (blender) for (const family of Object.keys(FAMILIES) as FamilyName[]) suite(family)
else describe.skip('corpus through Blender (skipped: it is not installed, and MARROW_BLENDER names none)', () => it('comes back', () => {}))
