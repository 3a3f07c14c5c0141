/**
 * A state folder of an app that has the sample library already: scanned, its pictures drawn. Made once in a run by the first app that wants one, and
 * copied for each. An index names files by their whole paths, so that all of them stand at the same place, one after the other.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject } from 'vitest'
import type { Services } from '../../src/main/services/service.ts'
import { putSample } from '../support/sample.ts'

/** What stays of the app that it was made by: the rest is that app's own (its log, what was opened last). */
const KEPT = ['sample', 'libraries', 'pictures.sqlite']

/**
 * @param open an app on a state folder; answers once it has scanned the sample
 * @returns the folder, for the caller to take away; undefined while another app stands there
 */
export async function readySample(
  open: (state: string) => Promise<{ services: Services; close(): Promise<void> }>,
): Promise<string | undefined> {
  const state = join(inject('runFolder'), 'state')
  try {
    mkdirSync(state)
  } catch {
    return undefined
  }
  const made = join(inject('runFolder'), 'state-with-sample')
  if (!existsSync(made)) {
    await putSample(state)
    wholeTimes(join(state, 'sample'))
    const { services, close } = await open(state)
    // whatever comes of it, the app is no other test's
    await allPictures(services).finally(close)
    for (const name of readdirSync(state)) if (!KEPT.includes(name)) rmSync(join(state, name), { recursive: true, force: true })
    renameSync(state, made)
  }
  cpSync(made, state, { recursive: true, preserveTimestamps: true })
  return state
}

/** The index knows files by their times, and a copy has no finer ones. */
function wholeTimes(folder: string): void {
  const now = Math.floor(Date.now() / 1000)
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) utimesSync(join(folder, name), now, now)
}

async function allPictures({ handlers }: Services): Promise<void> {
  const context = { signal: new AbortController().signal }
  const { id: library } = await handlers['library.openSample']({}, context)
  const { rows } = await handlers['library.query']({ library, show: 'models', sort: 'name', offset: 0, limit: 200 }, context)
  const refs = rows.map(({ ref }) => ref)
  const missing = async (): Promise<number> =>
    (await handlers['library.pictures']({ library, refs }, context)).filter((picture) => picture === null).length
  // they are drawn while the window is idle, which it is seldom on a busy machine: as long as one comes after the other
  for (let left = await missing(); left > 0; left = await missing()) await expect.poll(missing, { timeout: 60_000 }).toBeLessThan(left)
}
