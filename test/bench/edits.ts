/** An edit through the services: the call, and what crosses to the window. Against the same with the whole scene. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Row } from './measure.ts'
import { createServices } from '../../src/main/services/create-services.ts'
import { dispatch } from '../../src/main/services/dispatch.ts'
import type { CallArgs, CallName, CallResult } from '../../src/shared/api/contract.ts'
import { encodeMessage } from '../../src/shared/api/wire.ts'

const RUNS = 20

export async function editRows(): Promise<Row[]> {
  const state = mkdtempSync(join(tmpdir(), 'marrow-bench-'))
  const services = createServices({ stateFolder: state, host: 'web', watchEvery: 0 })
  const call = async <K extends CallName>(name: K, args: CallArgs<K>): Promise<CallResult<K>> => {
    const answer = await dispatch(services, name, args, new AbortController().signal)
    if (!answer.ok) throw new Error(`${name}: ${answer.error.message}`)
    return answer.value as CallResult<K>
  }
  try {
    const library = await call('library.openSample', {})
    await call('library.scan', { library: library.id })
    const { rows: models } = await call('library.query', { library: library.id, show: 'models', sort: 'size', descending: true, offset: 0, limit: 100 })
    const rows: Row[] = []
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
        const result = await call('clips.editKeys', { model: info.id, label: 'Move', merge: 'drag', edits: [{ track: track.id, set: { keys: Uint32Array.of(0), times: track.times.slice(0, 1), values } }] })
        const wire = encodeMessage({ kind: 'result', id: 1, value: result })
        least = Math.min(least, performance.now() - start)
        bytes = wire.length
      }
      const start = performance.now()
      const whole = encodeMessage({ kind: 'result', id: 1, value: await call('model.scene', { model: info.id }) }).length
      rows.push({ name: `${family}: edit of a key, ${Math.round(bytes / 1024)} of ${Math.round(whole / 1024)} KiB cross`, bytes, ms: least, against: 'taking the whole scene', againstMs: performance.now() - start, aim: 0 })
      await call('model.close', { model: info.id, discard: true })
    }
    return rows
  } finally {
    await services.close()
    rmSync(state, { recursive: true, force: true })
  }
}
