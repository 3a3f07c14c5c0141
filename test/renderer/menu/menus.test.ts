// @vitest-environment happy-dom
import { createPinia, setActivePinia } from 'pinia'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { useCommands } from '../../../src/renderer/core/commands/registry.ts'
import { useKeys } from '../../../src/renderer/core/keys/store.ts'
import { commandIds } from '../../../src/renderer/core/keymap/catalogue.ts'
import { useLibrary } from '../../../src/renderer/core/library.ts'
import { useContextMenu, type MenuEntry } from '../../../src/renderer/core/menu/context-menu.ts'
import { useModels } from '../../../src/renderer/core/models.ts'
import { usePlayback } from '../../../src/renderer/core/playback.ts'
import { useSelection } from '../../../src/renderer/core/selection.ts'
import { useSession } from '../../../src/renderer/core/session.ts'
import { createFakeApi } from '../../../src/renderer/dev/fake-api.ts'
import { useChangeMenu } from '../../../src/renderer/features/changes/change-menu.ts'
import { changeRows } from '../../../src/renderer/features/changes/change-rows.ts'
import { useOutlinerMenu } from '../../../src/renderer/features/outliner/outliner-menu.ts'
import { keysBelow, outlinerRows, type OutlinerRow } from '../../../src/renderer/features/outliner/tree.ts'
import { useTimelineMenu } from '../../../src/renderer/features/timeline/timeline-menu.ts'
import { usePictureMenu } from '../../../src/renderer/shell/picture-menu.ts'
import { closeAllBut, useTabMenu } from '../../../src/renderer/shell/tab-menu.ts'
import type { FileChanges } from '../../../src/shared/api/types/changes.ts'

/** Every command can run, but for these; what ran is written down. */
let ran: string[]
const off = new Set<string>()

beforeEach(async () => {
  setActivePinia(createPinia())
  await useSession().start(createFakeApi())
  await useLibrary().open('/games/dark-cloud')
  await useModels().openRef(useLibrary().rowAt(0)!.ref)
  ran = []
  off.clear()
  useCommands().register(commandIds.map((id) => ({ id, when: () => !off.has(id), run: () => ran.push(id) })))
})

/** The labels as the menu shows them, a list for each group. */
function shown(entries: readonly MenuEntry[]): string[][] {
  const menu = useContextMenu()
  menu.openAt({ x: 0, y: 0 }, 'test', entries)
  return (menu.open?.groups ?? []).map((group) => group.map(({ label }) => label))
}
const flat = (entries: readonly MenuEntry[]): string[] => shown(entries).flat()
function pick(entries: readonly MenuEntry[], label: string): unknown {
  shown(entries)
  const line = useContextMenu()
    .open?.groups.flat()
    .find((one) => one.label === label)
  expect(line, label).toBeDefined()
  return line!.run()
}

describe('a menu of the outliner', () => {
  const row = (kind: OutlinerRow['kind'], from = 0): OutlinerRow => {
    const { scene, info } = useModels()
    return outlinerRows({ scene: scene!, files: info!.files }, new Set(), '').filter((one) => one.kind === kind)[from]
  }

  it('of a bone has what its family can do, and no more', () => {
    const fold = vi.fn()
    const menuOf = useOutlinerMenu(fold)
    const hips = row('joint', 1)
    useSelection().joint(hips.index)
    const labels = flat(menuOf(hips))
    // the fake family renames bones and hangs none elsewhere
    expect(labels).toContain('Rename…')
    expect(labels).not.toContain('Choose parent…')
    expect(labels).not.toContain('Add an attachment point at this bone')
    pick(menuOf(hips), 'Choose it with all below')
    const { skeleton } = useModels().scene!
    expect(useSelection().joints).toHaveLength(skeleton.count - 1)
    pick(menuOf(hips), 'Close all below')
    expect(fold).toHaveBeenLastCalledWith(hips, false)
    // nothing hangs below a leaf
    const leaf = row('joint', skeleton.names.indexOf('foot_l'))
    expect(flat(menuOf(leaf)).filter((label) => /below/.test(label))).toEqual(['Hang the taken bone below the chosen one'])
    off.add('outliner.hang')
    expect(flat(menuOf(leaf)).filter((label) => /below/.test(label))).toEqual([])
  })

  it('hides meshes and shows them again', () => {
    const menuOf = useOutlinerMenu(() => {})
    const mesh = row('mesh')
    expect(flat(menuOf(mesh))).toContain('Hide mesh')
    expect(flat(menuOf(mesh))).not.toContain('Show all meshes')
    pick(menuOf(mesh), 'Hide mesh')
    expect(flat(menuOf(mesh))).toContain('Show mesh')
    pick(menuOf(mesh), 'Show all meshes')
    expect(flat(menuOf(mesh))).toContain('Hide mesh')
  })

  it('of a clip plays it; of a file leads to its bytes, and restores what is not saved', async () => {
    const menuOf = useOutlinerMenu(() => {})
    pick(menuOf(row('clip')), 'Play')
    expect(usePlayback().state).toMatchObject({ clip: 0, playing: true })
    usePlayback().play(false)
    const files = flat(menuOf(row('file')))
    expect(files).toContain('Show structure and bytes')
    expect(files).not.toContain('Restore file')
    // the page of a browser has no file manager
    expect(files).not.toContain('Show in its folder')
    const models = useModels()
    const [first, ...others] = models.info!.files
    models.active!.info = { ...models.info!, files: [{ ...first, dirty: true }, ...others] }
    const edit = vi.spyOn(models, 'edit').mockResolvedValue(null)
    pick(menuOf(row('file')), 'Restore file')
    expect(edit).toHaveBeenCalledWith('changes.restore', { ref: first.ref, part: { kind: 'file' }, revision: models.info!.revision })
  })

  it('of a heading has what adds one', () => {
    const { scene, info } = useModels()
    const heads = outlinerRows({ scene: scene!, files: info!.files }, new Set(), '').filter((one) => one.kind === 'section')
    const menuOf = useOutlinerMenu(() => {})
    expect(flat(menuOf(heads.find(({ key }) => key === 'clips')!))).toContain('Add animation…')
    for (const head of heads) expect(flat(menuOf(head))).toContain('Open all below')
  })

  it('knows which rows can be closed below a bone', () => {
    const { scene } = useModels()
    const { names } = scene!.skeleton
    const named = (joint: number): string[] => keysBelow(scene!, joint).map((key) => names[Number(key.slice(6))])
    expect(named(names.indexOf('leg_l'))).toEqual(['shin_l'])
    expect(named(names.indexOf('foot_l'))).toEqual([])
    expect(named(-1)).toContain('root')
  })
})

describe('a menu of a tab', () => {
  it('closes one, the others, or all, but none with unsaved edits', async () => {
    const models = useModels()
    const close = vi.fn()
    const tabs = useTabMenu(close)
    const [model] = models.open
    expect(flat(tabs.model(model))).not.toContain('Close the other models')
    pick(tabs.model(model), 'Close model')
    expect(close).toHaveBeenCalledWith(model)
    const closed = vi.spyOn(models, 'close').mockResolvedValue(true)
    const other = { ...model, id: 'other', info: { ...model.info, id: 'other', name: 'mine', dirty: true } }
    models.open = [model, other]
    expect(flat(tabs.model(other))).toContain('Close the other models')
    // what is about the shown model is not offered on another one's tab
    expect(flat(tabs.model(model))).toContain('Save')
    expect(flat(tabs.model(other))).not.toContain('Save')
    await closeAllBut('')
    expect(closed.mock.calls).toEqual([[model.id]])
    expect(useSession().notices.at(-1)?.message).toBe('mine stays open: it has unsaved edits')
    closed.mockClear()
    await closeAllBut('other')
    expect(closed.mock.calls).toEqual([[model.id]])
  })

  it('leads to the row of the library, whatever it was narrowed to', async () => {
    const library = useLibrary()
    library.query.text = 'nothing is called that'
    const { primary } = useModels().info!
    await pick(useTabMenu(() => {}).model(useModels().active!), 'Show in the library')
    expect(useModels().page).toBe('library')
    expect(library.query.text).toBe('')
    expect(library.rowAt(library.active)?.ref).toBe(primary)
  })
})

describe('a menu of the changes', () => {
  const file: FileChanges = {
    ref: '/games/a.cfg',
    name: 'a.cfg',
    originalSize: 10,
    size: 10,
    changedBytes: 1,
    nodes: [{ path: 'slices', type: 'list', summary: '', parent: -1, start: 0, end: 10, newStart: 0, newEnd: 10, count: 1 }],
    changes: [
      {
        path: 'slices[0].end',
        node: 0,
        before: '4',
        after: '5',
        start: 2,
        end: 3,
        newStart: 2,
        newEnd: 3,
        beforeBytes: new Uint8Array(1),
        afterBytes: new Uint8Array(1),
      },
    ],
  } as unknown as FileChanges

  it('restores the row, shows its place, and copies what it shows', () => {
    const restore = vi.fn()
    const reveal = vi.fn()
    const menuOf = useChangeMenu({ restore, reveal })
    const rows = changeRows([file], new Set())
    expect(rows.map(({ kind }) => kind)).toEqual(['file', 'node', 'field'])
    expect(shown(menuOf(rows[0]))).toEqual([
      ['Restore file', 'Show structure and bytes'],
      ['Select for compare', 'Compare with…'],
      ['Show in the library', 'Copy path'],
    ])
    expect(shown(menuOf(rows[2]))[1]).toEqual(['Copy original value', 'Copy value of now', 'Copy place in the file'])
    pick(menuOf(rows[2]), 'Show structure and bytes')
    expect(reveal).toHaveBeenCalledWith(rows[2])
    pick(menuOf(rows[0]), 'Restore file')
    expect(restore).toHaveBeenCalledWith(rows[0])
    // what follows from other places is not put back by itself
    expect(flat(menuOf({ ...rows[2], range: undefined })).filter((label) => label.startsWith('Restore'))).toEqual([])
  })
})

describe('a menu of the timeline', () => {
  beforeEach(async () => {
    usePlayback().chooseClip(0)
    await expect.poll(() => useKeys().tracks.length).toBeGreaterThan(0)
  })

  it('inserts where the pointer is, and chooses keys before and behind it', () => {
    const keys = useKeys()
    const { keyEntries } = useTimelineMenu()
    const [track] = keys.tracks
    const insert = vi.spyOn(keys, 'insertIn').mockResolvedValue(true)
    pick(keyEntries({ ids: [track.id], time: 7 }), 'Insert keys here')
    expect(insert).toHaveBeenCalledWith([track], 7)
    const middle = track.times[1]
    pick(keyEntries({ ids: [track.id], time: middle }), 'Choose keys up to here')
    expect([...keys.chosen.get(track.id)!]).toEqual([track.times[0], middle])
    pick(keyEntries({ ids: [track.id], time: middle }), 'Choose keys from here on')
    expect(keys.count).toBe(track.times.length - 1)
    pick(keyEntries({ ids: [track.id], time: null }), 'Choose keys of this row')
    expect(keys.count).toBe(track.times.length)
  })

  it('has no place of a pointer for the keyboard, and tools only on chosen keys', () => {
    const keys = useKeys()
    const { keyEntries } = useTimelineMenu()
    const ids = [keys.tracks[0].id]
    keys.clear()
    const labels = flat(keyEntries({ ids, time: null }))
    expect(labels).not.toContain('Insert keys here')
    expect(labels).not.toContain('Smooth keys')
    keys.chooseAll()
    expect(flat(keyEntries({ ids, time: null }))).toContain('Smooth keys')
    // a track that cannot be edited takes no key
    keys.tracks = keys.tracks.map((track) => ({ ...track, limits: { ...track.limits, readOnly: 'packed' } }))
    expect(flat(keyEntries({ ids, time: 7 }))).not.toContain('Insert keys here')
  })

  it('of a slice has no bytes to take out where the game keeps none', () => {
    const { sliceEntries } = useTimelineMenu()
    expect(flat(sliceEntries(0))).toContain('Replace window from file…')
    off.add('slice.replaceWindow').add('slice.extract')
    expect(flat(sliceEntries(0))).not.toContain('Replace window from file…')
    pick(sliceEntries(0), 'Delete slice')
    expect(ran).toEqual(['slice.remove'])
  })
})

describe('a menu of the picture', () => {
  it('is about what is under the pointer, else about the picture; the keyboard asks about what is chosen', () => {
    const menuOf = usePictureMenu()
    const { names } = useModels().scene!.skeleton
    expect(menuOf({ joint: 2 }).label).toBe(names[2])
    expect(menuOf({ mesh: 0 }).label).toBe(useModels().scene!.meshes[0].name)
    expect(menuOf({}).label).toBe('Picture')
    useSelection().joint(3)
    expect(menuOf({}).label).toBe('Picture')
    expect(menuOf(null).label).toBe(names[3])
    expect(flat(menuOf(null).entries)).toContain('Turn the chosen bone')
    useSelection().clear()
    expect(menuOf(null).label).toBe('Picture')
  })

  it('says how the switches of the picture stand', () => {
    shown(usePictureMenu()({}).entries)
    const ticks = new Map(useContextMenu().open!.groups.flatMap((group) => group.map(({ label, checked }) => [label, checked])))
    expect(ticks.get('Grid')).toBe(true)
    expect(ticks.get('Wireframe')).toBe(false)
    expect(ticks.get('Frame the model')).toBeUndefined()
  })
})
