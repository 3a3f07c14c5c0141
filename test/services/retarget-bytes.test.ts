/** What a motion costs where it is written: bytes of undo and redo, and the two errors that a report tells apart. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exportedRest } from '../../src/main/interchange/exported-rest.ts'
import { figureOf } from '../../src/shared/motion/figure.ts'
import { modelRows, openPosable, scannedSample, serviceBenches } from '../support/service-bench.ts'
import type { FamilyId } from '../../src/shared/api/types/family.ts'
import type { OpenedModel } from '../../src/shared/api/types/model.ts'
import type { RetargetReport } from '../../src/shared/api/types/retarget.ts'
import type { Call } from '../support/caller.ts'

const start = serviceBenches(afterAll)
const models = new Map<FamilyId, OpenedModel>()
let call: Call

beforeAll(async () => {
  const bench = start()
  call = bench.call
  const library = await scannedSample(bench)
  const rows = await modelRows(call, library)
  for (const family of ['renderware', 'level5', 'lostsaga', 'w3d'] as const)
    models.set(family, await openPosable(call, library, rows, family))
})

/** Every file of a model, whole. */
async function bytesOf(model: string): Promise<Map<string, string>> {
  const { files } = (await call('model.scene', { model })).info
  const out = new Map<string, string>()
  for (const { ref, size } of files) {
    const parts: string[] = []
    for (let at = 0; at < size; at += 65_536)
      parts.push(Buffer.from(await call('model.bytes', { model, ref, start: at, length: Math.min(65_536, size - at) })).toString('latin1'))
    out.set(ref, parts.join(''))
  }
  return out
}

const clipOf = (family: FamilyId): { model: string; into: string } => {
  const { info, scene } = models.get(family)!
  return { model: info.id, into: scene.slices[0]?.name || scene.clips[0].name }
}

describe.each(['renderware', 'level5', 'lostsaga', 'w3d'] as const)('a motion that %s takes', (family) => {
  it('is undone to the bytes that were there, and done again to the bytes that it made', async () => {
    const from = models.get(family === 'renderware' ? 'level5' : 'renderware')!
    const { model, into } = clipOf(family)
    const wishes = { model, source: from.info.id, clip: family === 'renderware' ? '攻撃' : 'attack', into }
    const before = await bytesOf(model)
    const { report } = await call('retarget.apply', wishes)
    expect(report.changed.length).toBeGreaterThan(0)
    const made = await bytesOf(model)
    const changed = [...made].filter(([ref, bytes]) => bytes !== before.get(ref))
    expect(changed).toHaveLength(1)
    await call('history.undo', { model })
    expect(await bytesOf(model)).toEqual(before)
    await call('history.redo', { model })
    expect(await bytesOf(model)).toEqual(made)
    await call('history.undo', { model })
  })
})

describe('what a report tells', () => {
  /** what packed values add, in degrees: floats nothing, 16 bits a little */
  it.each([
    ['level5', 0, 1e-4],
    ['renderware', 0.01, 0.1],
  ] as const)('of %s keeps fewer keys and packed values apart', async (family, least, most) => {
    const from = models.get(family === 'renderware' ? 'level5' : 'renderware')!
    const { model, into } = clipOf(family)
    const wishes = { model, source: from.info.id, clip: family === 'renderware' ? '攻撃' : 'attack', into }
    const { report: fine } = await call('retarget.preview', { ...wishes, bound: 0.0002 })
    const { report: coarse } = await call('retarget.preview', { ...wishes, bound: 0.002 })
    expect(coarse.reduced).toBeGreaterThan(5 * fine.reduced)
    expect(coarse.keysWritten).toBeLessThan(fine.keysWritten)
    for (const { coding } of [fine, coarse]) {
      expect(coding.degrees).toBeGreaterThanOrEqual(least)
      expect(coding.degrees).toBeLessThan(most)
    }
  })

  it.each([
    ['level5', undefined],
    ['renderware', undefined],
    ['lostsaga', '4000'],
    ['lostsaga', '4002'],
    ['w3d', undefined],
  ] as const)('of %s (%s) is an error within the bound, fewer keys and packing together', async (family, coding) => {
    const from = models.get(family === 'renderware' ? 'level5' : 'renderware')!
    const { info, scene } = models.get(family)!
    const { height } = figureOf(scene.skeleton, exportedRest(scene).inverseBind)
    const { model, into } = clipOf(family)
    if (coding)
      await call('clips.setField', {
        model: info.id,
        clip: scene.clips.findIndex(({ name }) => name === into),
        key: 'coding',
        value: coding,
      })
    // the deltas of a clip that is there cannot hold it: a new one of W3D has plain channels
    const wishes = {
      model,
      source: from.info.id,
      clip: family === 'renderware' ? '攻撃' : 'attack',
      into: family === 'w3d' ? 'carried' : into,
    }
    // rotations of 16 bits add up to more than the finest bound along a limb
    // as near to a key on every frame as may be asked for; hips and root have places too
    const dense = (await call('retarget.preview', { ...wishes, bound: 1e-5 })).report
    expect(dense.keysWritten).toBeLessThanOrEqual((dense.changed.length + 2) * dense.frames)
    for (const bound of [family === 'renderware' ? 0.001 : 0.0005, 0.0025]) {
      const { report } = await call('retarget.preview', { ...wishes, bound })
      expect(report.changed.length).toBeGreaterThan(3)
      expect(report.error, `${bound}`).toBeGreaterThan(0)
      expect(report.error, `${bound}`).toBeLessThanOrEqual(bound * height)
      // plain channels of W3D have every frame
      expect(report.keysWritten, `${bound}`).toBeLessThan(dense.keysWritten + (family === 'w3d' ? 1 : 0))
    }
  })

  it('of w3d is that deltas of 4 bits cost much, and the plain channels of a new clip nothing', async () => {
    const { model, into } = clipOf('w3d')
    const wishes = { model, source: models.get('renderware')!.info.id, clip: 'attack' }
    const { report: packed } = await call('retarget.preview', { ...wishes, into })
    const { report: plain } = await call('retarget.preview', { ...wishes, into: 'carried' })
    expect(packed.coding.degrees).toBeGreaterThan(1)
    expect(plain.coding.degrees).toBeLessThan(1e-3)
  })

  it('of lostsaga is the same for fewer keys in every coding, and what each of them costs', async () => {
    const { model, into } = clipOf('lostsaga')
    const wishes = { model, source: models.get('renderware')!.info.id, clip: 'attack', into }
    const { scene } = models.get('lostsaga')!
    const clip = scene.clips.findIndex(({ name }) => name === into)
    const told: RetargetReport[] = []
    for (const coding of ['4000', '4001', '4002']) {
      await call('clips.setField', { model, clip, key: 'coding', value: coding })
      told.push((await call('retarget.preview', wishes)).report)
    }
    const [plain, bytes, words] = told
    // where packing costs more than the bound, no other keys would help; where it costs less, keys make room for it
    expect(bytes.reduced).toBeCloseTo(plain.reduced, 9)
    expect(words.reduced).toBeLessThanOrEqual(plain.reduced)
    expect(plain.coding.degrees).toBeLessThan(0.01)
    expect(words.coding.degrees).toBeLessThan(0.1)
    // half a degree a bone, which adds up along an arm
    expect(bytes.coding.degrees).toBeGreaterThan(0.3)
    expect(bytes.coding.degrees).toBeLessThan(3)
  })
})
