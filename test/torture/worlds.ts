/**
 * Small game folders, one for each place that an edited file can stand in: loose, in every kind of archive, in an archive in an archive. They
 * are written by the fixtures of the formats, with junk in what nobody reads; nothing here is made by what is tested.
 */
import { encodeDocument } from '../../src/main/formats/format.ts'
import { ifpFormat } from '../../src/main/formats/renderware/codecs/ifp.ts'
import { newDff, newIfp } from '../../src/main/formats/renderware/make.ts'
import { makeBig } from '../../src/main/formats/w3d/archives/big.ts'
import { makeMix } from '../../src/main/formats/w3d/archives/mix.ts'
import {
  bbpBytes,
  identity,
  mdsBytes,
  motTracks,
  nodes,
  packBytes,
  trackListBytes,
  translation,
  wgtTracks,
} from '../fixtures/level5/bytes.ts'
import { dc2Text, latin } from '../fixtures/level5/text.ts'
import { encodeDff, pedModel } from '../fixtures/renderware/ped.ts'
import { cat, name as fixedName, u16, u32 } from '../fixtures/w3d/chunks.ts'
import { everything } from '../fixtures/w3d/files.ts'
import { junk } from '../support/hostile.ts'
import type { ArchiveKind } from './archives.ts'

export interface World {
  kind: WorldKind
  /** files of the game by their path below its folder */
  files: Record<string, Uint8Array>
  /** references below the game's folder by which models are opened: the first one is edited */
  models: string[]
  /** archives by their path: how the test reads them */
  archives: Record<string, ArchiveKind>
}

export const WORLD_KINDS = ['loose', 'w3d', 'pack', 'big', 'mix', 'img1', 'img2', 'hd2', 'hd3', 'hed'] as const
export type WorldKind = (typeof WORLD_KINDS)[number]

const SECTOR = 2048

const hero = (): [string, Uint8Array][] => [
  ['hero.mds', mdsBytes(nodes)],
  ['hero.mot', trackListBytes(motTracks, junk(5))],
  ['hero.wgt', trackListBytes(wgtTracks)],
  ['hero.bbp', bbpBytes([identity, translation(0, 10, 0), translation(0, 5, 0), translation(1, 0, 0)])],
  ['info.cfg', latin(dc2Text)],
]

const heroPack = (): Uint8Array => packBytes([...hero(), ['x.bin', junk(33)]], { trailing: 20, slack: 16 })

function ped(): [string, Uint8Array][] {
  const turn = Math.SQRT1_2
  const walk = {
    name: 'walk',
    tracks: [
      {
        bone: 'Root',
        id: 0,
        times: [0, 0.5, 1],
        rotations: [0, 0, 0, 1, 0, 0, turn, turn, 0, 0, 1, 0],
        translations: [0, 0, 1, 0, 1, 1, 0, 2, 1],
      },
      { bone: 'Spine', id: 2, times: [0, 1], rotations: [0, 0, 0, 1, 0, turn, 0, turn] },
    ],
  }
  return [
    ['ped.dff', encodeDff(newDff(pedModel()))],
    ['ped.ifp', encodeDocument(ifpFormat, newIfp('ped', [walk, { ...walk, name: 'run' }])).bytes.slice()],
    ['x.bin', junk(3000, 7)],
  ]
}

/** Bodies on sectors, with junk behind each up to the next. */
function sectored(members: [string, Uint8Array][], first: number): { starts: number[]; sectors: number[]; data: Uint8Array } {
  const starts: number[] = []
  const sectors: number[] = []
  const parts: Uint8Array[] = []
  let at = first
  members.forEach(([, bytes], i) => {
    const count = Math.ceil(bytes.length / SECTOR)
    starts.push(at)
    sectors.push(count)
    parts.push(bytes, junk(count * SECTOR - bytes.length, i + 40))
    at += count
  })
  return { starts, sectors, data: cat(...parts) }
}

/** An archive from this size on is written where it stands. */
const LARGE = 1 << 22

function img(version: 1 | 2): Record<string, Uint8Array> {
  const members = ped()
  if (version === 2) members.push(['large.txt', junk(LARGE, 17)])
  const { starts, sectors, data } = sectored(members, version === 2 ? 1 : 0)
  const entries = members.map(([name], i) => cat(u32(starts[i]), version === 2 ? u16(sectors[i], 0) : u32(sectors[i]), fixedName(name, 24)))
  if (version === 1) return { 'models/gta3.dir': cat(...entries), 'models/gta3.img': data }
  const directory = cat(latin('VER2'), u32(members.length), ...entries)
  return { 'models/gta3.img': cat(directory, junk(SECTOR - directory.length, 11), data) }
}

function disc(kind: 'hd2' | 'hd3' | 'hed'): Record<string, Uint8Array> {
  const members: [string, Uint8Array][] = [
    ['x.bin', junk(5000, 3)],
    ['chara\\hero.chr', heroPack()],
  ]
  const { starts, sectors, data } = sectored(members, 0)
  const width = { hd2: 32, hd3: 16, hed: 0x50 }[kind]
  let name = width * members.length
  const records = members.map(([text, bytes], i) => {
    const at = name
    name += text.length + 1
    if (kind === 'hed') return cat(fixedName(text, 64), u32(starts[i] * SECTOR, bytes.length, 7, 9))
    if (kind === 'hd3') return cat(u32(at, bytes.length, starts[i], sectors[i]))
    return cat(u32(at, 0, 0, 0, starts[i] * SECTOR, bytes.length, starts[i], sectors[i]))
  })
  const tail = kind === 'hed' ? new Uint8Array(0x50) : latin(members.map(([text]) => `${text}\0`).join(''))
  return { [`data.${kind}`]: cat(...records, tail), 'data.dat': data }
}

export function makeWorld(kind: WorldKind): World {
  const beside = { 'readme.txt': latin('A game for tests.\r\n') }
  switch (kind) {
    case 'loose': {
      const files = Object.fromEntries(hero().map(([name, bytes]) => [`chara/hero/${name}`, bytes]))
      return { kind, files: { ...files, ...beside }, models: ['chara/hero/hero.mds'], archives: {} }
    }
    case 'w3d':
      return { kind, files: { 'Art/walker.w3d': everything(), ...beside }, models: ['Art/walker.w3d'], archives: {} }
    case 'pack':
      return {
        kind,
        files: { 'chara/hero.chr': heroPack(), ...beside },
        models: ['chara/hero.chr!hero.mds'],
        archives: { 'chara/hero.chr': 'pack' },
      }
    case 'big': {
      const members = [
        { name: 'Art\\W3D\\walker.w3d', bytes: everything() },
        { name: 'data\\x.ini', bytes: junk(40) },
      ]
      return {
        kind,
        files: { 'W3D.big': makeBig('BIGF', members), ...beside },
        models: ['W3D.big!Art/W3D/walker.w3d'],
        archives: { 'W3D.big': 'big' },
      }
    }
    case 'mix': {
      const members = [
        { name: 'walker.w3d', bytes: everything() },
        { name: 'x.tga', bytes: junk(40) },
      ]
      return {
        kind,
        files: { 'always.dat': makeMix(members), ...beside },
        models: ['always.dat!walker.w3d'],
        archives: { 'always.dat': 'mix' },
      }
    }
    case 'img1':
      return { kind, files: { ...img(1), ...beside }, models: ['models/gta3.dir!ped.dff'], archives: { 'models/gta3.dir': 'img1' } }
    case 'img2':
      return { kind, files: { ...img(2), ...beside }, models: ['models/gta3.img!ped.dff'], archives: { 'models/gta3.img': 'img2' } }
    default:
      return {
        kind,
        files: { ...disc(kind), ...beside },
        models: [`data.${kind}!chara/hero.chr!hero.mds`],
        archives: { [`data.${kind}`]: kind },
      }
  }
}
