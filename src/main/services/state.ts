/** What the application remembers between runs: settings, recent folders, what is left out of a library, and per model the user's choices and bindings. */
import { createHash } from 'node:crypto'
import { basename, join } from 'node:path'
import * as v from 'valibot'
import { parseSettings, type Settings } from '../../shared/api/settings.ts'
import type { PlainKey } from '../../shared/texts/texts.ts'
import { isPlace } from '../files/left-out.ts'
import type { ModelChoices } from '../formats/binding.ts'
import type { StateFiles, StateKind } from '../workspace/state-files.ts'

export interface RecentFolder {
  root: string
  name: string
  openedAt: number
}

export interface UserBinding {
  role: string
  ref: string
  /** the user does not want the file in the model */
  remove: boolean
}

export interface ModelState {
  choices: ModelChoices
  bindings: UserBinding[]
}

/** How the user has a mod held. */
export interface ModState {
  /** members of archives as files of their own, where the game takes them so */
  loose: boolean
}

/** What counts for one run in place of what is kept: the options of a command. */
export interface RunChoices {
  /** saving goes into this mod folder */
  modFolder?: string
  /** a game's folder beside those that were opened in the application */
  game?: string
  loose?: boolean
}

const MOST_RECENT = 20

const recentSchema = v.fallback(v.array(v.object({ root: v.string(), name: v.string(), openedAt: v.number() })), [])
const jointMapSchema = v.fallback(v.record(v.string(), v.string()), {})
const modelSchema = v.object({
  choices: v.fallback(v.record(v.string(), v.union([v.string(), v.number(), v.boolean()])), {}),
  bindings: v.fallback(v.array(v.object({ role: v.string(), ref: v.string(), remove: v.boolean() })), []),
})

const modSchema = v.object({ loose: v.fallback(v.boolean(), false) })

const places = v.pipe(
  v.array(v.unknown()),
  v.transform((entries) => entries.filter((entry) => isPlace(entry))),
)
const leftOutSchema = v.object({ places: v.fallback(places, []) })

/** Every file of these is an object; what of it is not as it should be falls back by itself. */
function kind(name: string, label: PlainKey): StateKind<object> {
  return { name, version: 1, label, parse: (value) => (typeof value === 'object' && value !== null ? value : undefined) }
}
const SETTINGS = 'settings.json'
const settingsKind = kind('settings', 'originals.kinds.settings')
const modelKind = kind('model', 'originals.kinds.choices')
const modKind = kind('mod', 'originals.kinds.mod')
const leftOutKind = kind('left-out', 'originals.kinds.leftOut')
const jointMapKind = kind('joint-map', 'originals.kinds.jointMap')

/** Checked files of the state folder: a damaged one is restored from its copy, else it counts as empty, and both are said. */
export class AppState {
  readonly folder: string
  private readonly files: StateFiles
  private readonly forThisRun: RunChoices
  private readonly mods = new Map<string, ModState>()
  private current: { settings: Settings; recent: RecentFolder[] }

  constructor(files: StateFiles, forThisRun: RunChoices = {}) {
    this.folder = files.root
    this.files = files
    this.forThisRun = forThisRun
    const raw = this.read(SETTINGS, settingsKind) as { settings?: unknown; recent?: unknown } | undefined
    this.current = { settings: parseSettings(raw?.settings), recent: v.parse(recentSchema, raw?.recent ?? []) }
  }

  get settings(): Settings {
    const { modFolder } = this.forThisRun
    return modFolder === undefined ? this.current.settings : { ...this.current.settings, saveMode: 'mod-folder', modFolder }
  }

  get recent(): RecentFolder[] {
    const { game } = this.forThisRun
    return game === undefined ? this.current.recent : [...this.current.recent, { root: game, name: basename(game), openedAt: 0 }]
  }

  set(values: Partial<Settings>): Settings {
    const before = this.current.settings
    const settings = { ...before, ...defined(values), window: { ...before.window, ...values.window } }
    this.write({ ...this.current, settings })
    return settings
  }

  remember(root: string, name: string): void {
    const others = this.current.recent.filter((folder) => folder.root !== root)
    this.write({ ...this.current, recent: [{ root, name, openedAt: Date.now() }, ...others].slice(0, MOST_RECENT) })
  }

  forget(root: string): void {
    this.write({ ...this.current, recent: this.current.recent.filter((folder) => folder.root !== root) })
  }

  model(primary: string): ModelState {
    return v.parse(modelSchema, this.read(modelPath(primary), modelKind) ?? {})
  }

  setModel(primary: string, state: ModelState): void {
    this.files.writeSync(modelPath(primary), { primary, ...state }, modelKind)
  }

  /** @param folder of the mod */
  mod(folder: string): ModState {
    let known = this.mods.get(folder)
    if (!known) this.mods.set(folder, (known = v.parse(modSchema, (folder && this.read(modPath(folder), modKind)) || {})))
    return { ...known, loose: this.forThisRun.loose ?? known.loose }
  }

  setMod(folder: string, state: ModState): void {
    this.files.writeSync(modPath(folder), { folder, ...state }, modKind)
    this.mods.set(folder, state)
  }

  /** Places of the folders that the user leaves out of a library. @param root its real path */
  leftOut(root: string): string[] {
    return v.parse(leftOutSchema, this.read(leftOutPath(root), leftOutKind) ?? {}).places
  }

  setLeftOut(root: string, places: readonly string[]): void {
    this.files.writeSync(leftOutPath(root), { root, places }, leftOutKind)
  }

  /** The user's map from one set of names to another. */
  jointMap(nodes: readonly string[], joints: readonly string[]): Record<string, string> {
    return v.parse(jointMapSchema, this.read(jointMapPath(nodes, joints), jointMapKind))
  }

  setJointMap(nodes: readonly string[], joints: readonly string[], map: Readonly<Record<string, string>>): void {
    this.files.writeSync(jointMapPath(nodes, joints), map, jointMapKind)
  }

  private read(path: string, of: StateKind<object>): object | undefined {
    const read = this.files.read(path, of)
    return read.state === 'good' ? read.value : undefined
  }

  private write(next: { settings: Settings; recent: RecentFolder[] }): void {
    this.files.writeSync(SETTINGS, next, settingsKind)
    this.current = next
  }
}

function jointMapPath(nodes: readonly string[], joints: readonly string[]): string {
  const key = (names: readonly string[]): string[] => [...new Set(names.map((name) => name.toLowerCase()))].sort()
  return join('joint-maps', `${shortHash(JSON.stringify([key(nodes), key(joints)]))}.json`)
}

function modelPath(primary: string): string {
  return join('models', `${shortHash(primary)}.json`)
}

function leftOutPath(root: string): string {
  return join('left-out', `${shortHash(root)}.json`)
}

function modPath(folder: string): string {
  return join('mods', `${shortHash(folder)}.json`)
}

export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 24)
}

/** A value that is not given does not erase one. */
function defined<T extends object>(values: T): T {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T
}
