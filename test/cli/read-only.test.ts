/** Every command that replaces game files asks before it replaces a write-protected one: --replace-read-only is the leave. */
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { encodeDocument } from '../../src/main/formats/format.ts'
import { newDff, newTxd } from '../../src/main/formats/renderware/make.ts'
import { dffFormat } from '../../src/main/formats/renderware/codecs/dff.ts'
import { txdFormat } from '../../src/main/formats/renderware/codecs/txd.ts'
import { registry } from '../../src/main/formats/registry.ts'
import { writePng } from '../../src/main/interchange/png.ts'
import { pedModel } from '../fixtures/renderware/ped.ts'
import { fake, fakePack, fakeRegistry } from '../files/fake-family.ts'
import { tempFolder } from '../files/temp.ts'
import { marrow } from './run.ts'

const TEXT = 'mesh=hero\nslice=a,1,10,1\nslice=b,2,20,1'
const LEAVE = '--replace-read-only'

interface Case {
  /** the file that the command replaces */
  target: string
  args: string[]
  options: Parameters<typeof marrow>[1]
}

async function texture(): Promise<Case> {
  const white = new Uint8Array(4 * 64).fill(255)
  const txd = encodeDocument(txdFormat, newTxd([{ name: 'skin', width: 8, height: 8, rgba: white, raster: '565' }])).bytes.slice()
  const root = tempFolder({ 'ped.dff': encodeDocument(dffFormat, newDff(pedModel())).bytes.slice(), 'ped.txd': txd })
  const png = join(tempFolder(), 'red.png')
  writeFileSync(png, writePng({ width: 8, height: 8, rgba: white.map((_, i) => (i % 4 === 0 || i % 4 === 3 ? 255 : 0)) }))
  const target = join(root, 'ped.txd')
  return { target, args: ['texture', 'set', target, 'skin', png], options: { registry, stateFolder: tempFolder() } }
}

function slices(...command: string[]): () => Promise<Case> {
  return () => {
    const target = join(tempFolder({ 'hero.fake': fake(TEXT) }), 'hero.fake')
    const [verb, ...rest] = command
    return Promise.resolve({
      target,
      args: ['slice', verb, target, ...rest],
      options: { registry: fakeRegistry, stateFolder: tempFolder() },
    })
  }
}

function member(): Promise<Case> {
  const target = join(tempFolder({ 'p.fpak': fakePack([['orc.fake', fake(TEXT)]]) }), 'p.fpak')
  const options = { registry: fakeRegistry, stateFolder: tempFolder() }
  return Promise.resolve({ target, args: ['slice', 'set', `${target}!orc.fake`, '0', '--end', '12'], options })
}

async function build(): Promise<Case> {
  const options = { registry: fakeRegistry, stateFolder: tempFolder() }
  const files = { 'hero.fake': fake(TEXT) }
  const [root, game, out] = [tempFolder(files), tempFolder(files), tempFolder()]
  const zip = join(out, 'mod.zip')
  expect((await marrow(['slice', 'set', join(root, 'hero.fake'), '0', '--end', '12'], options)).status).toBe(0)
  expect((await marrow(['patch', 'export', root, '--out', zip], options)).status).toBe(0)
  const target = join(out, 'mod', 'hero.fake')
  mkdirSync(dirname(target))
  writeFileSync(target, fake('mesh=old'))
  return { target, args: ['patch', 'build', zip, '--game', game, '--out', join(out, 'mod'), '--force'], options }
}

describe('a write-protected file', () => {
  const cases: [string, () => Promise<Case>][] = [
    ['slice set', slices('set', '0', '--end', '12')],
    ['slice add', slices('add', '--name', 'c', '--start', '1', '--end', '2')],
    ['slice remove', slices('remove', '0')],
    ['slice set in a pack', member],
    ['texture set', texture],
    ['patch build', build],
  ]
  it.each(cases)('is replaced by %s only with the leave, and stays protected', async (_name, make) => {
    const { target, args, options } = await make()
    chmodSync(target, 0o444)
    const before = readFileSync(target)
    const refused = await marrow([...args, '--json'], options)
    expect(refused.status).toBe(1)
    expect(`${refused.out}${refused.err}`).toContain('write-protected')
    expect(readFileSync(target)).toEqual(before)
    const done = await marrow([...args, LEAVE, '--json'], options)
    expect(done.status, done.out + done.err).toBe(0)
    expect(readFileSync(target)).not.toEqual(before)
    expect(statSync(target).mode & 0o777).toBe(0o444)
  })
})
