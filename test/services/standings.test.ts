/** Which of several files of one name the game reads: on disk, in archives, in the mod folder. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { makeBig } from '../../src/main/formats/w3d/archives/big.ts'
import { makeMix } from '../../src/main/formats/w3d/archives/mix.ts'
import { discDirectory } from '../support/discs.ts'
import { img2Bytes } from '../support/img.ts'
import { sampleTree, scanned, serviceBenches } from '../support/service-bench.ts'
import type { FileStanding } from '../../src/shared/api/types/library.ts'

const start = serviceBenches(afterEach)
const tree = sampleTree()
const some = (ending: RegExp): Uint8Array => Object.entries(tree).find(([path]) => ending.test(path))![1]
const W3D = some(/walker_skn\.w3d$/i)
const DFF = some(/peds\/adventurer\.dff$/i)
const CHR = some(/Dark Cloud\/chara\/adventurer\.chr$/i)

async function standings(
  files: Record<string, Uint8Array>,
  refs: readonly string[],
  before?: (b: ReturnType<typeof start>) => Promise<void>,
) {
  const b = start({ files })
  const library = await scanned(b.call, b.game)
  await before?.(b)
  const list = await b.call('library.standings', { library, refs: refs.map((ref) => join(b.game, ref)) })
  return Object.fromEntries(refs.map((ref, i) => [ref, list[i]])) as Record<string, FileStanding | null>
}
const states = (found: Record<string, FileStanding | null>) => Object.values(found).map((one) => one?.state ?? null)

it('W3D: a file on disk before archives, and these by their names; another name or folder is in nobody’s way', async () => {
  const packed = [{ name: 'Art\\W3D\\tank.w3d', bytes: W3D }]
  const lone = [{ name: 'Art\\W3D\\lone.w3d', bytes: W3D }]
  const found = await standings(
    {
      'zh/Art/W3D/Tank.W3D': W3D,
      'zh/b.big': makeBig('BIGF', [...packed, ...lone]),
      'zh/A.big': makeBig('BIGF', packed),
      'other/tank.w3d': W3D,
      'twice/b.big': makeBig('BIGF', lone),
      'twice/A.big': makeBig('BIGF', lone),
    },
    [
      'zh/Art/W3D/Tank.W3D',
      'zh/b.big!Art/W3D/tank.w3d',
      'zh/A.big!Art/W3D/tank.w3d',
      'zh/b.big!Art/W3D/lone.w3d',
      'other/tank.w3d',
      'twice/b.big!Art/W3D/lone.w3d',
      'twice/A.big!Art/W3D/lone.w3d',
    ],
  )
  expect(states(found)).toEqual(['read', 'hidden', 'hidden', null, null, 'hidden', 'read'])
  expect(found['zh/b.big!Art/W3D/tank.w3d']!.others.sort()).toEqual(['zh/A.big!Art/W3D/tank.w3d', 'zh/Art/W3D/Tank.W3D'])
  expect(found['twice/b.big!Art/W3D/lone.w3d']!.why).toBe(
    'Generals and Zero Hour take the first of their archives by name that has a file: A.big before b.big',
  )
})

it('Renegade: the Data folder, then its archives in their own order; of others nobody knows', async () => {
  const packed = makeMix([{ name: 'tank.w3d', bytes: W3D }])
  const alone = makeMix([{ name: 'jeep.w3d', bytes: W3D }])
  const found = await standings(
    { 'data/tank.w3d': W3D, 'data/always.dat': packed, 'data/always2.dat': packed, 'more/a.mix': alone, 'more/b.mix': alone },
    ['data/tank.w3d', 'data/always.dat!tank.w3d', 'data/always2.dat!tank.w3d', 'more/a.mix!jeep.w3d'],
  )
  expect(states(found)).toEqual(['read', 'hidden', 'hidden', 'open'])
})

it('GTA: what Mod Loader puts in the place of a member, in whichever archive; a file elsewhere stands in no way', async () => {
  const found = await standings(
    {
      'models/gta3.img': img2Bytes({ 'ped.dff': DFF, 'car.dff': DFF }),
      'models/gta_int.img': img2Bytes({ 'ped.dff': DFF, 'car.dff': DFF }),
      'modloader/mine/deep/Ped.dff': DFF,
      'unpacked/ped.dff': DFF,
    },
    ['modloader/mine/deep/Ped.dff', 'models/gta3.img!ped.dff', 'models/gta_int.img!ped.dff', 'models/gta3.img!car.dff', 'unpacked/ped.dff'],
  )
  expect(states(found)).toEqual(['read', 'hidden', 'hidden', 'open', null])
  expect(found['modloader/mine/deep/Ped.dff']!.why).toContain('Mod Loader')
})

it('Level-5: the disc, whatever stands beside it; packs are files as a whole', async () => {
  const sectors = Math.ceil(CHR.length / 0x800)
  const files = {
    'DATA.HD2': discDirectory('HD2', [{ name: 'chara\\a.chr', sector: 1, size: CHR.length }]),
    'DATA.DAT': Buffer.concat([new Uint8Array(0x800), CHR, new Uint8Array(sectors * 0x800 - CHR.length)]),
    'chara/a.chr': CHR,
    'elsewhere/a.chr': CHR,
  }
  const found = await standings(files, ['DATA.HD2!chara/a.chr!info.cfg', 'chara/a.chr!info.cfg', 'elsewhere/a.chr!info.cfg'])
  expect(states(found)).toEqual(['read', 'hidden', null])
  expect(found['chara/a.chr!info.cfg']!.why).toContain('DATA.HD2')
})

it('a copy in the mod folder that is not as the game has it; nothing outside of the library is asked for', async () => {
  const [mine, same] = [makeBig('BIGF', [{ name: 'x.w3d', bytes: W3D }]), makeBig('BIGF', [{ name: 'y.w3d', bytes: W3D }])]
  const changed = makeBig('BIGF', [{ name: 'x.w3d', bytes: W3D.slice(0, -1) }])
  const found = await standings(
    { 'a.w3d': W3D, 'mine.big': mine, 'same.big': same },
    ['a.w3d', 'mine.big!x.w3d', 'same.big!y.w3d'],
    async ({ base, call, game }) => {
      const mod = join(base, 'mod')
      for (const [path, bytes] of Object.entries({ 'a.w3d': W3D.slice(0, -1), 'mine.big': changed, 'same.big': same })) {
        mkdirSync(dirname(join(mod, path)), { recursive: true })
        writeFileSync(join(mod, path), bytes)
      }
      await call('settings.set', { saveMode: 'mod-folder', modFolder: mod })
      const library = (await call('library.open', { root: game })).id
      await expect(call('library.standings', { library, refs: ['/etc/passwd'] })).rejects.toMatchObject({ code: expect.any(String) })
    },
  )
  expect(states(found)).toEqual(['mod', 'mod', null])
})
