/** The contract answered from memory, for work on the window alone: `?fake`. Development and test builds only. */
import type { EventMap, EventName } from '../../shared/api/events.ts'
import type { Api } from '../../shared/api/transport.ts'
import type { EditResult, ModelInfo, OpenedModel, Problem } from '../../shared/api/types/model.ts'
import { defaultSettings, type Settings } from '../../shared/api/settings.ts'
import type { FileChanges } from '../../shared/api/types/changes.ts'
import type { SliceFinding } from '../../shared/api/types/slices.ts'
import type { NativeWeights } from '../../shared/api/types/weights.ts'
import type { Slice } from '../../shared/scene/types.ts'
import { FakeError, wait } from './fake-error.ts'
import { fakeLibrary, type FakeHandlers } from './fake-library.ts'
import { fakeFiles, fakeScene, fakeSlices, fakeStructure, fakeTracks, fakeWeights, PACK } from './fake-model.ts'

interface Step {
  label: string
  slices: Slice[]
  weights: NativeWeights
}

export function createFakeApi(): Api {
  const listeners = new Map<EventName, Set<(event: never) => void>>()
  const emit = <K extends EventName>(name: K, event: EventMap[K]): void =>
    listeners.get(name)?.forEach((l) => (l as (e: EventMap[K]) => void)(event))
  let settings: Settings = defaultSettings
  const source = (i: number): Slice['source'] => ({ ref: `${PACK}!info.cfg`, path: `slices[${i}]` })
  let state: Step = {
    label: '',
    slices: fakeSlices.map(([name, start, end, speed], i) => ({ clip: 0, name, start, end, speed, loop: true, source: source(i) })),
    weights: fakeWeights(),
  }
  const original = state
  let undo: Step[] = []
  let redo: Step[] = []
  let labels: string[] = []
  let redoLabels: string[] = []
  let gestureNow = ''
  let revision = 1
  let transparency = true
  let saved = state

  const info = (): ModelInfo => ({
    id: 'm1',
    name: 'c01a',
    family: 'alpha',
    primary: `${PACK}!c01a.mds`,
    files: fakeFiles(state !== saved),
    missing: [],
    options: [
      {
        key: 'type40',
        label: 'Track type 40',
        reason: 'targets are materials and all values lie within 0 to 1',
        value: transparency,
        options: [
          { value: true, label: 'Transparency (alpha = 1 − x)' },
          { value: false, label: 'Uniform scale' },
        ],
      },
    ],
    abilities: {
      slices: { native: true, named: true, nameBytes: 31, integerFrames: true, unit: 'frame', newSpeed: 0.5 },
      clips: true,
      clipList: null,
      weights: true,
      skeleton: { rename: true, transform: true, reparent: false, keepSkin: false },
      events: false,
      points: false,
      submeshes: false,
      textures: false,
    },
    history: { undo: labels, redo: redoLabels, top: labels.length ? `step ${labels.length}` : '' },
    revision,
    dirty: state !== saved,
  })
  const opened = (): OpenedModel => ({ info: info(), scene: fakeScene(state.slices) })
  const result = (): EditResult => ({ ...opened(), diagnostics: [] })
  const commit = (label: string, change: Partial<Step>, gesture = ''): EditResult => {
    const next = { ...state, ...change, label }
    if (!gesture || gesture !== gestureNow) {
      undo.push(state)
      labels = [...labels, label]
    }
    gestureNow = gesture
    redo = []
    redoLabels = []
    state = next
    revision++
    return result()
  }
  const problems = (): Problem[] => [
    {
      code: 'alpha.slice-beyond-clip',
      severity: 'warning',
      message: 'Slice "予備" has speed 0 and never moves',
      ref: `${PACK}!info.cfg`,
      path: 'slices[8]',
      offset: 0x21c,
      file: 'info.cfg',
      fixes: [{ id: 'speed', label: 'Set speed to 0.5' }],
    },
    {
      code: 'alpha.texture-missing',
      severity: 'error',
      message: 'Texture "wep_01" is in no IMG of this model',
      ref: `${PACK}!c01a.mds`,
      path: 'nodes[19].mdt.materials[0].texture',
      offset: 0xe3f4,
      file: 'c01a.mds',
    },
    {
      code: 'alpha.bind-scale',
      severity: 'info',
      message: 'Node "chest" has a rotation track and bind scale 1.5: the scale is kept',
      ref: `${PACK}!c01a.mot`,
      path: 'tracks[3]',
      offset: 0x1a40,
      file: 'c01a.mot',
    },
  ]
  const changes = (): FileChanges[] => {
    if (state === original) return []
    const text = new TextEncoder()
    return [
      {
        ref: `${PACK}!info.cfg`,
        name: 'info.cfg',
        originalSize: 612,
        size: 614,
        changedBytes: 6,
        omitted: 0,
        nodes: [{ path: '', type: 'alpha.cfg', summary: '', parent: -1, start: 0, end: 612, newStart: 0, newEnd: 614, count: 1 }],
        changes: state.slices
          .map((s, i) => ({ s, o: original.slices[i], i }))
          .filter(({ s, o }) => o && (s.start !== o.start || s.end !== o.end || s.name !== o.name || s.speed !== o.speed))
          .map(({ s, o, i }) => ({
            node: 0,
            start: 0x80 + i * 32,
            end: 0x84 + i * 32,
            newStart: 0x80 + i * 32,
            newEnd: 0x85 + i * 32,
            path: `slices[${i}].${s.start !== o.start ? 'start' : s.end !== o.end ? 'end' : s.name !== o.name ? 'name' : 'speed'}`,
            before: s.name !== o.name ? o.name : `${o.start} – ${o.end}`,
            after: s.name !== o.name ? s.name : `${s.start} – ${s.end}`,
            beforeBytes: text.encode(s.name !== o.name ? o.name : `${o.start}, ${o.end}`),
            afterBytes: text.encode(s.name !== o.name ? s.name : `${s.start}, ${s.end}`),
          })),
      },
    ]
  }
  const check = (values: { name: string; start: number; end: number; speed: number }): SliceFinding[] => {
    const out: SliceFinding[] = []
    if (values.end < values.start) out.push({ severity: 'error', field: 'end', message: 'End is before start' })
    if (values.end > 240) out.push({ severity: 'warning', field: 'end', message: 'End is beyond the last key (240)' })
    if (values.speed <= 0) out.push({ severity: 'warning', field: 'speed', message: 'Speed 0 never moves' })
    if (values.name.includes('"')) out.push({ severity: 'error', field: 'name', message: 'A name cannot hold a quotation mark' })
    return out
  }
  const withSlices = (change: (list: Slice[]) => void): Slice[] => {
    const list = state.slices.map((s) => ({ ...s }))
    change(list)
    return list.map((s, i) => ({ ...s, source: source(i) }))
  }

  const handlers: FakeHandlers = {
    'app.info': () => ({
      version: '0.1.0',
      host: 'web',
      platform: 'linux',
      sample: '/home/user/Marrow sample',
      families: ['alpha', 'beta', 'gamma'].map((id) => ({ id, label: `${id[0].toUpperCase()}${id.slice(1)}`, games: `Game of ${id}` })),
      recent: [
        { root: '/games/dark-cloud', name: 'dark-cloud', openedAt: Date.now() - 3_600_000 },
        { root: '/games/ダーククラウド２/data', name: 'ダーククラウド２', openedAt: Date.now() - 86_400_000 * 3 },
        { root: '/games/generals-zero-hour', name: 'generals-zero-hour', openedAt: Date.now() - 86_400_000 * 12 },
      ],
    }),
    'settings.get': () => settings,
    'settings.set': (values: Partial<Settings>) => (settings = { ...settings, ...values }),
    'folders.pick': () => null,
    'folders.list': ({ path = '/games' }: { path?: string }) => {
      const known: Record<string, string[]> = {
        '/': ['games', 'home', 'mnt'],
        '/games': ['dark-cloud', 'ダーククラウド２', 'generals-zero-hour', 'homebrew'],
        '/games/dark-cloud': ['chara', 'effect', 'item', 'map'],
        '/home': ['user'],
      }
      if (path.startsWith('/nowhere')) throw new FakeError({ code: 'not-found', message: 'There is no such folder', file: path })
      return { path, parent: path === '/' ? '' : path.replace(/\/[^/]*$/, '') || '/', folders: known[path] ?? [] }
    },
    ...fakeLibrary(emit),
    'model.open': ({ ref }: { ref: string }) => {
      if (ref.includes('broken'))
        throw new FakeError({
          code: 'truncated',
          message: 'nodes[2].bind needs 64 bytes, 12 are left',
          file: ref,
          path: 'nodes[2].bind',
          offset: 0x120,
        })
      return opened()
    },
    'model.close': () => null,
    'model.list': () => [],
    'model.scene': opened,
    'model.clip': ({ clip }: { clip: number }) => ({ revision: opened().info.revision, clip: opened().scene.clips[clip] }),
    'model.choose': ({ value }: { value: boolean }) => {
      transparency = value
      return opened()
    },
    'model.problems': problems,
    'model.fix': () => commit('Fix: set speed to 0.5', { slices: withSlices((l) => (l[8].speed = 0.5)) }),
    'model.structure': ({ ref }: { ref: string }) => fakeStructure(ref),
    'model.bytes': ({ start, length }: { start: number; length: number }) =>
      Uint8Array.from({ length }, (_, i) => ((start + i) * 2654435761) >>> 24),
    'model.changes': changes,
    'mod.files': () => [],
    'mod.check': () => [],
    'mod.layout': ({ loose }: { loose?: boolean }) => ({ loose: loose === true, needs: [] }),
    'mod.updates': () => [],
    'slices.check': ({ values }: any) => check(values),
    'slices.add': ({ at, clip, values }: any) =>
      commit(`Add slice ${values.name}`, {
        slices: withSlices((l) => l.splice(at, 0, { clip, loop: true, source: source(at), ...values })),
      }),
    'slices.set': ({ slice, values, gesture }: any) => {
      const next = { ...state.slices[slice], ...values }
      const error = check(next).find((c) => c.severity === 'error')
      if (error) throw new FakeError({ code: 'invalid-edit', message: error.message, path: `slices[${slice}]` })
      return commit(
        'name' in values ? `Rename slice to ${values.name}` : `Change slice ${next.name}`,
        { slices: withSlices((l) => (l[slice] = next)) },
        gesture,
      )
    },
    'slices.remove': ({ slice }: any) =>
      commit(`Delete slice ${state.slices[slice].name}`, { slices: withSlices((l) => l.splice(slice, 1)) }),
    'slices.move': ({ from, to, gesture }: any) =>
      commit('Move slice', { slices: withSlices((l) => l.splice(to, 0, ...l.splice(from, 1))) }, gesture),
    'slices.duplicate': ({ slice }: any) =>
      commit('Duplicate slice', { slices: withSlices((l) => l.splice(slice + 1, 0, { ...l[slice] })) }),
    'slices.extract': () => ({ name: 'walk.mot', bytes: new Uint8Array(64) }),
    'clips.tracks': fakeTracks,
    'clips.changedTracks': () => ({ revision, tracks: fakeTracks() }),
    'clips.fields': () => [{ key: 'tracks', label: 'Tracks', value: 18 }],
    'weights.list': () => [{ id: state.weights.id, mesh: '体', sceneMesh: 0, vertexCount: state.weights.vertexCount }],
    'weights.read': () => state.weights,
    'weights.preview': () => [],
    'weights.write': ({ label, gesture, edit }: any) => {
      const w = state.weights
      const offsets = [0]
      const bone: number[] = []
      const weight: number[] = []
      const edited = new Map<number, number>(Array.from(edit.vertices as Uint32Array, (v, i) => [v, i]))
      for (let v = 0; v < w.vertexCount; v++) {
        const e = edited.get(v)
        const from = e === undefined ? w : edit
        const k = e ?? v
        for (let i = from.offsets[k]; i < from.offsets[k + 1]; i++) {
          bone.push(from.bone[i])
          weight.push(from.weight[i])
        }
        offsets.push(bone.length)
      }
      return commit(
        label,
        { weights: { ...w, offsets: Uint32Array.from(offsets), bone: Uint16Array.from(bone), weight: Float32Array.from(weight) } },
        gesture,
      )
    },
    'skeleton.fields': ({ joint }: any) => ({
      fields: [
        { key: 'name', label: 'name', value: fakeScene([]).skeleton.names[joint] },
        {
          key: 'translation',
          label: 'bind row 3',
          value: [...fakeScene([]).skeleton.restTranslation.subarray(3 * joint, 3 * joint + 3)],
          note: 'local, native axes',
        },
      ],
      references: [
        { ref: `${PACK}!c01a.mot`, what: '1 track' },
        { ref: `${PACK}!c01a.wgt`, what: '1 weight group' },
      ],
      namedBy: [],
    }),
    'skeleton.setField': () => commit('Move joint', {}),
    'skeleton.place': () => commit('Move joint', {}),
    'history.undo': () => {
      redo.push(state)
      redoLabels = [...redoLabels, labels.at(-1)!]
      labels = labels.slice(0, -1)
      state = undo.pop()!
      gestureNow = ''
      revision++
      return result()
    },
    'history.redo': () => {
      undo.push(state)
      labels = [...labels, redoLabels.at(-1)!]
      redoLabels = redoLabels.slice(0, -1)
      state = redo.pop()!
      revision++
      return result()
    },
    'history.list': () => info().history,
    'save.plan': () => ({
      files:
        state === saved
          ? []
          : [
              {
                ref: `${PACK}!info.cfg`,
                target: PACK,
                changedBytes: 6,
                size: 216_448,
                newSize: 216_448,
                keepsOriginal: saved === original,
              },
            ],
      mode: settings.saveMode,
      folder: settings.modFolder,
    }),
    'save.write': async () => {
      await wait(300)
      if (state === saved) return { saved: [], failed: [] }
      saved = state
      return { saved: [{ ref: `${PACK}!info.cfg`, target: PACK, bytes: 216_448, changedBytes: 6 }], failed: [] }
    },
    'save.originals': () =>
      saved === original
        ? []
        : [{ ref: `${PACK}!info.cfg`, target: PACK, hash: '9f2c'.repeat(16), size: 216_448, keptAt: Date.now() - 60_000 }],
    'save.restore': () => {
      state = saved = original
      undo = []
      labels = []
      return opened()
    },
    'model.disk': () => [],
    'open.pending': () => ({ paths: [] }),
    'recovery.list': () => [
      { id: 'r1', primary: '/games/dark-cloud/chara/f19a.chr!f19a.mds', name: 'f19a', steps: 3, lastEdit: Date.now() - 7_200_000 },
      {
        id: 'r2',
        primary: '/games/dark-cloud/chara/c01a.chr!c01a.mds',
        name: 'c01a',
        steps: 2,
        lastEdit: Date.now() - 9_000_000,
        damage: {
          message:
            'The journal of these edits is damaged: one record in it is damaged; one step behind that cannot be put onto what is left.',
          restorable: true,
        },
      },
    ],
    'recovery.restore': opened,
    'recovery.discard': () => null,
  }

  return {
    async call(name, args, options) {
      await wait(name.startsWith('slices.') ? 8 : 30, options?.signal)
      const handler = handlers[name]
      if (!handler) throw new FakeError({ code: 'unsupported', message: `${name} has no stand-in` })
      return (await handler(args, options?.signal)) as never
    },
    on(name, listener) {
      const set = listeners.get(name) ?? new Set()
      listeners.set(name, set)
      set.add(listener)
      return () => set.delete(listener)
    },
  }
}
