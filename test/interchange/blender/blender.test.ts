/**
 * Through Blender and back. Where Blender is installed the trips are made (MARROW_RECORD_TRIPS=1 keeps what it wrote as
 * fixtures); what it wrote from the sample library's models is imported everywhere.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { WebIO } from '@gltf-transform/core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { blender, throughBlender } from './blender.ts'
import { exported, FAMILIES, SampleLibrary, turnOf } from './round-trip.ts'
import type { CallArgs, CallResult } from '../../../src/shared/api/contract.ts'
import type { OpenedModel } from '../../../src/shared/api/types/model.ts'
import type { Trip } from './blender.ts'
import type { FamilyName } from './round-trip.ts'

const FIXTURES = join(import.meta.dirname, 'trips')
const families = Object.keys(FAMILIES) as FamilyName[]
const KINDS = ['sampled', 'keys', 'turned', 'turned-keys', 'slow'] as const
type Kind = (typeof KINDS)[number]

const fixture = (family: FamilyName, kind: Kind): string => join(FIXTURES, `${family}-${kind}.glb.gz`)

function suite(
  name: string,
  trips: (models: Record<FamilyName, OpenedModel>) => Promise<Record<FamilyName, Record<Kind, Uint8Array>>>,
): void {
  describe(name, { timeout: 60_000 }, () => {
    const library = new SampleLibrary()
    let models: Record<FamilyName, OpenedModel>
    let files: Record<FamilyName, Record<Kind, Uint8Array>>
    beforeAll(async () => {
      models = await library.open()
      files = await trips(models)
    }, 600_000)
    afterAll(() => library.close())
    afterEach(async () => {
      for (const { info } of Object.values(models))
        for (let dirty = (await library.call('model.scene', { model: info.id })).info.dirty; dirty;)
          dirty = (await library.call('history.undo', { model: info.id })).info.dirty
    })

    const importing = async (
      family: FamilyName,
      kind: Kind,
      more: Partial<CallArgs<'import.animation'>> = {},
    ): Promise<CallResult<'import.animation'>> =>
      library.call('import.animation', { model: models[family].info.id, name: `${kind}.glb`, bytes: files[family][kind], ...more })

    for (const family of families) {
      for (const kind of ['sampled', 'keys', 'slow'] as const)
        it(`${family}: ${{ sampled: 'sampled at the rate of the clip', keys: 'with its keys', slow: 'sampled at 24 frames per second' }[kind]}, nothing changes`, async () => {
          const { info, report } = await importing(family, kind)
          expect(report).toMatchObject({ unmatched: [], unused: [], left: [] })
          expect(report.imported.length).toBeGreaterThan(0)
          for (const done of report.imported) {
            expect(done).toMatchObject({ keysChanged: 0, keysInserted: 0, tracksAdded: 0, moved: [] })
            // all that Blender does is far below what counts as a change
            expect(done.rounding.degrees).toBeLessThan(0.005)
          }
          // Blender has axes of its own for bones
          expect(report.rest.degrees).toBeGreaterThan(80)
          expect(report.rest.moved).toEqual([])
          expect(info.dirty).toBe(false)
          expect(await library.call('model.changes', { model: info.id })).toEqual([])
        })

      it(`${family}: 24 frames per second are told, and kept timing stays with the clip where taken timing does not`, async () => {
        const { report } = await importing(family, 'slow')
        const { timing } = report.imported.find((done) => done.timing)!
        expect(Math.round(timing!.file)).toBe(24)
        expect(Math.round(timing!.clip)).not.toBe(24)
        expect(timing!.keys).toBeGreaterThan(0)
        const taken = await importing(family, 'slow', { timing: 'take' })
        const moved = taken.report.imported.flatMap((done) => done.moved)
        if (timing!.degrees > 0.1) expect(moved.length, `off by up to ${timing!.degrees}`).toBeGreaterThan(0)
        // and no further off than was told
        for (const { degrees } of moved) expect(degrees).toBeLessThan(timing!.degrees + 0.5)
      })

      it(`${family}: an armature without its mesh is refused, since nothing tells how its bones were turned`, async () => {
        const io = new WebIO()
        const document = await io.readBinary(files[family].sampled)
        for (const skin of document.getRoot().listSkins()) skin.dispose()
        const bytes = await io.writeBinary(document)
        const { id } = models[family].info
        await expect(library.call('import.animation', { model: id, name: 'bones.glb', bytes })).rejects.toMatchObject({
          code: 'unsupported',
        })
        expect((await library.call('model.scene', { model: id })).info.dirty).toBe(false)
      })

      for (const kind of ['turned', 'turned-keys'] as const)
        it(`${family}: a bone that was turned at one frame (${kind}) changes its own keys alone`, async () => {
          const { scene } = models[family]
          const turn = turnOf(scene, FAMILIES[family])
          const { report } = await importing(family, kind)
          const done = report.imported.find((one) => one.name === turn.animation)!
          expect(done.keysChanged + done.keysInserted).toBeGreaterThan(0)
          expect(done.degrees).toBeLessThan(0.1)
          expect(done.moved[0].joint).toBe(turn.joint)
          expect(done.moved[0].degrees).toBeGreaterThan(19.9)
          expect(done.moved[0].degrees).toBeLessThan(20.1)
          // joints below it are carried along, and turned by nothing of their own
          for (const { degrees } of done.moved.slice(1)) expect(degrees).toBeLessThan(0.01)
          for (const other of report.imported) if (other !== done) expect(other).toMatchObject({ keysChanged: 0, keysInserted: 0 })
        })
    }
  })
}

suite('as Blender wrote it once', async () =>
  Promise.resolve(
    Object.fromEntries(
      families.map((family) => [
        family,
        Object.fromEntries(KINDS.map((kind) => [kind, new Uint8Array(gunzipSync(readFileSync(fixture(family, kind))))])),
      ]),
    ) as Record<FamilyName, Record<Kind, Uint8Array>>,
  ),
)

if (blender)
  suite('through Blender', async (models) => {
    const jobs = await Promise.all(
      families.map(async (family) => {
        const { scene } = models[family]
        const turn = turnOf(scene, FAMILIES[family])
        const trips: Trip[] = [
          { sampling: true },
          { sampling: false },
          { sampling: true, turn },
          { sampling: false, turn },
          { sampling: true, fps: 24 },
        ]
        return { glb: await exported(scene), fps: FAMILIES[family], trips }
      }),
    )
    const back = throughBlender(jobs)
    const files = Object.fromEntries(
      families.map((family, i) => [family, Object.fromEntries(KINDS.map((kind, k) => [kind, back[i][k]]))]),
    ) as Record<FamilyName, Record<Kind, Uint8Array>>
    if (process.env.MARROW_RECORD_TRIPS) {
      mkdirSync(FIXTURES, { recursive: true })
      for (const family of families)
        for (const kind of KINDS) writeFileSync(fixture(family, kind), gzipSync(files[family][kind], { level: 9 }))
    }
    return files
  })
else
  describe.skip('through Blender (skipped: it is not installed, and MARROW_BLENDER names none)', () => it('goes and comes back', () => {}))
