/** An edit through the services: the call, and what crosses to the window. Against the same with the whole scene. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atMost, best, median, type Row } from './measure.ts'
import { createServices } from '../../src/main/services/create-services.ts'
import { renderware } from '../../src/main/formats/renderware/family.ts'
import { dffFormat } from '../../src/main/formats/renderware/codecs/dff.ts'
import { ifpFormat } from '../../src/main/formats/renderware/codecs/ifp.ts'
import { newIfp } from '../../src/main/formats/renderware/make.ts'
import { encodeDocument } from '../../src/main/formats/format.ts'
import { sampleFiles } from '../../src/main/sample/write-sample.ts'
import { caller, type Call } from '../support/caller.ts'
import { growKeys } from '../support/many-keys.ts'
import { memoryModel } from '../support/edit-session.ts'
import { encodeMessage } from '../../src/shared/api/wire.ts'

const RUNS = 20
/** Of these the window has its part. */
const MANY_KEYS_MS = 30

/** Keys put into a long animation, against a quarter of them into a quarter of its length: the ratio is 1/4 where the work grows with their number alone. */
function insertRow(): Row {
  const ped = sampleFiles().find(({ path }) => /San Andreas.*\.dff$/.test(path))!
  const time = (n: number): number => {
    const times = Float64Array.from({ length: n }, (_, i) => 2 * i)
    const pack = encodeDocument(
      ifpFormat,
      newIfp(
        'p',
        [
          {
            name: 'c',
            tracks: [
              {
                bone: 'Root',
                id: 0,
                times: Array.from(times, (t) => t / 60),
                rotations: new Float32Array(4 * n).map((_, i) => (i % 4 === 3 ? 1 : 0)),
              },
            ],
          },
        ],
        'ANPK',
      ),
    ).bytes.slice()
    const values = new Float32Array(4 * n).map((_, i) => (i % 4 === 3 ? 1 : 0))
    const binding = {
      family: 'renderware' as const,
      name: 'p',
      primary: 'p.dff',
      members: ['p.dff', 'p.ifp'].map((ref) => ({ role: 'x', ref, why: 'name' as const, detail: '' })),
    }
    return best(5, () => {
      const model = memoryModel(renderware, binding, {
        'p.dff': { format: dffFormat, bytes: ped.bytes },
        'p.ifp': { format: ifpFormat, bytes: pack },
      })
      const track = renderware.editor.clips!.tracks(model, 0).find((t) => t.property === 'rotation')!
      renderware.editor.clips!.editKeys(model, [{ track: track.id, insert: { times: times.map((t) => (t + 1) / 60), values } }])
    })
  }
  const n = 10_000
  return { name: `renderware: ${n} keys put among ${n}`, bytes: 0, ms: time(n), against: 'a quarter of it', againstMs: time(n / 4), aim: 0 }
}

/** A key moved in a clip of a quarter of a million: the call and its answer as bytes. */
async function manyKeysRow(call: Call, library: string): Promise<Row> {
  const { rows } = await call('library.query', { library, show: 'models', text: 'chara', sort: 'name', offset: 0, limit: 1 })
  const { info } = await call('model.open', { ref: rows[0].ref, library })
  const model = info.id
  const keys = await growKeys(call)
  const track = (await call('clips.tracks', { model, clip: 0 })).find((t) => t.property === 'rotation')!
  const values = track.values.slice(0, track.components.length)
  const took: number[] = []
  let bytes = 0
  for (let i = 0; i < RUNS; i++) {
    values[0] += 0.001
    const set = { keys: Uint32Array.of(0), times: track.times.slice(0, 1), values }
    const start = performance.now()
    const result = await call('clips.editKeys', { model, label: 'Move', gesture: 'drag', edits: [{ track: track.id, set }] })
    bytes = encodeMessage({ kind: 'result', id: 1, value: result }).length
    took.push(performance.now() - start)
  }
  await call('model.close', { model, discard: true })
  return atMost(`edit of a key of ${keys}, median`, median(took), MANY_KEYS_MS, { bytes, note: `${Math.round(bytes / 1024)} KiB cross` })
}

export async function editRows(): Promise<Row[]> {
  const state = mkdtempSync(join(tmpdir(), 'marrow-bench-'))
  const services = createServices({ stateFolder: state, host: 'web', watchEvery: 0 })
  const call = caller(() => services)
  try {
    const library = await call('library.openSample', {})
    await call('library.scan', { library: library.id })
    const { rows: models } = await call('library.query', {
      library: library.id,
      show: 'models',
      sort: 'size',
      descending: true,
      offset: 0,
      limit: 100,
    })
    const rows: Row[] = [insertRow()]
    const families = new Set<string>()
    for (const { ref, family } of models) {
      if (families.has(family)) continue
      const { info, scene } = await call('model.open', { ref, library: library.id })
      if (!info.abilities.clips || scene.clips.length === 0) continue
      const track = (await call('clips.tracks', { model: info.id, clip: 0 })).find((t) => t.times.length > 1 && t.limits.readOnly === '')
      if (!track) continue
      families.add(family)
      let least = Infinity
      let bytes = 0
      for (let i = 0; i < RUNS; i++) {
        const values = track.values.slice(0, track.components.length)
        values[0] += 0.001 * (i + 1)
        const start = performance.now()
        const result = await call('clips.editKeys', {
          model: info.id,
          label: 'Move',
          gesture: 'drag',
          edits: [{ track: track.id, set: { keys: Uint32Array.of(0), times: track.times.slice(0, 1), values } }],
        })
        const wire = encodeMessage({ kind: 'result', id: 1, value: result })
        least = Math.min(least, performance.now() - start)
        bytes = wire.length
      }
      const start = performance.now()
      const whole = encodeMessage({ kind: 'result', id: 1, value: await call('model.scene', { model: info.id }) }).length
      rows.push({
        name: `${family}: edit of a key`,
        note: `${Math.round(bytes / 1024)} of ${Math.round(whole / 1024)} KiB cross`,
        bytes,
        ms: least,
        against: 'taking the whole scene',
        againstMs: performance.now() - start,
        aim: 0,
      })
      await call('model.close', { model: info.id, discard: true })
    }
    rows.push(await manyKeysRow(call, library.id))
    return rows
  } finally {
    await services.close()
    rmSync(state, { recursive: true, force: true })
  }
}
