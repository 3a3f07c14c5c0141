/** Every call with arguments that fit its schema and belong to nothing, or to another model: a typed error or an answer, and the services live. */
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contract } from '../../src/shared/api/contract.ts'
import type { CallName } from '../../src/shared/api/contract.ts'
import type { NativeTrack } from '../../src/shared/api/types/clips.ts'
import { callArguments } from '../support/contract-calls.ts'
import { sampleTree, scanned, serviceBenches } from '../support/service-bench.ts'

const files = sampleTree()
const { base, game, call, ask } = serviceBenches(afterAll)({ files, guarded: true })

const PRIMARIES = [/adventurer\.mds$/, /animodel\/adventurer\.txt$/, /peds\/adventurer\.dff$/, /\.w3d$/i]
let library: string
let models: string[]
let refs: string[]
/** ids of tracks, weights, points, and keys of fields, of all models together: most of them foreign to any one */
const ids: string[] = []

beforeAll(async () => {
  library = await scanned(call, game)
  models = []
  refs = []
  for (const pattern of PRIMARIES) {
    const ref = join(
      game,
      Object.keys(files).find((path) => pattern.test(path))!,
    )
    const { info } = await call('model.open', { ref })
    models.push(info.id)
    refs.push(...info.files.slice(0, 3).map((file) => file.ref))
    const tracks = await ask('clips.tracks', { model: info.id, clip: 0 })
    if (tracks.ok) ids.push(...(tracks.value as NativeTrack[]).slice(0, 2).map(({ id }) => id))
    const weights = await ask('weights.list', { model: info.id })
    if (weights.ok) ids.push(...(weights.value as { id: string }[]).slice(0, 2).map(({ id }) => id))
  }
})

/** They close what the other calls need. */
const CLOSING: CallName[] = ['library.forget', 'model.close', 'library.openSample']
const NAMES = (Object.keys(contract) as CallName[]).filter((name) => !CLOSING.includes(name))

const known = (leaf: string): readonly string[] => {
  if (leaf === 'model') return models
  if (leaf === 'library') return [library]
  if (leaf === 'ref' || leaf === 'refs') return refs
  if (leaf === 'folder') return [join(base, 'out')]
  if (leaf === 'track' || leaf === 'id' || leaf === 'point' || leaf === 'key') return ids
  if (leaf === 'root') return [game]
  return []
}

describe('a foreign id', () => {
  it('of a mesh is told as what it is', async () => {
    for (const model of models)
      for (const id of ['', 'nothing', '0', '-1', '0:0', '__proto__', ...ids, `${refs[0]}#0`]) {
        const answer = await ask('weights.read', { model, id })
        if (!answer.ok)
          expect(['invalid-argument', 'not-found', 'unsupported'], `${id}: ${answer.error.message}`).toContain(answer.error.code)
      }
  })
})

describe('a track', () => {
  it('of a file of another format is not here', async () => {
    for (const model of models)
      for (const ref of refs) {
        const answer = await ask('clips.removeTrack', { model, track: `${ref}#tracks[0].rotation` })
        if (!answer.ok) expect(answer.error.code, answer.error.message).not.toBe('internal')
        else await call('history.undo', { model })
      }
  })
})

describe('hostile arguments', () => {
  it.each(NAMES)('of %s get an answer or a typed error', { timeout: 120_000 }, async (name) => {
    await fc.assert(
      fc.asyncProperty(callArguments(name, known), async (args) => {
        const answer = await ask(name, args)
        if (answer.ok) return
        const { code, message } = answer.error
        if (code === 'internal' || message === '') throw new Error(`${name}: ${code} ${message}`)
      }),
      // these go through all files
      { numRuns: /^(library\.(scan|query|pictureScene)|export\.|mod\.|modPackage\.)/.test(name) ? 4 : 40 },
    )
  })

  it.each(CLOSING)('of %s get an answer or a typed error', async (name) => {
    await fc.assert(
      fc.asyncProperty(callArguments(name), async (args) => {
        const answer = await ask(name, args)
        if (!answer.ok) expect(answer.error.code).not.toBe('internal')
      }),
      { numRuns: 20 },
    )
  })
})
