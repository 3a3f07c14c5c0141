/** A track that is added is a run of bytes of its own, beside numbers that count it; taken away it leaves the file as it was. In every family. */
import { afterAll, expect, it } from 'vitest'
import { changedRanges } from '../support/edit-session.ts'
import { fileBytes, modelRows, openPosable, scannedSample, serviceBenches } from '../support/service-bench.ts'

const bench = serviceBenches(afterAll)()
const { call } = bench

/** Bytes of sizes, counts and offsets that may tell of a track more. */
const MOST_COUNTS = 24

/** The bytes without the run that came in: it ends where both are alike up to their ends. */
function withoutRun(before: Buffer, after: Buffer): Buffer {
  let alike = 0
  while (alike < before.length && before[before.length - 1 - alike] === after[after.length - 1 - alike]) alike++
  const end = after.length - alike
  return Buffer.concat([after.subarray(0, end - (after.length - before.length)), after.subarray(end)])
}

it.each(['level5', 'renderware', 'w3d', 'lostsaga'] as const)('a track of %s', async (family) => {
  const library = await scannedSample(bench)
  const { info, scene } = await openPosable(call, library, await modelRows(call, library), family)
  const model = info.id
  const { ref } = scene.clips[0].source
  const there = await call('clips.tracks', { model, clip: 0 })
  const gone = there.find(({ limits, property }) => !limits.readOnly && property === 'rotation')!
  // one that is not there can be added
  await call('clips.removeTrack', { model, track: gone.id })
  const before = await fileBytes(call, model, ref)
  await call('clips.addTrack', { model, clip: 0, joint: gone.joint, property: 'rotation' })
  const after = await fileBytes(call, model, ref)
  expect(after.length).toBeGreaterThan(before.length)
  const counted = changedRanges(before, withoutRun(before, after))
  expect(counted.reduce((sum, [from, to]) => sum + to - from, 0)).toBeLessThanOrEqual(MOST_COUNTS)
  await call('history.undo', { model })
  expect(Buffer.compare(await fileBytes(call, model, ref), before)).toBe(0)
})
