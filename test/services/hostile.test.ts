/** Calls with arguments that fit the contract and mean nothing: refused with a word, or taken; never an internal error, never bytes that cannot be read again. */
import { symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { junk } from '../support/hostile.ts'
import { writePng } from '../../src/main/interchange/png.ts'
import { sampleTree, scanned, serviceBenches } from '../support/service-bench.ts'
import { writeFiles } from '../workspace/support.ts'
import type { CallName } from '../../src/shared/api/contract.ts'

const files = sampleTree()
const { base, game, call, ask } = serviceBenches(afterAll)({ files })

/** Numbers that are numbers of nothing. */
const onePixel = writePng({ width: 1, height: 1, rgba: Uint8Array.of(1, 2, 3, 4) })
const INDICES = [0, 1, 65_535, 65_536, 2 ** 31, 2 ** 32, 2 ** 53 - 1]
const FLOATS = [0, -1, 1e-45, -0, 3.5e38, 1e300, -1e300, 2 ** 31, 2 ** 32]
const TEXTS = [
  '',
  '\0',
  'a\0b',
  '..',
  '../../x',
  '/etc/passwd',
  'CON',
  'x'.repeat(4096),
  '\ud800',
  '"',
  '\\',
  '\n',
  '日本語',
  '__proto__',
  '#',
  '{}',
  '\u0080',
]
const F32 = [NaN, Infinity, -Infinity, 3e38, 0, -1]

const PRIMARIES: [string, RegExp][] = [
  ['level5', /adventurer\.mds$/],
  ['lostsaga', /animodel\/adventurer\.txt$/],
  ['renderware', /peds\/adventurer\.dff$/],
  ['w3d', /\.w3d$/i],
]

describe.each(PRIMARIES)('hostile calls on a %s model', (family, pattern) => {
  // the model itself, whichever of its files has the bones
  const found = Object.keys(files).find((path) => pattern.test(path))!
  it('are refused or taken, and the model still stands', { timeout: 120_000 }, async () => {
    const library = await scanned(call, game)
    const { info, scene } = await call('model.open', { ref: join(game, found), library })
    const model = info.id
    const problems: string[] = []
    const shown = (args: unknown): string =>
      JSON.stringify(args, (_key, value: unknown) =>
        ArrayBuffer.isView(value)
          ? `${value.constructor.name}(${(value as Uint8Array).length}) ${(value as Uint8Array).slice(0, 3).join()}`
          : typeof value === 'string' && value.length > 40
            ? `${value.slice(0, 40)}…`
            : value,
      )
    let taken = 0
    const attempt = async (name: CallName, args: Record<string, unknown>): Promise<void> => {
      const answer = await ask(name, { model, ...args })
      if (!answer.ok) {
        if (answer.error.code === 'internal' || answer.error.message === '')
          problems.push(`${name} ${shown(args)}: ${answer.error.code} ${answer.error.message}`)
        return
      }
      if (!/\.(check|tracks|changedTracks|fields|list|read|storage|png|pixels|extract|structure|bytes|changes|problems)$/.test(name)) {
        taken++
        // what was taken can be taken back
        const back = await ask('history.undo', { model })
        if (!back.ok && back.error.code === 'internal') problems.push(`undo of ${name} ${shown(args)}: ${back.error.message}`)
      }
    }
    expect(family).toBe(info.family)

    for (const at of INDICES) {
      for (const name of ['clips.tracks', 'clips.fields'] as const) await attempt(name, { clip: at })
      for (const since of [0, at]) await attempt('clips.changedTracks', { clip: at, since })
      await attempt('skeleton.fields', { joint: at })
      for (const name of ['slices.remove', 'slices.duplicate', 'slices.extract'] as const) await attempt(name, { slice: at })
      for (const to of [0, 2 ** 31, 2 ** 53 - 1]) await attempt('slices.move', { from: at, to })
      await attempt('slices.replaceWindow', { slice: at, bytes: Uint8Array.from([0xff, 0xff, 0xff, 0xff, 1, 2, 3]) })
      await attempt('skeleton.reparent', { joint: at, parent: at })
      await attempt('skeleton.reparent', { joint: 0, parent: at })
      for (const name of ['clips.remove', 'clips.duplicate', 'clips.rename'] as const) await attempt(name, { clip: at, name: 'x' })
      await attempt('clips.unpack', { clip: at })
      await attempt('clips.move', { from: at, to: 0 })
      await attempt('clips.join', { clip: 0, other: at })
      await attempt('clips.addTrack', { clip: at, joint: 0, property: 'scale' })
      await attempt('clips.addTrack', { clip: 0, joint: at, property: 'visibility' })
      await attempt('events.add', { clip: at, event: { time: 1e300, type: '1', info: '' } })
      await attempt('events.remove', { clip: 0, event: at })
      await attempt('textures.storage', { texture: at })
      await attempt('textures.png', { texture: at })
      for (const original of [false, true]) {
        await attempt('textures.pixels', { texture: at, level: 0, original })
        await attempt('textures.pixels', { texture: 0, level: at, original })
      }
      for (const bytes of [new Uint8Array(0), junk(64), onePixel]) await attempt('textures.replace', { texture: at, name: 'x', bytes })
      await attempt('model.bytes', { ref: info.primary, start: at, length: 16 })
      await attempt('changes.restore', { ref: info.primary, part: { kind: 'range', start: at, end: 2 ** 53 - 1, newStart: at, newEnd: 0 } })
      for (const values of [new Float32Array(0), Float32Array.from([NaN, NaN, NaN, NaN])])
        await attempt('clips.pose', {
          clip: 0,
          label: '',
          poses: [{ joint: at, times: Float64Array.from([NaN]), rotation: values, translation: values }],
        })
      await attempt('clips.offset', {
        ...{ clip: 0, label: '', start: -at, end: at, easeIn: at, easeOut: at },
        offsets: [{ joint: at, axes: 'own', turn: [0, 0, 0, 0], move: [at, at, at] }],
      })
    }
    for (const number of FLOATS) {
      await attempt('clips.offset', {
        ...{ clip: 0, label: '', start: number, end: -number, easeIn: number, easeOut: number },
        offsets: [{ joint: 1, axes: 'parent', turn: [number, 0, 0, number], move: [number, 0, number] }],
      })
      await attempt('slices.check', { values: { name: 'x', start: number, end: -number, speed: number } })
      await attempt('slices.add', { at: 0, clip: 0, values: { name: 'x', start: number, end: number, speed: number } })
      await attempt('slices.set', { slice: 0, values: { end: number } })
      await attempt('clips.add', { name: 'x', from: { clip: 0, start: number, end: -number } })
      await attempt('clips.split', { clip: 0, time: number, name: 'x' })
      await attempt('events.add', { clip: 0, event: { time: number, type: String(number), info: 'x' } })
      for (const joint of [0, 1]) {
        for (const key of ['translation', 'rotation', 'matrix', 'position', 'x'])
          for (const value of [[number], new Array<number>(16).fill(number), []]) await attempt('skeleton.setField', { joint, key, value })
        await attempt('skeleton.place', { joint, translation: [number, number, number], rotation: [number, 0, 0, 1], keepSkin: true })
      }
    }
    for (const text of TEXTS) {
      await attempt('skeleton.rename', { joint: 1, name: text, follow: true })
      await attempt('slices.add', { at: 0, clip: 0, values: { name: text, start: 0, end: 1, speed: 1 } })
      await attempt('slices.set', { slice: 0, values: { name: text } })
      for (const name of ['clips.add', 'clips.duplicate', 'clips.rename'] as const) await attempt(name, { clip: 0, name: text })
      await attempt('clips.merge', { name: text, bytes: junk(64) })
      await attempt('clips.moveTo', { clip: 0, ref: text })
      await attempt('clips.setField', { clip: 0, key: text, value: 'x' })
      for (const key of ['name', 'rate', 'frames']) await attempt('clips.setField', { clip: 0, key, value: text })
      await attempt('clips.removeTrack', { track: text })
      await attempt('weights.read', { id: text })
      await attempt('model.structure', { ref: text })
      await attempt('model.bytes', { ref: text, start: 0, length: 1 })
      await attempt('model.choose', { key: text, value: text })
      await attempt('model.bind', { role: text, ref: text })
      await attempt('model.fixAll', { code: text, fix: text })
      await attempt('model.fix', { problem: { ref: text, code: text, path: text }, fix: text })
      await attempt('changes.restore', { ref: info.primary, part: { kind: 'node', path: text, start: 0, newStart: 0 } })
      await attempt('events.add', { clip: 0, event: { time: 0, type: text, info: text } })
      await attempt('skeleton.setField', { joint: 0, key: text, value: text })
    }
    // fields under their own names, with numbers of nothing
    const { fields } = await call('skeleton.fields', { model, joint: 1 })
    for (const { key } of fields)
      for (const value of [[NaN], [1e300, -1e300, 1e300, 1e300], new Array<number>(16).fill(1e300), [], 'x', ''])
        await attempt('skeleton.setField', { joint: 1, key, value })
    const clipFields = (await ask('clips.fields', { model, clip: 0 })) as { ok: boolean; value: { key: string }[] }
    if (clipFields.ok)
      for (const { key } of clipFields.value.slice(0, 6))
        for (const value of [...FLOATS, ...TEXTS]) await attempt('clips.setField', { clip: 0, key, value })

    const tracks = scene.clips.length > 0 ? await call('clips.tracks', { model, clip: 0 }) : []
    for (const track of [tracks[0], tracks.at(-1)].filter((t) => t !== undefined)) {
      const width = track.components.length
      const edit = (edits: Record<string, unknown>): Promise<void> =>
        attempt('clips.editKeys', { label: 'x', edits: [{ track: track.id, ...edits }] })
      for (const bad of F32) {
        await edit({ set: { keys: Uint32Array.of(0), times: Float64Array.of(track.times[0]), values: new Float32Array(width).fill(bad) } })
        await edit({ set: { keys: Uint32Array.of(0), times: Float64Array.of(bad), values: new Float32Array(width) } })
        await edit({ insert: { times: Float64Array.of(bad), values: new Float32Array(width) } })
        await edit({ insert: { times: Float64Array.of(track.times[0] + 0.5), values: new Float32Array(width).fill(bad) } })
      }
      for (const key of [track.times.length, 0xffffffff]) {
        await edit({ remove: Uint32Array.of(key) })
        await edit({ set: { keys: Uint32Array.of(key), times: Float64Array.of(0), values: new Float32Array(width) } })
      }
      await edit({ remove: new Uint32Array(100_000) })
      await edit({ remove: Uint32Array.from(track.times.keys()) })
      await edit({ set: { keys: new Uint32Array(3), times: new Float64Array(2), values: new Float32Array(width) } })
      await edit({ set: { keys: Uint32Array.of(0, 0, 0), times: new Float64Array(3), values: new Float32Array(3 * width) } })
      await edit({ insert: { times: new Float64Array(5), values: new Float32Array(0) } })
      await edit({ insert: { times: Float64Array.from({ length: 70_000 }, (_, i) => i + 1e6), values: new Float32Array(70_000 * width) } })
      await edit({})
      await attempt('clips.editKeys', { label: 'x', edits: new Array(2000).fill({ track: track.id, remove: Uint32Array.of(0) }) })
    }
    const [mesh] = await call('weights.list', { model })
    if (mesh) {
      const native = await call('weights.read', { model, id: mesh.id })
      expect(native).toBeDefined()
      const write = (edit: Record<string, unknown>): Promise<void> =>
        attempt('weights.write', { label: 'x', edit: { id: mesh.id, ...edit } })
      for (const bad of F32)
        await write({ vertices: Uint32Array.of(0), offsets: Uint32Array.of(0, 1), bone: Uint16Array.of(0), weight: Float32Array.of(bad) })
      await write({
        vertices: Uint32Array.of(0xffffffff),
        offsets: Uint32Array.of(0, 1),
        bone: Uint16Array.of(0),
        weight: Float32Array.of(1),
      })
      await write({ vertices: Uint32Array.of(0), offsets: Uint32Array.of(0, 1), bone: Uint16Array.of(65_535), weight: Float32Array.of(1) })
      await write({
        vertices: Uint32Array.of(0),
        offsets: Uint32Array.of(0, 0xffffffff),
        bone: Uint16Array.of(0),
        weight: Float32Array.of(1),
      })
      await write({
        vertices: Uint32Array.of(0, 1),
        offsets: Uint32Array.of(0, 2, 1),
        bone: Uint16Array.of(0, 0),
        weight: Float32Array.of(1, 1),
      })
      await write({ vertices: Uint32Array.of(0), offsets: new Uint32Array(0), bone: new Uint16Array(0), weight: new Float32Array(0) })
      await write({
        vertices: Uint32Array.of(0, 0, 0),
        offsets: Uint32Array.of(0, 1, 2, 3),
        bone: new Uint16Array(3),
        weight: Float32Array.of(1, 1, 1),
      })
      await write({
        vertices: Uint32Array.of(0),
        offsets: Uint32Array.of(0, 300),
        bone: Uint16Array.from({ length: 300 }, (_, i) => i % 2),
        weight: new Float32Array(300).fill(1),
      })
      await write({
        vertices: new Uint32Array(200_000),
        offsets: new Uint32Array(200_001),
        bone: new Uint16Array(0),
        weight: new Float32Array(0),
      })
    }
    expect(problems).toEqual([])
    expect(taken).toBeGreaterThan(0)
    // after all of it the files can be read and written, and are what they were
    const state = await call('model.changes', { model })
    expect(state.filter(({ changedBytes }) => changedBytes > 0)).toEqual([])
    await call('model.close', { model, discard: true })
    for (const name of ['model.scene', 'save.write', 'history.undo', 'model.problems', 'weights.list'] as const) {
      const answer = await ask(name, { model })
      expect(answer.ok ? name : answer.error.code).toBe('not-found')
    }
  })
})

describe('hostile places', () => {
  it('nothing outside of a library is opened, saved or exported to', async () => {
    writeFiles(join(base, 'outside'), { 'secret.cfg': Object.values(files)[0] })
    symlinkSync(join(base, 'outside'), join(game, 'link'))
    await call('library.open', { root: game })
    for (const ref of [
      '',
      '.',
      '..',
      '/',
      '/etc/passwd',
      `${game}/../outside/secret.cfg`,
      `${game}/link/secret.cfg`,
      `${game}!x`,
      `${game}/none`,
      '\0',
      `${game}/\0`,
      'C:\\x',
      `${game}${'/x'.repeat(1500)}`,
      `${game}/${'y'.repeat(3000)}`,
      '/proc/self/mem',
      '/dev/zero',
    ]) {
      const answer = await ask('model.open', { ref })
      expect([ref, answer.ok ? 'opened' : answer.error.code]).not.toEqual([ref, expect.stringMatching(/^(opened|internal)$/)])
    }
    for (const folder of [
      '',
      '\0',
      '/proc/self/mem',
      '/dev/null',
      `${dirname(game)}/none/../../../../../x\0`,
      'relative',
      game,
      join(game, 'sub'),
      join(game, 'link'),
    ]) {
      const answer = await ask('settings.set', { saveMode: 'mod-folder', modFolder: folder })
      if (!answer.ok) expect([folder, answer.error.code]).not.toEqual([folder, 'internal'])
    }
    for (const args of [{ library: 'x' }, { library: '__proto__' }, { library: 'constructor' }]) {
      const answer = await ask('library.query', { show: 'files', sort: 'name', offset: 0, limit: 1, ...args })
      expect(answer.ok ? 'ok' : answer.error.code).toMatch(/not-found|invalid-argument/)
    }
    const { id } = await call('library.open', { root: game })
    for (const offset of [2 ** 53 - 1, 1e300]) {
      const answer = await ask('library.query', { library: id, show: 'files', sort: 'name', offset, limit: 1 })
      expect(answer.ok ? 'ok' : answer.error.code).toMatch(/^(ok|invalid-argument)$/)
    }
  })
})
