import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fake, fakePack, fakeRegistry } from '../files/fake-family.ts'
import { tempFolder } from '../files/temp.ts'
import { marrow } from './run.ts'

const options = { registry: fakeRegistry, registryModule: new URL('../files/fake-family.ts', import.meta.url).href }

describe('marrow scan', () => {
  const root = tempFolder({
    'a.fake': fake('mesh=a\nbone=b'),
    'p.fpak': fakePack([['x.fake', fake('slice=s')]]),
    'cut.fake': fake('cut').slice(0, 9),
  })
  const db = join(tempFolder(), 'index.sqlite')

  it('prints the report; broken files are rows, not a failure of the scan', async () => {
    const { status, json } = await marrow(['scan', root, '--db', db, '--json'], options)
    expect(status).toBe(0)
    expect(Object.keys(json())).toEqual([
      'files',
      'recognised',
      'models',
      'bones',
      'meshes',
      'slices',
      'weights',
      'textures',
      'errors',
      'seconds',
    ])
    expect(json()).toMatchObject({
      files: 4,
      recognised: 4,
      models: 1,
      bones: 1,
      meshes: 1,
      slices: 1,
      errors: [{ path: join(root, 'cut.fake'), code: 'truncated', offset: 8 }],
    })
    expect(existsSync(db)).toBe(true)
  })
  it('prints text', async () => {
    expect((await marrow(['scan', root, '--db', db], options)).out).toMatch(
      /cut\.fake: truncated at byte 8: .*\n4 files, 4 recognised: 1 models/,
    )
  })
  it('fails for a missing folder and when it is stopped', async () => {
    const missing = await marrow(['scan', join(root, 'none'), '--db', db, '--json'], options)
    expect(missing.status).toBe(1)
    expect(missing.json()).toMatchObject({ error: { code: 'not-found' } })
    const stopped = await marrow(['scan', root, '--db', db, '--json'], { ...options, signal: () => AbortSignal.abort() })
    expect(stopped.status).toBe(1)
    expect(stopped.json()).toMatchObject({ error: { code: 'cancelled' } })
  })
})
