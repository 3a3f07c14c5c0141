import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { marrow } from '../cli/run.ts'
import { sampleTree, scanned, serviceBenches } from '../support/service-bench.ts'

const sample = sampleTree((path) => /^San Andreas\/models\/(peds\/|adventurer\.ifp)/.test(path))
const { base, game, call } = serviceBenches(afterAll)({
  // the animations beside the model
  files: Object.fromEntries(
    Object.entries(sample).map(([path, bytes]) => [path.replace('models/adventurer', 'models/peds/adventurer'), bytes]),
  ),
})
const ped = join(game, 'San Andreas/models/peds/adventurer.dff')

let model = ''
/** the model's own animations on a skeleton with names of another program */
let bytes = new Uint8Array(0)
const file = join(base, 'out', 'other.gltf')
const renamed = new Map<string, string>()

beforeAll(async () => {
  await scanned(call, game)
  const opened = await call('model.open', { ref: ped })
  model = opened.info.id
  mkdirSync(join(base, 'out'))
  const { files } = await call('export.model', { model, to: 'gltf', folder: join(base, 'out') })
  const json = JSON.parse(
    readFileSync(
      files.find((path) => path.endsWith('.gltf'))!,
      'utf8',
    ),
  )
  const moved = new Set<number>(json.animations.flatMap((a: any) => a.channels.map((c: any) => c.target.node)))
  for (const i of moved) {
    const { name } = json.nodes[i] as { name: string }
    const other = `mixamorig:${name
      .replace(/^ ?R /, 'Right')
      .replace(/^ ?L /, 'Left')
      .replace(/[ _](.)/g, (_, c: string) => c.toUpperCase())}`
    renamed.set(other, name)
    json.nodes[i].name = other
  }
  json.buffers[0].uri = `data:application/octet-stream;base64,${readFileSync(files.find((path) => path.endsWith('.bin'))!).toString('base64')}`
  writeFileSync(file, JSON.stringify(json))
  bytes = new Uint8Array(readFileSync(file))
})

describe('animations of a skeleton with other names', () => {
  it('are proposed joints, taken by the map, and remembered', async () => {
    const proposals = await call('import.inspect', { model, name: 'other.gltf', bytes })
    expect(proposals.map(({ node }) => node).sort()).toEqual([...renamed.keys()].sort())
    const right = proposals.filter(({ node, joint }) => renamed.get(node) === joint)
    expect(right.length).toBe(proposals.length)

    const none = await call('import.animation', {
      model,
      name: 'other.gltf',
      bytes,
      map: Object.fromEntries([...renamed.keys()].map((node) => [node, ''])),
    })
    expect(none.report).toMatchObject({ unmatched: [] })
    expect(none.report.imported.every(({ joints }) => joints === 0)).toBe(true)
    const plain = await call('import.animation', { model, name: 'other.gltf', bytes })
    // a prefix is told and no obstacle, another name is one
    const bare = (node: string): string => node.replace('mixamorig:', '')
    const [same, other] = [true, false].map((alike) =>
      [...renamed].filter(([node, joint]) => (bare(node).toLowerCase() === joint.toLowerCase()) === alike).map(([node]) => node),
    )
    expect(same.length * other.length).toBeGreaterThan(0)
    expect(plain.report.unmatched.sort()).toEqual(other.sort())
    expect(plain.report.assumed.sort()).toEqual(same.map((node) => `${node} is ${renamed.get(node)}`).sort())
    expect(plain.info.dirty).toBe(false)

    // the model's own animations under other names: with the map nothing differs
    const map = Object.fromEntries(renamed)
    const taken = await call('import.animation', { model, name: 'other.gltf', bytes, map })
    expect(taken.report.unmatched).toEqual([])
    expect(taken.report.imported.length).toBeGreaterThan(0)
    for (const { joints, keysChanged, keysInserted } of taken.report.imported)
      expect([joints > 10, keysChanged, keysInserted]).toEqual([true, 0, 0])
    expect(taken.info.dirty).toBe(false)

    const [[first]] = renamed
    await call('import.animation', { model, name: 'other.gltf', bytes, map: { ...map, [first]: '' } })
    expect((await call('import.inspect', { model, name: 'again.gltf', bytes })).find(({ node }) => node === first)).toEqual({
      node: first,
      joint: '',
      why: 'kept',
    })
  })

  it('go onto one joint each, and onto joints that are there', async () => {
    const [[a, joint], [b]] = renamed
    await expect(call('import.animation', { model, name: 'x', bytes, map: { [a]: 'nobody' } })).rejects.toMatchObject({
      code: 'invalid-argument',
      message: `no bone is called nobody, which ${a} should move`,
    })
    await expect(
      call('import.animation', { model, name: 'x', bytes, map: { [a]: joint, [b]: joint.toUpperCase() } }),
    ).rejects.toMatchObject({ code: 'invalid-argument' })
    await expect(call('import.animation', { model, name: 'x', bytes, map: { [a]: 5 } as never })).rejects.toMatchObject({
      code: 'invalid-argument',
    })
    await expect(call('import.inspect', { model, name: 'x', bytes: Uint8Array.of(1, 2, 3) })).rejects.toMatchObject({ code: 'bad-magic' })
  })

  it('are mapped on the command line by a file or by themselves', async () => {
    const state = join(base, 'cli')
    const run = (...args: string[]) => marrow(['import', ped, '--from', file, '--json', ...args], { stateFolder: state })
    const maps = join(base, 'map.json')
    const [[left]] = renamed
    writeFileSync(maps, JSON.stringify({ ...Object.fromEntries(renamed), [left]: null }))
    const mapped = await run('--map', maps)
    expect([mapped.status, mapped.json()]).toMatchObject([0, { unmatched: [], saved: [], map: { [left]: '' } }])
    const auto = await run('--map', 'auto')
    expect(auto.json()).toMatchObject({ unmatched: [], saved: [], map: Object.fromEntries(renamed) })
    for (const [text, code] of [
      ['[]', 'bad-value'],
      ['{"a": 5}', 'bad-value'],
      ['{', 'bad-value'],
      ['{"a": "nobody"}', 'invalid-argument'],
    ]) {
      writeFileSync(maps, text)
      expect((await run('--map', maps)).json().error.code, text).toBe(code)
    }
    expect((await run('--map', join(base, 'none.json'))).json().error.code).toBe('not-found')
  })
})
