/**
 * Through Blender and back. Where Blender is installed the trips are made (MARROW_RECORD_TRIPS=1 keeps what it wrote as
 * fixtures); what it wrote from the sample library's models is imported everywhere.
 */
import { WebIO } from '@gltf-transform/core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { blender, throughBlender } from './blender.ts'
import { exported, exportedShape, FAMILIES, paintedOf, restedOf, SampleLibrary, turnOf } from './round-trip.ts'
import { recorded, recordedNow } from './recorded.ts'
import { createPose } from '../../../src/shared/scene/pose.ts'
import { skinMesh } from '../../../src/shared/scene/skinning.ts'
import type { CallArgs, CallResult } from '../../../src/shared/api/contract.ts'
import type { OpenedModel } from '../../../src/shared/api/types/model.ts'
import type { Trip } from './blender.ts'
import type { FamilyName } from './round-trip.ts'

const families = Object.keys(FAMILIES) as FamilyName[]
const KINDS = ['sampled', 'keys', 'turned', 'turned-keys', 'slow', 'shape', 'weighted', 'rested'] as const
type Kind = (typeof KINDS)[number]

function suite(
  name: string,
  trips: (models: Record<FamilyName, OpenedModel>) => Promise<Record<FamilyName, Record<Kind, Uint8Array>>>,
): void {
  describe(name, () => {
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

    const weightsOf = async (model: string) => {
      const all = await library.call('weights.list', { model })
      const read = await Promise.all(all.map(async ({ id }) => [id, await library.call('weights.read', { model, id })] as const))
      return new Map(read)
    }

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

      it(`${family}: weights and rest pose that nobody touched change nothing`, async () => {
        for (const kind of ['shape', 'sampled'] as const) {
          const { info, report } = await importing(family, kind, { weights: true, rest: true, animations: kind === 'sampled' })
          expect(report).toMatchObject({ unmatched: [], left: [], placed: [] })
          expect(report.weights!.length).toBeGreaterThan(0)
          for (const weights of report.weights!)
            expect(weights).toMatchObject({ by: 'order', changed: 0, missing: 0, apart: 0, limited: 0, off: 0 })
          expect(info.dirty).toBe(false)
          expect(await library.call('model.changes', { model: info.id })).toEqual([])
        }
      })

      it(`${family}: weights of one group that was painted change their vertices alone`, async () => {
        const { scene, info } = models[family]
        const painted = paintedOf(scene)
        const before = await weightsOf(info.id)
        const { report } = await importing(family, 'weighted', { weights: true, rest: true, animations: false })
        expect(report).toMatchObject({ left: [], placed: [] })
        const [done, ...others] = report.weights!.filter(({ changed }) => changed > 0)
        expect(others).toEqual([])
        expect(done).toMatchObject({ by: 'order', missing: 0, apart: 0 })
        const after = await weightsOf(info.id)
        let changed = 0
        for (const [id, was] of before) {
          const now = after.get(id)!
          const names = was.bones.map(({ name }) => name.trim())
          const [from, onto] = [names.indexOf(painted.joint.trim()), names.indexOf(painted.onto.trim())]
          const rowOf = (weights: typeof was, v: number): Map<number, number> =>
            new Map(
              Array.from({ length: weights.offsets[v + 1] - weights.offsets[v] }, (_, i) => [
                weights.bone[weights.offsets[v] + i],
                weights.weight[weights.offsets[v] + i] / weights.limits.fullWeight,
              ]),
            )
          for (let v = 0; v < was.vertexCount; v++) {
            const [old, own] = [rowOf(was, v), rowOf(now, v)]
            if ([...old].join(' ') === [...own].join(' ')) continue
            changed++
            const moved = 0.75 * (old.get(from) ?? 0)
            const wanted = new Map(old).set(from, old.get(from)! - moved).set(onto, (old.get(onto) ?? 0) + moved)
            // as many bones as the format has room for
            const room = was.limits.maxInfluences || 4
            const kept = [...wanted].sort((a, b) => b[1] - a[1]).slice(0, room)
            const sum = kept.reduce((all, [, weight]) => all + weight, 0)
            for (const [bone, weight] of kept) expect(own.get(bone) ?? 0).toBeCloseTo(weight / sum, was.limits.step > 0 ? 1 : 4)
          }
        }
        expect(changed).toBe(done.changed)
        // one step of undo, and every byte is as it was
        const undone = await library.call('history.undo', { model: info.id })
        expect(undone.info.dirty).toBe(false)
      })

      it(`${family}: bones that were moved and turned in edit mode rest there, and the mesh stays`, async () => {
        const { scene, info } = models[family]
        const [moved, turned] = restedOf(scene)
        const { report } = await importing(family, 'rested', { rest: true, weights: true, animations: false })
        expect(report.left).toEqual([])
        for (const weights of report.weights!) expect(weights.changed).toBe(0)
        expect(report.placed!.map(({ joint }) => joint)).toEqual(expect.arrayContaining([moved.joint, turned.joint]))
        const after = (await library.call('model.scene', { model: info.id })).scene
        const [was, now] = [createPose(scene), createPose(after)]
        const size = Math.abs(moved.by) / 0.05
        scene.skeleton.names.forEach((name, joint) => {
          const o = 16 * joint
          const way = [0, 1, 2].map((c) => now.world[o + 12 + c] - was.world[o + 12 + c])
          const wanted = name === moved.joint ? [0, moved.by, 0] : [0, 0, 0]
          way.forEach((value, c) => expect(Math.abs(value - wanted[c]) / size, `${name} ${way.join(' ')}`).toBeLessThan(1e-3))
          // the angle between the axes before and after
          const trace = [0, 1, 2, 4, 5, 6, 8, 9, 10].reduce((sum, c) => sum + was.world[o + c] * now.world[o + c], 0)
          const scale = Math.hypot(...was.world.subarray(o, o + 3)) ** 2
          const degrees = (Math.acos(Math.min(1, (trace / scale - 1) / 2)) * 180) / Math.PI
          expect(Math.abs(degrees - (name === turned.joint ? 15 : 0)), name).toBeLessThan(0.1)
        })
        scene.meshes.forEach((mesh, i) => {
          if (mesh.skin < 0) return
          const shown = [mesh, after.meshes[i]].map((one, k) => {
            const out = new Float32Array(mesh.positions.length)
            const skin = [scene, after][k].skins[one.skin]
            const palette = new Float32Array(16 * skin.joints.length)
            skinMesh(one, skin, [was, now][k], out, new Float32Array(mesh.normals.length), palette)
            return out
          })
          shown[0].forEach((value, c) => expect(Math.abs(value - shown[1][c]) / size).toBeLessThan(2e-3))
        })
        expect((await library.call('history.undo', { model: info.id })).info.dirty).toBe(false)
      })

      for (const kind of ['turned', 'turned-keys'] as const)
        it(`${family}: a bone that was turned at one frame (${kind}) changes its own keys alone`, async () => {
          const { scene } = models[family]
          const turn = turnOf(scene, FAMILIES[family])!
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

suite('as Blender wrote it once', () => Promise.resolve(recorded(families, KINDS)))

if (blender)
  suite('through Blender', async (models) => {
    const jobs = await Promise.all(
      families.map(async (family) => {
        const { scene } = models[family]
        const turn = turnOf(scene, FAMILIES[family])!
        const trips: Trip[] = [
          { sampling: true },
          { sampling: false },
          { sampling: true, turn },
          { sampling: false, turn },
          { sampling: true, fps: 24 },
        ]
        const shape: Trip[] = [{ sampling: true }, { sampling: true, weights: paintedOf(scene) }, { sampling: true, rest: restedOf(scene) }]
        const fps = FAMILIES[family]
        return [
          { glb: await exported(scene), fps, trips },
          { glb: await exportedShape(scene), fps, trips: shape },
        ]
      }),
    )
    const back = throughBlender(jobs.flat())
    return recordedNow(
      families,
      KINDS,
      families.map((_, i) => [...back[2 * i], ...back[2 * i + 1]]),
    )
  })
else
  describe.skip('through Blender (skipped: it is not installed, and MARROW_BLENDER names none)', () => it('goes and comes back', () => {}))
