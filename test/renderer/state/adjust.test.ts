// @vitest-environment happy-dom
/** The last operation and its settings, against services that keep a history as the workspace does. */
import { createPinia, setActivePinia, type Pinia } from 'pinia'
import { beforeEach, describe, expect, it } from 'vitest'
import { createFakeApi } from '../../../src/renderer/dev/fake-api.ts'
import { Refusal, useAdjust, type Operation, type Way } from '../../../src/renderer/core/adjust.ts'
import { useModels } from '../../../src/renderer/core/models.ts'
import { useSession } from '../../../src/renderer/core/session.ts'
import type { Api } from '../../../src/shared/api/transport.ts'

let pinia: Pinia
let steps: { id: string; label: string }[]
let sent: { label: string; replaces?: string }[]
let refuse: string
let slow: Promise<void> | null

/** A history alone: an edit labelled `nothing` changes nothing. */
function api(): Api {
  const inner = createFakeApi()
  return {
    on: (name, listener) => inner.on(name, listener),
    async call(name: never, args: never, options: never) {
      if (name === ('clips.editKeys' as never)) {
        const { label, replaces } = args as { label: string; replaces?: string }
        sent.push({ label, replaces })
        await slow
        if (refuse) throw Object.assign(new Error(refuse), { data: { code: 'invalid-edit', message: refuse } })
        if (replaces !== undefined && steps.at(-1)?.id !== replaces)
          throw Object.assign(new Error('gone'), { data: { code: 'not-found', message: 'gone' } })
        if (replaces !== undefined) steps.pop()
        if (label !== 'nothing') steps.push({ id: replaces ?? `id${sent.length}`, label })
      } else if (name === ('history.undo' as never)) steps.pop()
      else return inner.call(name, args, options)
      const { info, scene } = await inner.call('model.scene', { model: 'm1' })
      return {
        info: { ...info, history: { undo: steps.map((s) => s.label), redo: [], top: steps.at(-1)?.id ?? '' } },
        scene,
        diagnostics: [],
      }
    },
  } as Api
}

beforeEach(async () => {
  steps = []
  sent = []
  refuse = ''
  slow = null
  pinia = createPinia()
  setActivePinia(pinia)
  await useSession(pinia).start(api())
  await useModels(pinia).openRef('/games/dark-cloud/chara/c01a.chr!c01a.mds')
})

const labels = (): string[] => steps.map((s) => s.label)
const send = (way: Way, label: string): Promise<void> => way.edit('clips.editKeys', { label, edits: [] })

function tool(by = 1, more: Partial<Operation<{ by: number }>> = {}): Operation<{ by: number }> {
  return {
    title: 'Add',
    fields: [{ key: 'by', label: 'By', kind: 'number' }],
    values: { by },
    async run(values, way) {
      if (values.by < 0) throw new Refusal('Cannot', 'below nothing')
      await send(way, values.by === 0 ? 'nothing' : `Add ${values.by}`)
      return { words: `added ${values.by}` }
    },
    ...more,
  }
}

describe('the last operation', () => {
  it('is shown after its first run, and each new value takes the place of its step', async () => {
    const adjust = useAdjust(pinia)
    const kept: number[] = []
    expect(await adjust.perform(() => tool(1, { keep: ({ by }) => kept.push(by) }))).toBe(true)
    expect(adjust.shown).toMatchObject({ values: { by: 1 }, words: 'added 1' })
    adjust.set('by', 2)
    await expect.poll(labels).toEqual(['Add 2'])
    adjust.set('by', 3)
    await expect.poll(labels).toEqual(['Add 3'])
    await expect.poll(() => adjust.shown?.words).toBe('added 3')
    expect(sent.map((s) => s.replaces)).toEqual([undefined, 'id1', 'id1'])
    expect(kept).toEqual([2, 3])
  })

  it('says why a value is refused, and what was there stays', async () => {
    const adjust = useAdjust(pinia)
    await adjust.perform(() => tool(4))
    adjust.set('by', -1)
    await expect.poll(() => adjust.shown?.refused).toBe('Cannot: below nothing')
    refuse = 'the file says no'
    adjust.set('by', 5)
    await expect.poll(() => adjust.shown?.refused).toBe('the file says no')
    expect(labels()).toEqual(['Add 4'])
    refuse = ''
    adjust.set('by', 6)
    await expect.poll(labels).toEqual(['Add 6'])
    await expect.poll(() => adjust.shown?.refused).toBe('')
    expect(useSession(pinia).notices).toEqual([])
  })

  it('with values that change nothing has no step, and has one again with others', async () => {
    const adjust = useAdjust(pinia)
    await adjust.perform(() => tool(9))
    await adjust.perform(() => tool(1))
    adjust.set('by', 0)
    await expect.poll(labels).toEqual(['Add 9'])
    expect(adjust.shown).not.toBeNull()
    adjust.set('by', 2)
    await expect.poll(labels).toEqual(['Add 9', 'Add 2'])
    adjust.set('by', 3)
    await expect.poll(labels).toEqual(['Add 9', 'Add 3'])
  })

  it('goes from sight when another step is made, when it is undone and when it is closed', async () => {
    const adjust = useAdjust(pinia)
    const models = useModels(pinia)
    await adjust.perform(() => tool())
    await models.undo()
    expect(adjust.shown).toBeNull()
    await adjust.perform(() => tool())
    await models.edit('clips.editKeys', { label: 'other', edits: [] })
    expect(adjust.shown).toBeNull()
    adjust.set('by', 7)
    expect(labels()).toEqual(['Add 1', 'other'])
    await adjust.perform(() => tool())
    adjust.close()
    expect(adjust.shown).toBeNull()
  })

  it('that fails at its first run is told in passing, and the one before stays', async () => {
    const adjust = useAdjust(pinia)
    await adjust.perform(() => tool(1))
    expect(await adjust.perform(() => tool(-1, { title: 'Other' }))).toBe(false)
    expect(useSession(pinia).notices).toMatchObject([{ severity: 'warning', message: 'Cannot', detail: 'below nothing' }])
    expect(adjust.shown?.operation.title).toBe('Add')
    expect(await adjust.perform(() => tool(0))).toBe(false)
    expect(adjust.shown?.values).toEqual({ by: 1 })
  })

  it('takes the last of several values that come while it works', async () => {
    const adjust = useAdjust(pinia)
    await adjust.perform(() => tool(1))
    let go = (): void => {}
    slow = new Promise((resolve) => (go = resolve))
    for (const by of [2, 3, 4]) adjust.set('by', by)
    go()
    await expect.poll(labels).toEqual(['Add 4'])
    expect(sent.map((s) => s.label)).toEqual(['Add 1', 'Add 2', 'Add 4'])
  })

  it('takes a value that comes while the first run goes on', async () => {
    const adjust = useAdjust(pinia)
    let go = (): void => {}
    slow = new Promise((resolve) => (go = resolve))
    const run = adjust.perform(() => tool(1))
    await expect.poll(() => adjust.shown?.slow).toBe(true)
    adjust.set('by', 2)
    go()
    expect(await run).toBe(true)
    await expect.poll(labels).toEqual(['Add 2'])
    expect(sent.map((s) => s.replaces)).toEqual([undefined, 'id1'])
  })

  it('waits for the one before, so that each finds what that one left', async () => {
    const adjust = useAdjust(pinia)
    const found: number[] = []
    const make = (): Operation<{ by: number }> => (found.push(steps.length), tool(found.length))
    await Promise.all([adjust.perform(make), adjust.perform(make), adjust.perform(() => null), adjust.perform(make)])
    expect(found).toEqual([0, 1, 2])
    expect(labels()).toEqual(['Add 1', 'Add 2', 'Add 3'])
  })

  it('that takes long shows its progress and can be stopped before it sends anything', async () => {
    const adjust = useAdjust(pinia)
    const run = adjust.perform(() =>
      tool(1, {
        async run(_values, way) {
          way.progress(0.5)
          await new Promise((_, reject) => way.signal.addEventListener('abort', () => reject(way.signal.reason as Error)))
          return send(way, 'never').then(() => ({}))
        },
      }),
    )
    await expect.poll(() => adjust.shown?.slow).toBe(true)
    expect(adjust.shown?.progress).toBe(0.5)
    adjust.cancel()
    expect(await run).toBe(false)
    expect(sent).toEqual([])
    expect(useSession(pinia).notices).toEqual([])
    expect(adjust.shown).toBeNull()
  })
})
