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
import { sampleTree } from '../support/service-bench.ts'
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

/** A command on a copy of the sample, with the registry that ships. @param args of what is made in a folder, after the path of the model */
function onSample(files: RegExp, target: string, args: (at: (path: string) => string) => string[]): () => Promise<Case> {
  return () => {
    const root = tempFolder(sampleTree((path) => files.test(path)))
    const at = (path: string): string => join(root, path)
    return Promise.resolve({ target: at(target), args: args(at), options: { registry, stateFolder: tempFolder() } })
  }
}

const [PEDS, MODEL, PACKAGE] = [
  /^San Andreas\/models\/(peds|adventurer)/,
  'San Andreas/models/peds/adventurer.dff',
  'San Andreas/models/adventurer.ifp',
]
const [WALKER, UNIT] = [/^Zero Hour\/Art\//, 'Zero Hour/Art/W3D/WALKER_SKN.W3D']
const clip = (...[verb, ...rest]: string[]): (() => Promise<Case>) => onSample(PEDS, PACKAGE, (at) => ['clip', verb, at(MODEL), ...rest])

/** The package of another copy of the figure, whose clips have other names. */
async function merged(): Promise<Case> {
  const given = await clip()()
  const other = given.args[2].replace(MODEL, PACKAGE)
  const own = readFileSync(other)
  const file = join(tempFolder(), 'other.ifp')
  writeFileSync(file, Buffer.from(own.toString('latin1').replaceAll('idle\0', 'rest\0'), 'latin1'))
  return { ...given, args: ['clip', 'merge', given.args[2], file, '--clip', 'rest'] }
}

describe('a write-protected file', () => {
  const cases: [string, () => Promise<Case>][] = [
    ['slice set', slices('set', '0', '--end', '12')],
    ['slice add', slices('add', '--name', 'c', '--start', '1', '--end', '2')],
    ['slice remove', slices('remove', '0')],
    ['slice set in a pack', member],
    ['texture set', texture],
    ['patch build', build],
    ['field set', onSample(PEDS, PACKAGE, (at) => ['field', 'set', at(PACKAGE), 'animations[0].name', 'stand'])],
    ['clip new', clip('new', 'still')],
    ['clip duplicate', clip('duplicate', 'walk', 'stroll')],
    ['clip rename', clip('rename', 'walk', 'stroll')],
    ['clip remove', clip('remove', 'walk')],
    ['clip merge', merged],
    ['clip unpack', onSample(WALKER, UNIT.replace('SKN', 'FRA'), (at) => ['clip', 'unpack', at(UNIT), 'WALKER_FRA'])],
    ['retarget', onSample(PEDS, PACKAGE, (at) => ['retarget', at(MODEL), '--from', at(MODEL), '--clip', 'walk', '--into', 'idle'])],
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
