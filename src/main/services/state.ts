/** What the application remembers between runs: settings, recent folders, and per model the user's choices and bindings. */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as v from 'valibot'
import writeFileAtomic from 'write-file-atomic'
import type { Settings } from '../../shared/api/contract.ts'
import type { ModelChoices } from '../formats/format.ts'

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

const settingsSchema = v.object({
  tickRate: v.fallback(v.number(), 30),
  theme: v.fallback(v.picklist(['system', 'light', 'dark']), 'system'),
  saveMode: v.fallback(v.picklist(['in-place', 'mod-folder']), 'in-place'),
  modFolder: v.fallback(v.string(), ''),
  teamColor: v.fallback(v.string(), '#3060d0'),
  updates: v.fallback(v.boolean(), true),
  window: v.fallback(v.record(v.string(), v.string()), {}),
})
const recentSchema = v.fallback(v.array(v.object({ root: v.string(), name: v.string(), openedAt: v.number() })), [])
const jointMapSchema = v.fallback(v.record(v.string(), v.string()), {})
const modelSchema = v.object({
  choices: v.fallback(v.record(v.string(), v.union([v.string(), v.number(), v.boolean()])), {}),
  bindings: v.fallback(v.array(v.object({ role: v.string(), ref: v.string(), remove: v.boolean() })), []),
})

/** Files of the state folder, each written whole and atomically; a damaged one counts as empty. */
export class AppState {
  readonly folder: string
  private readonly path: string
  private current: { settings: Settings; recent: RecentFolder[] }

  constructor(folder: string) {
    this.folder = folder
    this.path = join(folder, 'settings.json')
    const raw = readJson(this.path) as { settings?: unknown; recent?: unknown } | undefined
    this.current = { settings: v.parse(settingsSchema, raw?.settings ?? {}), recent: v.parse(recentSchema, raw?.recent ?? []) }
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
    return v.parse(modelSchema, readJson(this.modelPath(primary)) ?? {})
  }

  setModel(primary: string, state: ModelState): void {
    writeJson(this.modelPath(primary), { primary, ...state })
  }

  /** The user's map from one set of names to another. */
  jointMap(nodes: readonly string[], joints: readonly string[]): Record<string, string> {
    return v.parse(jointMapSchema, readJson(this.jointMapPath(nodes, joints))) as Record<string, string>
  }

  setJointMap(nodes: readonly string[], joints: readonly string[], map: Readonly<Record<string, string>>): void {
    writeJson(this.jointMapPath(nodes, joints), map)
  }

  private jointMapPath(nodes: readonly string[], joints: readonly string[]): string {
    const key = (names: readonly string[]): string[] => [...new Set(names.map((name) => name.toLowerCase()))].sort()
    return join(this.folder, 'joint-maps', `${shortHash(JSON.stringify([key(nodes), key(joints)]))}.json`)
  }

  private modelPath(primary: string): string {
    return join(this.folder, 'models', `${shortHash(primary)}.json`)
  }

  private write(next: { settings: Settings; recent: RecentFolder[] }): void {
    writeJson(this.path, next)
    this.current = next
  }
}

export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 24)
}

function readJson(path: string): unknown {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

function writeJson(path: string, value: unknown): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileAtomic.sync(path, JSON.stringify(value, null, 1))
}

/** A value that is not given does not erase one. */
function defined<T extends object>(values: T): T {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T
}
