import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FormatError } from '../../src/main/binary/format-error.ts'
import { placesFrom } from '../../src/main/cli/import.ts'
import { tempFolder } from '../files/temp.ts'
import { copyCorpus, describeCorpus } from '../support/corpus.ts'
import { withHole, writeHole } from '../support/large-glb.ts'
import { marrow } from './run.ts'
import type { Scene } from '../../src/shared/scene/types.ts'

describeCorpus('level5/dc1-effects', () => {
  it('what was exported goes back without a byte changed; edits are saved and the original kept', async () => {
    const root = tempFolder()
    const state = tempFolder()
    const call = (...args: string[]) => marrow(args, { stateFolder: state })
    copyCorpus('level5/dc1-effects', root)
    const model = join(root, 'Ice.unpacked')
    const out = tempFolder()
    const [glb] = (await call('export', model, '--to', 'glb', '--out', out, '--json')).json().files as string[]
    const same = await call('import', model, '--from', glb, '--json')
    expect(same.status, same.err).toBe(0)
    expect(same.json()).toMatchObject({ unmatched: [], saved: [] })
    expect(same.json().imported.length).toBeGreaterThan(1)
    // beside 500 MB that no import reads
    const large = join(out, 'large.glb')
    writeHole(large, withHole(readFileSync(glb)))
    const heavy = await call('import', model, '--from', large, '--json')
    expect(heavy.status, heavy.err).toBe(0)
    expect(heavy.json().imported).toEqual(same.json().imported)
    rmSync(large)

    const gltf = (await call('export', model, '--to', 'gltf', '--out', out, '--json'))
      .json()
      .files.find((f: string) => f.endsWith('.gltf')) as string
    const json = JSON.parse(readFileSync(gltf, 'utf8'))
    expect((await call('import', model, '--from', gltf)).status).toBe(0)
    writeFileSync(join(out, 'text.glb'), 'no glTF')
    json.buffers[0].uri = '../secret.bin'
    writeFileSync(gltf, JSON.stringify(json))
    expect((await call('import', model, '--from', gltf, '--json')).json().error.code).toBe('refused')
    // the motion of one slice into another
    const [path] = same
      .json()
      .imported.filter((i: { into: string }) => i.into === 'slice')
      .map((i: { index: number }) => String(i.index))
      .slice(-1)
    const moved = await call('import', model, '--from', glb, '--animation', '0', '--slice', path, '--json')
    expect(moved.status, moved.err).toBe(0)
    const { imported, saved } = moved.json()
    expect(imported[0].keysChanged + imported[0].keysInserted).toBeGreaterThan(0)
    expect(saved).toHaveLength(1)
    expect(readdirSync(join(state, 'originals/targets')).filter((name) => name.endsWith('.json'))).toHaveLength(1)
    // left out, and back where it was; the other animations go by their names
    const count = same.json().imported.length as number
    const [last] = same.json().imported.slice(-1) as { animation: string; index: number; into: string }[]
    const without = (await call('import', model, '--from', glb, '--into', `${last.animation}=`, '--json')).json()
    expect(without.imported).toHaveLength(count - 1)
    expect(without.unused).toEqual([last.animation])
    const back = (await call('import', model, '--from', glb, '--into', `${last.animation}=slice ${path}`, '--json')).json()
    expect(back.imported.filter((i: { animation: string }) => i.animation === last.animation)).toMatchObject([
      { into: 'slice', index: Number(path) },
    ])

    for (const [args, code, status] of [
      [['--from', join(out, 'none.glb')], 'not-found', 1],
      [['--from', join(out, 'text.glb')], 'bad-magic', 1],
      [['--from', glb, '--clip', '99'], 'invalid-argument', 2],
      [['--from', glb, '--clip', '0', '--slice', '0'], 'invalid-argument', 2],
      [['--from', glb, '--animation', 'nothing'], 'not-found', 1],
      [['--from', glb, '--into', 'nothing'], 'invalid-argument', 2],
      [['--from', glb, '--into', 'nothing=clip 0'], 'not-found', 1],
      [['--from', glb, '--into', '0=clip 99'], 'invalid-argument', 2],
      [['--from', glb, '--into', '0=clip 0', '0=slice 0'], 'invalid-argument', 2],
      [['--from', glb, '--into', '0=clip 0', '--clip', '0'], 'invalid-argument', 2],
      [['--from', glb, '--joints', 'no such bone'], 'invalid-argument', 2],
    ] as const) {
      const failed = await call('import', model, ...args, '--json')
      expect([failed.json().error.code, failed.status], args.join(' ')).toEqual([code, status])
    }
  })
})

describe('places of animations', () => {
  const scene = {
    slices: [{ name: 'run' }, { name: 'a=b' }],
    clips: [{ name: 'run' }, { name: '' }],
  } as unknown as Pick<Scene, 'slices' | 'clips'>
  const animations = [{ title: 'walk' }, { title: 'x=y' }, { title: 'walk 2' }]
  const places = (...given: string[]): Record<string, string> => placesFrom(given, animations, scene)

  it('go by name or number, into slices and clips by name or number, or nowhere', () => {
    expect(places('walk=run', '1=clip 1', '2=')).toEqual({ 0: 'slice 0', 1: 'clip 1', 2: '' })
    expect(places('x=y=a=b')).toEqual({ 1: 'slice 1' })
    // a clip is called as an export calls it, beside a slice of its name
    expect(places('walk 2=run', 'walk=')).toEqual({ 0: '', 2: 'slice 0' })
    expect(places('walk=run 2', '2=slice 1')).toEqual({ 0: 'clip 0', 2: 'slice 1' })
  })

  it.each([['walk'], ['walk=nowhere'], ['run=walk'], ['walk=slice 2'], ['=run']])('%s is refused', (given) => {
    expect(() => places(given)).toThrow(FormatError)
  })
})

it.skipIf(process.platform === 'win32')('reads from files alone: a device has no end', async () => {
  const answer = await marrow(['import', tempFolder(), '--from', '/dev/zero', '--json'], { stateFolder: tempFolder() })
  expect([answer.status, answer.json().error.code]).toEqual([1, 'io'])
})
