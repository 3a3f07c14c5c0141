/**
 * Real models through Blender and back: what nobody edited changes no key and no byte. One model of each family in every
 * run; MARROW_WHOLE_CORPUS=1 takes all that move.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { animationNames } from '../../../src/shared/scene/animation-names.ts'
import { writeGltf } from '../../../src/main/interchange/gltf-writer.ts'
import { createServices } from '../../../src/main/services/create-services.ts'
import { dispatch } from '../../../src/main/services/dispatch.ts'
import { copyCorpus, describeCorpus } from '../../support/corpus.ts'
import { blender, throughBlender } from './blender.ts'
import { FAMILIES } from './round-trip.ts'
import type { CallArgs, CallName, CallResult } from '../../../src/shared/api/contract.ts'
import type { Scene } from '../../../src/shared/scene/types.ts'
import type { FamilyName } from './round-trip.ts'

const whole = process.env.MARROW_WHOLE_CORPUS !== undefined
/** Animations of one model that make the trip, the shortest, and how many seconds of them: what is cut off stays as it is. */
const MOST_ANIMATIONS = whole ? 12 : 1
const MOST_SECONDS = whole ? Infinity : 1

/** Names of the shortest animations in which a joint moves. */
function shortest(scene: Scene): string[] {
  const names = animationNames(scene)
  const moves = (clip: number): boolean =>
    scene.clips[clip].tracks.some(({ target, property, times }) => target.kind === 'joint' && property === 'rotation' && times.length > 1)
  const all = [
    ...scene.slices.map(({ clip, start, end }, i) => ({ name: names.slices[i], clip, length: (end - start) / scene.clips[clip].rate })),
    ...scene.clips.map(({ start, end, rate }, i) => ({ name: names.clips[i], clip: i, length: (end - start) / rate })),
  ]
  return all
    .filter(({ clip, length }) => length > 0 && moves(clip))
    .sort((a, b) => a.length - b.length)
    .slice(0, MOST_ANIMATIONS)
    .map(({ name }) => name)
}

function suite(family: FamilyName): void {
  describeCorpus(family, () => {
    const base = mkdtempSync(join(tmpdir(), 'marrow-corpus-trip-'))
    const root = join(base, 'game')
    const services = createServices({ stateFolder: join(base, 'state'), host: 'web', watchEvery: 0 })
    const call = async <K extends CallName>(name: K, args: CallArgs<K>): Promise<CallResult<K>> => {
      const answer = await dispatch(services, name, args, new AbortController().signal)
      if (!answer.ok) throw new Error(`${name}: ${answer.error.message} ${answer.error.file}`)
      return answer.value as CallResult<K>
    }
    afterAll(async () => {
      await services.close()
      rmSync(base, { recursive: true, force: true })
    })

    it('changes no key and no byte', { timeout: whole ? 3_600_000 : 600_000 }, async () => {
      copyCorpus(family, root)
      const library = (await call('library.open', { root })).id
      await call('library.scan', { library })
      const { rows } = await call('library.query', { library, show: 'models', sort: 'size', offset: 0, limit: 500 })
      let trips = 0
      for (const { ref } of rows) {
        const { info, scene } = await call('model.open', { ref, library })
        const skinned = scene.meshes.some(({ skin }) => skin >= 0)
        const animations = shortest(scene)
        // of Level-5 the corpus has no skins
        if (animations.length > 0 && (skinned || family === 'level5')) {
          const clips = scene.clips.map((clip) => ({ ...clip, end: Math.min(clip.end, clip.start + MOST_SECONDS * clip.rate) }))
          const { files } = await writeGltf({ ...scene, clips }, { format: 'glb', name: 'trip', animations, textures: false })
          const began = performance.now()
          const [back] = throughBlender([{ glb: files[0].bytes, fps: FAMILIES[family], trips: [{ sampling: true }, { sampling: false }] }])
          for (const [i, bytes] of back.entries()) {
            const what = `${basename(ref)} ${i === 0 ? 'sampled' : 'with its keys'}`
            const { report } = await call('import.animation', { model: info.id, name: 'x.glb', bytes, weights: skinned, rest: skinned })
            for (const done of report.imported)
              expect(done, what).toMatchObject({ keysChanged: 0, keysInserted: 0, tracksAdded: 0, moved: [] })
            expect(report.imported.length, what).toBeGreaterThan(0)
            for (const weights of report.weights ?? []) expect(weights, what).toMatchObject({ changed: 0 })
            expect(report.placed ?? [], what).toEqual([])
            expect(await call('model.changes', { model: info.id }), what).toEqual([])
            const rounding = Math.max(...report.imported.map((done) => done.rounding.degrees))
            if (whole)
              process.stdout.write(
                `${what}: ${report.imported.length} animations, rounding ${rounding.toFixed(5)} degrees, ${((performance.now() - began) / 1000).toFixed(0)} s\n`,
              )
          }
          trips++
        }
        await call('model.close', { model: info.id })
        if (trips > 0 && !whole) break
      }
      expect(trips).toBeGreaterThan(0)
      if (whole) process.stdout.write(`${family}: ${trips} models\n`)
    })
  })
}

if (blender) for (const family of Object.keys(FAMILIES) as FamilyName[]) suite(family)
else describe.skip('corpus through Blender (skipped: it is not installed, and MARROW_BLENDER names none)', () => it('comes back', () => {}))
