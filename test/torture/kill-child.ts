/**
 * Opens what is there, takes up what an earlier run left, tells what it finds, and works until it is killed: at the n-th change of the disk that
 * it makes, or after some time. With `settle` it saves everything instead, exports it and ends.
 */
import fs from 'node:fs'
import { Random } from '../fuzz/random.ts'
import { CallError, Session } from './session.ts'
import { pickEdit, pickKind } from './steps.ts'
import { fromText, toText } from './text.ts'
import type { Counting } from './counting.ts'
import type { Place, State } from './session.ts'
import type { Step } from './steps.ts'

export interface KillOrder {
  place: Place
  seed: number
  /** `start` counts from the first call on, `work` from when all is taken up; `time` waits ms; `settle` is not killed */
  from: 'start' | 'work' | 'time' | 'settle'
  strike: number
  /** the step that the run before was killed in, and the state that it began from */
  tried?: { step: string; before: State }
  /** look at what the library shows, after a scan */
  list: boolean
}

/** Steps after which a run that nobody kills gives up. */
const MOST_STEPS = 400

const order = JSON.parse(process.argv[2]) as KillOrder
const write = fs.writeSync
const say = (word: string, value: unknown): void => void write(1, `${word} ${toText(value)}\n`)
const counting = (globalThis as { tortureCounting?: Counting }).tortureCounting!
process.on('uncaughtException', (error) => {
  say('crash', error.stack ?? String(error))
  process.exit(1)
})

if (order.from === 'start') counting.killAt(order.strike)
const session = new Session(order.place)
const random = new Random(order.seed, 77)

const same = (a: State, b: State): boolean => toText(a) === toText(b)

/** A step that was not acknowledged but is there: it is what the same call leads to from the state before. */
async function proveTried(model: string, now: State): Promise<void> {
  const { step, before } = { ...order.tried!, step: fromText(order.tried!.step) as Step }
  if (same(now, before) || step.kind !== 'edit') return
  await session.call('history.undo', { model })
  const back = await session.stateOf(model)
  if (!same(back, before))
    return say('wrong', { what: 'undo of a step that was being made does not lead to the state before it', now, back, before })
  await session.make(step, model, 0)
  const again = await session.stateOf(model)
  if (!same(again, now)) say('wrong', { what: 'a step that was being made is there in part', now, again, before })
}

await session.start()
const recovered = await session.recover()
let { info, scene } = await session.open()
let now = await session.stateOf(info.id)
if (order.from !== 'start' && order.tried) await proveTried(info.id, now)
say('found', { state: now, recovered, events: session.events.filter(([name]) => name === 'notice') })
if (order.list) {
  await session.call('library.scan', { library: session.library.id })
  say('files', await session.files())
}

if (order.from === 'settle') {
  await session.make({ kind: 'save' }, info.id, 0)
  now = await session.stateOf(info.id)
  const exported = await session.make({ kind: 'export' }, info.id, 0)
  await session.call('library.scan', { library: session.library.id })
  await session.make({ kind: 'build' }, info.id, order.seed)
  say('settled', { state: now, exported, files: await session.files(), built: `built-${order.seed}` })
  await session.call('model.close', { model: info.id })
  say('left', (await session.call('recovery.list', {})).length)
  await session.services.close()
  process.exit(0)
}

if (order.from === 'work') counting.killAt(order.strike)
if (order.from === 'time') setTimeout(() => process.kill(process.pid, 'SIGKILL'), order.strike)
for (let i = 0; i < MOST_STEPS; i++) {
  const kind = pickKind(random)
  const step: Step = kind === 'edit' ? await pickEdit(session.call, info, scene, random) : { kind }
  say('try', { step: toText(step), before: now })
  try {
    if (step.kind === 'reopen') {
      await session.call('model.close', { model: info.id })
      await session.recover()
      await session.open()
    } else {
      const told = await session.make(step, info.id, order.seed * 1000 + i)
      if (told !== undefined) say('told', told)
    }
  } catch (error) {
    if (!(error instanceof CallError) || step.kind !== 'edit' || error.data.code === 'internal') {
      say('refused', { step: toText(step), message: (error as Error).message, stack: (error as Error).stack })
      process.exit(1)
    }
    say('no', error.message)
  }
  ;({ info, scene } = await session.open())
  now = await session.stateOf(info.id)
  say('done', { state: now })
}
say('endless', counting.count())
process.exit(1)
