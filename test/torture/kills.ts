/** Rounds of kills: one world, edited and saved by one process after the other; each is killed, the next one takes up what it left. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { programFile } from './places.ts'
import { Random } from '../fuzz/random.ts'
import { Findings } from './findings.ts'
import type { RoundOptions, RoundResult } from './findings.ts'
import type { KillOrder } from './kill-child.ts'
import { layOut } from './lay-out.ts'
import { bodies, checkOriginals, filesBelow, isTemporary, leftovers, shortHash } from './oracle.ts'
import { runProgram } from './programs.ts'
import { placeBelow } from './session.ts'
import type { Place, State } from './session.ts'
import { makeWorld, WORLD_KINDS } from './worlds.ts'
import type { World } from './worlds.ts'

const KILLS = 25
/** A kill falls on one of so many changes of the disk: some edits and a save. */
const WORK = 70
const START = 14
interface Told {
  state: State
}

const text = (value: unknown): string => JSON.stringify(value)
const sameState = (a: State, b: State): boolean => differing(a, b).length === 0
const differing = (a: State, b: State): string[] => [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((key) => a[key] !== b[key])
/** A file, or a member of it. */
const isIn = (ref: string, file: unknown): boolean => typeof file === 'string' && (ref === file || ref.startsWith(`${file}!`))

class KillRound {
  readonly findings: Findings
  private readonly options: RoundOptions
  private readonly random: Random
  private readonly world: World
  private readonly place: Place
  private readonly original: Map<string, Uint8Array>
  /** hashes that a file or member may have on disk now: as it was found, and as a save may have left it */
  private onDisk = new Map<string, { old: string; fresh: string }>()
  private acknowledged: State | undefined
  private initial: State | undefined
  private tried: { step: string; before: State } | undefined
  /** what the step in progress told: the file that was restored, the files of an export */
  private told: unknown
  /** a save of this round was killed: of what it was to write, some files may be saved and others not */
  private halfSaved = false
  private readonly known = new Set<string>()
  private listed: string[] | undefined
  private operation = 0

  constructor(base: string, options: RoundOptions) {
    this.options = options
    this.random = new Random(options.seed, options.round, 1)
    this.findings = new Findings('kills', options.round)
    this.world = makeWorld(WORLD_KINDS[options.round % WORLD_KINDS.length])
    this.place = placeBelow(base, this.random.chance(3) ? 'mod-folder' : 'in-place', this.world.models)
    layOut(this.place, this.world)
    this.original = bodies(this.place.game, this.world)
  }

  async run(): Promise<number> {
    let kills = 0
    for (; kills < KILLS && performance.now() < this.options.until && this.findings.list.length === 0; kills++) {
      this.operation = kills
      const draw = this.random.below(8)
      const from = draw === 0 ? 'time' : draw < 3 ? 'start' : 'work'
      const strike = from === 'time' ? this.random.below(300) : 1 + this.random.below(from === 'start' ? START : WORK)
      await this.step({ from, strike, list: kills === 0 || this.random.chance(4) })
    }
    if (this.findings.list.length === 0) await this.step({ from: 'settle', strike: 0, list: true })
    return kills
  }

  private wrong(what: string, kind: 'lost' | 'wrong' | 'crash' = 'wrong'): void {
    this.findings.add(kind, this.operation, `${this.world.kind}, ${this.place.mode}: ${what}`)
  }

  private async step(how: Pick<KillOrder, 'from' | 'strike' | 'list'>): Promise<void> {
    const seed = this.random.u32() % 1_000_000
    const order: KillOrder = { place: this.place, seed, tried: this.tried, ...how }
    const { place } = this
    const ended = await runProgram(this.options.programs, [programFile(this.options.programs, 'kill-child'), text(order)], {
      root: place.base,
      allowed: [place.game, place.state, place.mod, place.out],
    })
    const told = ended.lines.map(([word, value]) =>
      word === 'try' ? `try ${(JSON.parse((value as { step: string }).step) as { kind: string }).kind}` : word,
    )
    this.options.trace?.(`kill ${this.operation}: ${how.from} ${how.strike}, ended by ${ended.signal ?? ended.code}: ${told.join(', ')}`)
    for (const [word, value] of ended.lines) this.hear(word, value)
    const meant = how.from === 'settle' ? ended.code === 0 : ended.signal === 'SIGKILL'
    if (!meant && this.findings.list.length === 0)
      this.wrong(`the process ended by ${ended.signal ?? `status ${ended.code}`}: ${ended.trouble.slice(-1500)}`, 'crash')
    this.look()
  }

  private hear(word: string, value: unknown): void {
    switch (word) {
      case 'found':
        return this.found((value as Told).state)
      case 'try':
        this.tried = value as { step: string; before: State }
        this.told = undefined
        return this.trying((JSON.parse(this.tried.step) as { kind: string }).kind, this.tried.before)
      case 'told':
        this.told = value
        return
      case 'done': {
        const { state } = value as Told
        const kind = this.kindTried()
        for (const [ref, entry] of this.onDisk)
          if (kind === 'save') entry.old = entry.fresh = state[ref] ?? entry.old
          else if (kind === 'restore' && isIn(ref, this.told)) entry.old = entry.fresh = this.initial![ref]
        if (kind && !['edit', 'undo', 'redo', 'restore'].includes(kind) && !sameState(state, this.tried!.before))
          this.wrong(`${kind} changed the model: ${differing(state, this.tried!.before).join(', ')}`)
        return this.acknowledge(state)
      }
      case 'files':
        return this.files(value as string[])
      case 'settled':
        return this.settled(value as { state: State; exported: [string, string][]; files: string[]; built: string })
      case 'left':
        if (value !== 0) this.wrong(`${String(value)} journals are offered although all is saved`)
        return
      case 'wrong':
        return this.wrong(text(value).slice(0, 1500))
      case 'refused':
        return this.wrong(`refused without a cause: ${text(value).slice(0, 1500)}`)
      case 'crash':
        return this.wrong(String(value), 'crash')
      case 'outside':
        return this.wrong(`a file is changed outside of the allowed folders: ${text(value)}`)
      case 'endless':
        return this.wrong(`the strike never came: ${text(value)}`)
      default:
    }
  }

  private acknowledge(state: State): void {
    this.acknowledged = state
    this.known.add(text(state))
    this.tried = undefined
  }

  private kindTried(): string {
    return this.tried ? (JSON.parse(this.tried.step) as { kind: string }).kind : ''
  }

  private found(state: State): void {
    const before = this.acknowledged
    if (this.kindTried() === 'save') this.halfSaved = true
    if (!before) {
      this.initial = state
      for (const [ref, hash] of Object.entries(state)) if (this.original.has(ref)) this.onDisk.set(ref, { old: hash, fresh: hash })
      for (const ref of Object.keys(state))
        if (!this.original.has(ref) && ref !== 'markers' && ref !== 'slices')
          this.wrong(`the model has a file that the game has not: ${ref}`)
      return this.acknowledge(state)
    }
    const lost = differing(state, before)
    if (lost.length === 0) return
    const kind = this.kindTried()
    const allowed =
      // the child proves that it is what the step leads to
      kind === 'edit' ||
      ((kind === 'undo' || kind === 'redo') && this.isStepBack(state, lost)) ||
      (kind === 'restore' && lost.every((key) => key === 'slices' || state[key] === this.initial![key]))
    if (!allowed) {
      const more = Object.keys(state).filter((key) => !(key in before))
      this.wrong(
        more.length > 0
          ? `the model has other files after a restart: ${more.join(', ')}`
          : `after a restart other than what was acknowledged, while ${kind || 'nothing'} was being made: ${lost.map((key) => `${key} ${state[key]} for ${before[key]}`).join(', ')}`,
        more.length > 0 ? 'wrong' : 'lost',
      )
    }
    this.acknowledge(state)
  }

  /**
   * A state that was there before. Of a save that was killed half-way some files are saved, and their steps are no history any more: then the
   * step taken back is one of another file, which is as it was in some state before, and the saved ones stay.
   */
  private isStepBack(state: State, changed: string[]): boolean {
    if (this.known.has(text(state))) return true
    return this.halfSaved && [...this.known].some((known) => changed.every((key) => (JSON.parse(known) as State)[key] === state[key]))
  }

  private trying(kind: string, before: State): void {
    for (const [ref, entry] of this.onDisk) {
      if (kind === 'save') entry.fresh = before[ref] ?? entry.fresh
      else if (kind === 'restore') entry.fresh = this.initial![ref]
    }
  }

  private files(found: string[]): void {
    const odd = found.filter(isTemporary)
    if (odd.length > 0) this.wrong(`the library shows temporary files: ${odd.join(', ')}`)
    this.listed ??= found
    const more = found.filter((name) => !this.listed!.includes(name))
    const less = this.listed.filter((name) => !found.includes(name))
    if (more.length + less.length > 0) this.wrong(`the library shows ${more.join(', ') || 'no'} more and ${less.join(', ') || 'no'} less`)
  }

  /** The disk as it is when nobody writes. */
  private look(): void {
    const { place, world } = this
    try {
      const game = bodies(place.game, world)
      const mod = place.mode === 'mod-folder' ? bodies(place.mod, world) : new Map<string, Uint8Array>()
      for (const name of [...game.keys(), ...mod.keys()]) if (!this.original.has(name)) this.wrong(`there is a file more: ${name}`)
      const vectors = new Map<string, Set<'old' | 'fresh'>>()
      for (const [name, bytes] of this.original) {
        const entry = this.onDisk.get(name)
        const here = mod.get(name) ?? game.get(name)
        if (!here) {
          this.wrong(`${name} is gone`)
          continue
        }
        if (place.mode === 'mod-folder' && Buffer.compare(game.get(name) ?? Buffer.alloc(0), bytes) !== 0)
          this.wrong(`${name} of the game was written although a mod folder is chosen`)
        if (!entry) {
          const holds = [...this.onDisk.keys()].some((ref) => ref.startsWith(`${name}!`))
          if (!holds && Buffer.compare(here, bytes) !== 0) this.wrong(`${name} was changed although nobody edited it`)
          continue
        }
        const hash = shortHash(here)
        if (hash !== entry.old && hash !== entry.fresh) this.wrong(`${name} is neither as it was nor as it was saved`)
        const archive = name.includes('!') ? name.slice(0, name.indexOf('!')) : name
        if (entry.old !== entry.fresh) vectors.set(archive, (vectors.get(archive) ?? new Set()).add(hash === entry.old ? 'old' : 'fresh'))
        entry.old = entry.fresh = hash
      }
      for (const [archive, sides] of vectors) if (sides.size > 1) this.wrong(`${archive} has some members as before and some as saved`)
    } catch (error) {
      this.wrong(`an archive does not read: ${(error as Error).message}`)
    }
    const problems: string[] = []
    if (place.mode === 'in-place') checkOriginals(place.state, world, problems)
    for (const problem of problems) this.wrong(problem)
  }

  private settled({ state, exported, files, built }: { state: State; exported: [string, string][]; files: string[]; built: string }): void {
    const { place, world } = this
    this.trying('save', state)
    this.files(files)
    if (this.acknowledged && !sameState(state, this.acknowledged))
      this.wrong(`saving changed the model: ${differing(state, this.acknowledged).join(', ')}`)
    const folder = place.mode === 'mod-folder' ? place.mod : place.game
    const now = bodies(folder, world)
    for (const [ref, hash] of Object.entries(state)) {
      const body = now.get(ref) ?? this.original.get(ref)
      if (body && shortHash(body) !== hash) this.wrong(`${ref} is not on disk as it was saved`)
    }
    const names = exported.map(([path, member]) => (member ? `${path}!${member}` : path))
    if (new Set(names).size !== names.length) this.wrong(`the mod package has a file twice: ${names.join(', ')}`)
    const changed = Object.entries(world.files)
      .filter(([path, bytes]) => filesBelow(folder).includes(path) && Buffer.compare(readFileSync(join(folder, path)), bytes) !== 0)
      .map(([path]) => path)
    const paths = new Set(exported.map(([path]) => path))
    // of a pair the directory stands for both
    const stem = (path: string): string => path.replace(/\.[^.]*$/, '')
    for (const path of changed)
      if (![...paths].some((p) => p === path || (world.archives[p] && stem(p) === stem(path))))
        this.wrong(`the mod package leaves ${path} out`)
    for (const path of paths)
      if (!changed.some((c) => stem(c) === stem(path))) this.wrong(`the mod package has ${path}, which is as it was`)
    if (changed.length > 0) {
      const made = bodies(join(place.out, built), world)
      for (const [name, body] of made) {
        const here = now.get(name)
        if (!here) this.wrong(`the built mod package has ${name}, which is no file of the game`)
        else if (Buffer.compare(trimZeros(here), trimZeros(body)) !== 0) this.wrong(`the built mod package has other bytes in ${name}`)
      }
    }
    const left = leftovers([place.game, place.mod, place.out, place.state])
    if (left.length > 0) this.wrong(`temporary files are left when all is saved: ${left.join(', ')}`)
  }
}

function trimZeros(bytes: Uint8Array): Uint8Array {
  let end = bytes.length
  while (end > 0 && bytes[end - 1] === 0) end--
  return bytes.subarray(0, end)
}

export async function killRound(folder: string, options: RoundOptions): Promise<RoundResult> {
  const base = mkdtempSync(join(folder, 'kills-'))
  try {
    const round = new KillRound(base, options)
    const done = await round.run()
    return { done, findings: round.findings.list }
  } finally {
    rmSync(base, { recursive: true, force: true })
  }
}
