/** What the application remembers between runs: settings, recent folders, and per model the user's choices and bindings. */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import * as v from 'valibot'
import { parseSettings, type Settings } from '../../shared/api/settings.ts'
import type { PlainKey } from '../../shared/texts/texts.ts'
import type { ModelChoices } from '../formats/format.ts'
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

const MOST_RECENT = 20

const recentSchema = v.fallback(v.array(v.object({ root: v.string(), name: v.string(), openedAt: v.number() })), [])
const jointMapSchema = v.fallback(v.record(v.string(), v.string()), {})
const modelSchema = v.object({
  choices: v.fallback(v.record(v.string(), v.union([v.string(), v.number(), v.boolean()])), {}),
  bindings: v.fallback(v.array(v.object({ role: v.string(), ref: v.string(), remove: v.boolean() })), []),
})

/** Every file of these is an object; what of it is not as it should be falls back by itself. */
function kind(name: string, label: PlainKey): StateKind<object> {
  return { name, version: 1, label, parse: (value) => (typeof value === 'object' && value !== null ? value : undefined) }
}
const SETTINGS = 'settings.json'
const settingsKind = kind('settings', 'originals.kinds.settings')
const modelKind = kind('model', 'originals.kinds.choices')
const jointMapKind = kind('joint-map', 'originals.kinds.jointMap')

/** Checked files of the state folder: a damaged one is restored from its copy, else it counts as empty, and both are said. */
export class AppState {
  readonly folder: string
  private readonly files: StateFiles
  private current: { settings: Settings; recent: RecentFolder[] }

  constructor(files: StateFiles) {
    this.folder = files.root
    this.files = files
    const raw = this.read(SETTINGS, settingsKind) as { settings?: unknown; recent?: unknown } | undefined
    this.current = { settings: parseSettings(raw?.settings), recent: v.parse(recentSchema, raw?.recent ?? []) }
  }

  get settings(): Settings {
    return this.current.settings
  }

  get recent(): RecentFolder[] {
    return this.current.recent
  }

  set(values: Partial<Settings>): Settings {
    const settings = { ...this.settings, ...defined(values), window: { ...this.settings.window, ...values.window } }
    this.write({ ...this.current, settings })
    return settings
  }

  remember(root: string, name: string): void {
    const others = this.recent.filter((folder) => folder.root !== root)
    this.write({ ...this.current, recent: [{ root, name, openedAt: Date.now() }, ...others].slice(0, MOST_RECENT) })
  }

  forget(root: string): void {
    this.write({ ...this.current, recent: this.recent.filter((folder) => folder.root !== root) })
  }

  model(primary: string): ModelState {
    return v.parse(modelSchema, this.read(modelPath(primary), modelKind) ?? {})
  }

  setModel(primary: string, state: ModelState): void {
    this.files.writeSync(modelPath(primary), { primary, ...state }, modelKind)
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

export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 24)
}

/** A value that is not given does not erase one. */
function defined<T extends object>(values: T): T {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T
}
