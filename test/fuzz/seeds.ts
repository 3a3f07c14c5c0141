/** The sound files that damage is done to: the sample library, fixtures of the tests, and real files where they are. */
import { existsSync, statSync } from 'node:fs'
import { basename, dirname, relative } from 'node:path'
import { newDds, decodeDds } from '../../src/main/formats/image/dds.ts'
import { newTga } from '../../src/main/formats/image/tga.ts'
import { newPack } from '../../src/main/formats/level5/archives/pack.ts'
import { HEAD_BYTES, registry } from '../../src/main/formats/registry.ts'
import { makeBig } from '../../src/main/formats/w3d/archives/big.ts'
import { makeMix } from '../../src/main/formats/w3d/archives/mix.ts'
import { sampleFiles } from '../../src/main/sample/write-sample.ts'
import {
  bbpBytes,
  identity,
  imgBytes,
  mdsBytes,
  mdtBytes,
  motTracks,
  nodes,
  packBytes,
  tim2Bytes,
  trackListBytes,
  translation,
  wgtTracks,
} from '../fixtures/level5/bytes.ts'
import { dc1Text, dc2Text, latin } from '../fixtures/level5/text.ts'
import { aniBytes, cmsBytes, MATERIAL_TEXT, MODEL_TEXT, mshBytes, sklBytes, text } from '../fixtures/lostsaga/build.ts'
import { oddDff } from '../fixtures/renderware/ped.ts'
import { cat, f32, name as fixedName, u16, u32 } from '../fixtures/w3d/chunks.ts'
import { aabTree, everything, skin, twoBoneSkin } from '../fixtures/w3d/files.ts'
import { objects } from '../fixtures/w3d/objects.ts'
import { corpusRoot, filesBelow, readBytes } from '../support/corpus.ts'
import { junk } from '../support/hostile.ts'

export interface Seed {
  /** folder and name, for reports */
  path: string
  /** id of its format or archive format */
  format: string
  bytes: Uint8Array
  /** the data file of an archive in two parts */
  data?: Uint8Array
  archive: boolean
}

/** Files above this size are slow to go through and have nothing that smaller ones have not. */
const LARGEST = 700_000

/** Hundreds of real files are alike: this many of each format and folder are enough. */
const PER_FOLDER = 12

export function collectSeeds(options: { corpus?: boolean; largest?: number } = {}): Seed[] {
  const { corpus = true, largest = LARGEST } = options
  const seeds: Seed[] = []
  const add = (path: string, bytes: Uint8Array, data?: Uint8Array): void => {
    if (bytes.length > largest) return
    const found = registry.identify(bytes.subarray(0, HEAD_BYTES), basename(path), bytes.length)
    const id = found?.format?.id ?? found?.archive?.id
    if (id) seeds.push({ path, format: id, bytes, data, archive: found!.archive !== undefined })
  }
  for (const { path, bytes } of sampleFiles()) add(`sample/${path}`, bytes)
  for (const [path, bytes, data] of fixtures()) add(`fixture/${path}`, bytes, data)
  if (corpus && existsSync(corpusRoot)) {
    const counts = new Map<string, number>()
    for (const path of filesBelow(corpusRoot)) {
      if (path.endsWith('README.md') || statSync(path).size > largest) continue
      const bytes = readBytes(path)
      const found = registry.identify(bytes.subarray(0, HEAD_BYTES), basename(path), bytes.length)
      const key = `${dirname(path)} ${found?.format?.id ?? found?.archive?.id ?? ''}`
      const count = counts.get(key) ?? 0
      counts.set(key, count + 1)
      if (count < PER_FOLDER) add(`corpus/${relative(corpusRoot, path).replaceAll('\\', '/')}`, bytes)
    }
  }
  return seeds
}

function fixtures(): [string, Uint8Array, Uint8Array?][] {
  const indexed = tim2Bytes({ imageType: 5, clutType: 3, colors: 256, image: junk(256), clut: junk(1024) })
  const rgba = junk(16 * 16 * 4, 5)
  const cells = junk(4 * 4 * 4, 6)
  return [
    ['level5/hero.mds', mdsBytes(nodes)],
    [
      'level5/odd.mds',
      mdsBytes([{ ...nodes[0], mesh: mdtBytes({ colors: true, seed: 4 }) } as (typeof nodes)[0]], { gap: 12, trailing: 9 }),
    ],
    ['level5/hero.mot', trackListBytes(motTracks, junk(5))],
    ['level5/counted.mot', trackListBytes(motTracks.map((t) => ({ ...t, next: 0 })))],
    ['level5/hero.wgt', trackListBytes(wgtTracks)],
    ['level5/hero.bbp', bbpBytes([identity, translation(0, 10, 0), translation(0, 5, 0), translation(1, 0, 0)])],
    ['level5/hero.cfg', latin(dc1Text)],
    ['level5/info.cfg', latin(dc2Text)],
    ['level5/skin.img', imgBytes('IM2', [['skin', indexed]])],
    [
      'level5/skin3.img',
      imgBytes(
        'IM3',
        [
          ['skin', indexed],
          ['other', indexed],
        ],
        { gap: 16, trailing: 4 },
      ),
    ],
    ['level5/skin.tm2', indexed],
    [
      'level5/hero.chr',
      packBytes(
        [
          ['hero.mds', mdsBytes(nodes)],
          ['hero.mot', trackListBytes(motTracks)],
          ['x.bin', junk(33)],
        ],
        { trailing: 20, slack: 16 },
      ),
    ],
    [
      'level5/nested.pak',
      newPack([
        { name: 'a.chr', data: newPack([{ name: 'b.chr', data: newPack([{ name: 'hero.mot', data: trackListBytes(motTracks) }]) }]) },
      ]),
    ],
    ['level5/disc.hd2', hd2(), junk(9 * 2048)],
    ['level5/disc.hd3', hd3(), junk(9 * 2048)],
    ['level5/disc.hd4', hd4(), junk(9 * 2048)],
    ['level5/disc.hed', hed(), junk(9 * 2048)],
    // of another game: told, and not read
    ['level5/disc.hd6', junk(600), junk(9 * 2048)],
    ['w3d/everything.w3d', everything()],
    ['w3d/objects.w3d', objects()],
    ['w3d/skin.w3d', skin()],
    ['w3d/twobone.w3d', twoBoneSkin()],
    ['w3d/aabtree.w3d', aabTree()],
    [
      'w3d/a.big',
      makeBig('BIGF', [
        { name: 'Art\\W3D\\skin.w3d', bytes: skin() },
        { name: 'data\\x.ini', bytes: junk(40) },
        { name: 'Art\\W3D\\skin.w3d', bytes: aabTree() },
      ]),
    ],
    ['w3d/b.big', makeBig('BIG4', [{ name: 'a.w3d', bytes: twoBoneSkin() }])],
    [
      'w3d/always.dat',
      makeMix([
        { name: 'skin.w3d', bytes: skin() },
        { name: 'x.tga', bytes: junk(40) },
      ]),
    ],
    ['renderware/odd.dff', oddDff()],
    ['renderware/gta3.img', img2()],
    ['renderware/gta3.dir', cat(u32(0), u32(1), fixedName('b.dff', 24), u32(1), u32(2), fixedName('a.txd', 24)), junk(4 * 2048)],
    ['renderware/walk.anm', anm()],
    [
      'renderware/peds.ide',
      Buffer.from('# \xb0\r\npeds\r\n7, ped, ped, CIVMALE, STAT, man, 0\r\n8 old , null\r\nend\r\ntxdp\r\nped, generic\r\nend', 'latin1'),
    ],
    ...['MTL', 'FNT', 'PGF', 'AFX', 'EDG'].map((token): [string, Uint8Array] => [
      `lostsaga/kept.${token.toLowerCase()}`,
      cat(text(`${token}\0`), u32(3000), junk(50)),
    ]),
    ['lostsaga/hero.skl', sklBytes()],
    ...([4000, 4001, 4002] as const).map((coding): [string, Uint8Array] => [`lostsaga/hero${coding}.ani`, aniBytes({ coding })]),
    ['lostsaga/hero.ani', aniBytes({ version: 4000 })],
    ['lostsaga/hero.msh', mshBytes()],
    ['lostsaga/old.msh', mshBytes({ version: 2000, masks: 2, wideFaces: true, trailing: [1, 2, 3] })],
    ['lostsaga/hero.cms', cmsBytes()],
    ['lostsaga/hero.txt', text(MATERIAL_TEXT)],
    ['lostsaga/model.txt', text(MODEL_TEXT)],
    ['image/rgba.dds', newDds('rgba', 16, 16, rgba, true)],
    ['image/dxt5.dds', newDds(5, 16, 16, decodeDds(newDds(1, 16, 16, rgba, false), '').rgba, true)],
    ['image/plain.tga', newTga(4, 4, cells)],
    [
      'image/coded.tga',
      Uint8Array.from([
        3,
        0,
        10,
        0x11,
        0x22,
        0x33,
        0x44,
        0x55,
        1,
        2,
        3,
        4,
        5,
        0,
        2,
        0,
        24,
        0x20,
        9,
        8,
        7,
        0x83,
        10,
        20,
        30,
        0x01,
        1,
        2,
        3,
        4,
        5,
        6,
        0x83,
        7,
        8,
        9,
        ...junk(26, 5),
      ]),
    ],
  ]
}

function hd2(): Uint8Array {
  const record = (name: number, sector: number, size: number): Uint8Array =>
    cat(u32(name, 0, 0, 0, sector * 2048, size, sector, Math.ceil(size / 2048)))
  return cat(record(64, 0, 3000), record(70, 2, 2048), text('a.chr\0b.img\0'))
}
function hd3(): Uint8Array {
  return cat(u32(32, 3000, 0, 2), u32(38, 2048, 2, 1), text('a.chr\0b.img\0'))
}
function hd4(): Uint8Array {
  return cat(u32(24, 3000, 0), u32(30, 2048, 2), text('a.chr\0b.img\0'))
}
function hed(): Uint8Array {
  return cat(fixedName('a.chr', 64), u32(0, 3000, 1, 2), fixedName('b.img', 64), u32(4096, 2048, 3, 4), new Uint8Array(0x50))
}
/** Two nodes: keys 0, 2, 4 and 1, 3. */
function anm(): Uint8Array {
  const key = (time: number, x: number, previous: number): Uint8Array => cat(f32(time, 0, 0, 0, 1, x, 0, 0), u32(previous))
  const content = cat(u32(0x100, 1, 5, 0), f32(2), key(0, 0, 0x12345), key(0, 10, 0xfff0), key(1, 1, 0), key(2, 11, 36), key(2, 2, 72))
  return cat(u32(0x1b, content.length, 0x1c02000a), content)
}
function img2(): Uint8Array {
  const entries = cat(
    text('VER2'),
    u32(3),
    u32(1),
    u16(1, 0),
    fixedName('a.txd', 24),
    u32(2),
    u16(2, 0),
    fixedName('b.dff', 24),
    u32(5),
    u16(9, 1),
    fixedName('A.TXD', 24),
  )
  return cat(entries, junk(2048 - entries.length), junk(5 * 2048 + 100, 3))
}
