/** A library that is no folder: rows made by code, and the calls that list them. */
import type { CallName } from '../../shared/api/contract.ts'
import type { EventMap, EventName } from '../../shared/api/events.ts'
import type { LibraryInfo, LibraryRow } from '../../shared/api/types/library.ts'
import { FakeError, wait } from './fake-error.ts'
import { PACK } from './fake-model.ts'

/** Stand-ins for calls. */
export type FakeHandlers = { [name in CallName]?: (args: any, signal?: AbortSignal) => unknown }

function makeRows(): LibraryRow[] {
  const rows: LibraryRow[] = []
  const base = { meshes: 0, clips: 0, slices: 0, textures: 0, bones: 0, note: '' }
  const names = ['c01a', 'c02a', 'e001_ゴースト', 'f19a', 'リナ', 's_wind', 'ドラゴン', '검사', 'i_sword01', 'npc_macho']
  for (let i = 0; i < 1400; i++) {
    const name = i === 0 ? 'c01a' : `${names[i % names.length]}${i >= names.length ? `_${String(i).padStart(4, '0')}` : ''}`
    const family = i % 9 === 4 ? 'beta' : i % 13 === 7 ? 'gamma' : 'alpha'
    rows.push({
      ...base,
      ref: i === 0 ? `${PACK}!c01a.mds` : `/games/dark-cloud/chara/${name}.chr!${name}.mds`,
      name,
      where: `chara/${name}.chr`,
      type: 'model',
      family,
      kind: 'model',
      format: `${family}.mds`,
      size: 20_000 + ((i * 7919) % 400_000),
      bones: 8 + ((i * 31) % 90),
      meshes: 1 + (i % 9),
      clips: i % 4,
      slices: (i * 3) % 30,
      textures: 1 + (i % 4),
      note: '',
    })
  }
  const kinds = ['animation', 'skin', 'texture', 'slices', 'bind-pose'] as const
  for (let i = 0; i < 6000; i++) {
    const kind = kinds[i % kinds.length]
    rows.push({
      ...base,
      ref: `/games/f${i}`,
      name: `f${i}.${['mot', 'wgt', 'img', 'cfg', 'bbp'][i % 5]}`,
      where: `chara/set${i % 50}.pak`,
      type: 'file',
      family: 'alpha',
      kind,
      format: `alpha.${kind}`,
      size: 400 + i * 13,
    })
  }
  for (let i = 0; i < 7; i++) {
    rows.push({
      ...base,
      ref: `/games/broken${i}.mds`,
      name: `broken${i}.mds`,
      where: 'chara/old',
      type: 'error',
      family: 'alpha',
      kind: 'model',
      format: 'alpha.mds',
      size: 900,
      error: { code: 'truncated', message: `nodes[${i}].bind needs 64 bytes, 12 are left`, offset: 0x40 + i * 112 },
    })
  }
  return rows
}

export function fakeLibrary(emit: <K extends EventName>(name: K, event: EventMap[K]) => void): FakeHandlers {
  const rows = makeRows()
  const library: LibraryInfo = {
    id: 'lib',
    root: '/games/dark-cloud',
    name: 'dark-cloud',
    files: 7400,
    models: 1400,
    errors: 7,
    scannedAt: Date.now() - 3_600_000,
  }

  return {
    'library.open': ({ root }: { root: string }) => {
      if (root.startsWith('/nowhere')) throw new FakeError({ code: 'not-found', message: 'There is no such folder', file: root })
      return { ...library, root }
    },
    'library.openSample': () => ({ ...library, root: '/home/user/Marrow sample', name: 'Marrow sample', scannedAt: 0 }),
    'library.forget': () => null,
    'library.scan': async (_: unknown, signal) => {
      const total = 7407
      for (let done = 0; done <= total; done += 37) {
        emit('scan.progress', {
          library: 'lib',
          phase: done < 300 ? 'walk' : 'index',
          done,
          total,
          current: `chara/c${done}.chr`,
          errors: Math.floor(done / 1200),
        })
        await wait(40, signal)
      }
      emit('scan.progress', { library: 'lib', phase: 'done', done: total, total, current: '', errors: 7 })
      return {
        files: 9000,
        recognised: total,
        models: 1400,
        bones: 50_000,
        meshes: 9000,
        slices: 12_000,
        weights: 800_000,
        textures: 4000,
        errors: [],
        seconds: 8,
      }
    },
    'library.pictures': ({ refs }: { refs: string[] }) =>
      refs.map((ref) =>
        ref.includes('f1') ? { reason: 'No mesh to show', broken: false } : { reason: 'The window has no files here', broken: false },
      ),
    'library.adoptPictures': ({ refs }: { refs: string[] }) => refs.map(() => null),
    'library.sampleScene': () => null,
    'library.folders': ({ place }: { place: string }) =>
      place === '' ? [{ name: 'chara', place: 'chara', archive: false, count: rows.length, folders: 0 }] : [],
    'library.seek': () => -1,
    'library.place': () => -1,
    'open.around': () => ({ root: '' }),
    'library.standings': ({ refs }: { refs: string[] }) => refs.map(() => null),
    'library.preview': () => ({ reason: 'The window has no files here', broken: false }),
    'library.query': (q: {
      text?: string
      family?: string
      kind?: string
      has?: ('bones' | 'clips')[]
      show: string
      sort: string
      descending?: boolean
      offset: number
      limit: number
    }) => {
      const text = q.text?.toLowerCase()
      const named = text ? rows.filter((r) => r.name.toLowerCase().includes(text) || r.where.toLowerCase().includes(text)) : rows
      const shown = named.filter((r) => (q.show === 'models' ? r.type === 'model' : q.show === 'errors' ? r.type === 'error' : true))
      const found = shown.filter(
        (r) => (!q.family || r.family === q.family) && (!q.kind || r.kind === q.kind) && (q.has ?? []).every((part) => r[part] > 0),
      )
      const key = q.sort as keyof LibraryRow
      found.sort((a, b) => (typeof a[key] === 'number' ? Number(b[key]) - Number(a[key]) : String(a[key]).localeCompare(String(b[key]))))
      if (q.descending) found.reverse()
      const tally = (pick: (r: LibraryRow) => string): { value: any; count: number }[] => {
        const counts = new Map<string, number>()
        for (const r of shown) counts.set(pick(r), (counts.get(pick(r)) ?? 0) + 1)
        return [...counts].map(([value, count]) => ({ value, count })).sort((a, b) => b.count - a.count)
      }
      const count = (type?: string): number => named.filter((r) => !type || r.type === type).length
      return {
        total: found.length,
        rows: found.slice(q.offset, q.offset + q.limit),
        facets: {
          families: tally((r) => r.family),
          kinds: tally((r) => r.kind),
          has: (['bones', 'meshes', 'clips', 'slices', 'textures'] as const).map((value) => ({
            value,
            count: found.filter((r) => r[value] > 0).length,
          })),
        },
        counts: { models: count('model'), files: count(), errors: count('error') },
      }
    },
  }
}
