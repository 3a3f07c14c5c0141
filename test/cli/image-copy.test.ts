/** Files in an image of a disc, changed on the command line: into a copy, or where they stand in a copy that Marrow made. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { discImage, filesOfDisc } from '../support/disc-image.ts'
import { readPack } from '../support/read-archives.ts'
import { tempFolder } from '../files/temp.ts'
import { registry } from '../../src/main/formats/registry.ts'
import { marrow } from './run.ts'

const call = (stateFolder: string, ...args: string[]) => marrow(args, { registry, stateFolder })
const PATH = 'tracks[0].word6'
const MEMBER = '!DATA.DAT!chara/c01a.chr!adventurer.mot'

describe('a file in an image of a disc', () => {
  it('is set with --out into a copy, and in the copy where it stands', async () => {
    const state = tempFolder()
    const made = discImage()
    const folder = tempFolder({ 'game.iso': made.image })
    const [image, copy] = [join(folder, 'game.iso'), join(folder, 'out', 'copy.iso')]
    const refused = await call(state, 'field', 'set', image + MEMBER, PATH, '7')
    expect(refused).toMatchObject({ status: 1, err: expect.stringContaining('give --out FILE') })
    expect(refused.err.trim().split('\n')).toHaveLength(1)
    const set = await call(state, 'field', 'set', image + MEMBER, PATH, '7', '--out', copy)
    expect(set).toMatchObject({ status: 0, out: expect.stringContaining(copy) })
    expect(set.err).toContain(`${made.image.length} bytes are written to ${copy}`)
    const word = (): number => {
      const pack = readPack(filesOfDisc(new Uint8Array(readFileSync(copy)), made)[0].bytes)
      return Buffer.from(pack.find(({ name }) => name === 'adventurer.mot')!.bytes).readUInt32LE(24)
    }
    expect(word()).toBe(7)
    expect((await call(state, 'field', 'get', image + MEMBER, PATH)).out).toBe('1953497088\n')
    expect(Buffer.compare(readFileSync(image), made.image)).toBe(0)
    expect(await call(state, 'field', 'set', image + MEMBER, PATH, '8', '--out', copy)).toMatchObject({
      status: 1,
      err: expect.stringContaining('name it in place of the image'),
    })
    expect(await call(state, 'field', 'set', copy + MEMBER, PATH, '9')).toMatchObject({ status: 0 })
    expect(word()).toBe(9)
    // a slice is the model's, which is found by its pack
    const pack = `${copy}!DATA.DAT!chara/c01a.chr`
    expect(await call(state, 'slice', 'set', pack, '1', '--end', '78')).toMatchObject({ status: 0 })
    expect((await call(state, 'slices', pack, '--json')).json().slices[1].end).toBe(78)
    expect(Buffer.compare(readFileSync(image), made.image)).toBe(0)
    // files of its archives, too, and fields of their directories
    const file = join(folder, 'one.bin')
    writeFileSync(file, Buffer.alloc(40, 5))
    const [disc, name] = [`${copy}!DATA.DAT`, 'chara/c02a.chr']
    expect(await call(state, 'archive', 'replace', disc, name, file)).toMatchObject({ status: 0, out: expect.stringContaining(copy) })
    const second = filesOfDisc(new Uint8Array(readFileSync(copy)), made).find((one) => one.name.replaceAll('\\', '/') === name)!
    expect(second.bytes).toEqual(new Uint8Array(40).fill(5))
    expect(await call(tempFolder(), 'archive', 'replace', disc, name, file)).toMatchObject({ status: 1 })
    expect(readdirSync(join(folder, 'out'))).toEqual(['copy.iso'])
    // on another machine, or with another state folder, it is an image like any
    expect(await call(tempFolder(), 'field', 'set', copy + MEMBER, PATH, '10')).toMatchObject({ status: 1 })
  })

  it('goes into the mod folder with --mod, and --out is refused of what stands in no image', async () => {
    const state = tempFolder()
    const made = discImage()
    const folder = tempFolder({ 'game.iso': made.image })
    const mod = join(tempFolder(), 'mod')
    const image = join(folder, 'game.iso')
    const saved = await call(state, 'field', 'set', image + MEMBER, PATH, '7', '--mod', mod, '--game', folder)
    expect(saved).toMatchObject({ status: 0, err: expect.stringContaining('bytes are written to') })
    expect(existsSync(join(mod, 'game.iso'))).toBe(true)
    const loose = tempFolder({ 'a.mot': readPack(made.image.subarray(made.at.get('chara\\c01a.chr')!))[2].bytes })
    expect(await call(state, 'field', 'set', join(loose, 'a.mot'), PATH, '7', '--out', join(loose, 'b.iso'))).toMatchObject({
      status: 2,
      err: expect.stringContaining('--out is for files in an image of a disc'),
    })
  })
})
