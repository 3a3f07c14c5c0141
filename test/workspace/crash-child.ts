/**
 * Edits and saves without end, until it kills itself in the middle of a step, at the n-th call that changes something on
 * disk: before it (of a write after half of it), or behind it. Before each step it tells on standard output what
 * the step will lead to, and afterwards that it is acknowledged.
 */
import fs from 'node:fs'
import { join } from 'node:path'
import { FileStore } from '../../src/main/files/store.ts'
import { MemoryNeighbourhood } from '../../src/main/files/memory-neighbourhood.ts'
import { Workspace } from '../../src/main/workspace/workspace.ts'
import { fakeFamily, fakeRegistry } from './fake-family.ts'
import { killAtCall } from './kill-at.ts'
import type { Numbers } from './fake-family.ts'

const [root, state, primary, seedText, strikeText, from, call] = process.argv.slice(2)
const tell = fs.writeSync
if (from === 'start') killAtCall(Number(strikeText), call === 'carried out')

const store = new FileStore({ registry: fakeRegistry })
const workspace = new Workspace({ files: store, stateFolder: state })
const path = join(root, primary)
const around = MemoryNeighbourhood.of(store, root)
const binding = fakeFamily.bind(store.folderOf(path), around).find((b) => b.primary === path)!
const model = workspace.open({ family: fakeFamily, binding, around, library: root })

const say = (word: 'try' | 'done', values: number[][]): void => void tell(1, `${word} ${JSON.stringify(values)}\n`)
const current = (): number[][] => model.refs().map((ref) => [...(model.document(ref) as Numbers).values])

let seed = Number(seedText) >>> 0 || 1
const random = (n: number): number => {
  seed ^= seed << 13
  seed >>>= 0
  seed ^= seed >>> 17
  seed ^= seed << 5
  seed >>>= 0
  return seed % n
}

for (const { id, damage } of await workspace.recoverable())
  await (damage?.restorable === false ? workspace.discardRecovery(id) : workspace.recover(id, model))
say('done', current())
if (from === 'work') killAtCall(Number(strikeText), call === 'carried out')
const past: number[][][] = []
for (;;) {
  const before = current()
  const what = random(8)
  if (what < 2) {
    say('try', before)
    const { failed } = await workspace.save(model.id)
    if (failed.length > 0) throw new Error(`saving failed: ${failed[0].message}`)
  } else if (what === 2 && past.length > 0) {
    say('try', past.at(-1)!)
    await workspace.undo(model.id)
    past.pop()
  } else {
    const which = random(before.length)
    const next = before.map((values) => [...values])
    const value = random(1000)
    if (random(4) === 0) next[which] = [...next[which], value].slice(-40)
    else next[which][random(next[which].length)] = value
    say('try', next)
    const changed = await workspace.edit(model.id, 'Edit', (session) => {
      session.edit<Numbers>(model.refs()[which]).values = Float32Array.from(next[which])
    })
    if (changed) past.push(before)
  }
  say('done', current())
}
