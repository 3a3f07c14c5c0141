/** Very many models and animations of one skeleton: each model has all of the animations, and the index has them once. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { oneSkeleton } from '../bench/mixed-library.ts'
import { tempFolder } from '../files/temp.ts'
import { MemoryNeighbourhood } from '../../src/main/files/memory-neighbourhood.ts'
import { FileStore } from '../../src/main/files/store.ts'
import { bind } from '../../src/main/formats/w3d/scene/bind.ts'
import { LONG_LIST } from '../../src/main/formats/sharing.ts'
import { openDatabase } from '../../src/main/library/database.ts'
import { Library } from '../../src/main/library/library.ts'
import { indexFolder } from '../../src/main/library/indexer.ts'
import { modelsOf } from '../../src/main/library/model-rows.ts'
import { checkRows } from '../../src/main/library/row-counts.ts'
import type { ModelMember } from '../../src/main/formats/binding.ts'
import type { Db } from '../../src/main/library/database.ts'

/** Two of five are models: the figure, and its skeleton by itself. */
const MODELS = 80
const ANIMATIONS = 120

let root: string
let store: FileStore
let library: Library
let db: Db
beforeAll(() => {
  root = tempFolder()
  writeFileSync(join(root, 'Units.big'), oneSkeleton(MODELS + ANIMATIONS))
  store = new FileStore()
  library = Library.open(root, join(tempFolder(), 'index.sqlite'), { store })
  db = openDatabase(library.database)
  indexFolder(db, store, library.root)
})
afterAll(() => {
  db.close()
  library.close()
  store.close()
})

const count = (sql: string): number => db.prepare(sql).pluck().get() as number
const figure = (): string => join(library.root, 'Units.big!Art/W3D/7_U_SKN.W3D')

test('rows grow with the files, not with the pairs of them', () => {
  expect(count('SELECT count(*) FROM models')).toBe(MODELS)
  expect(count('SELECT count(*) FROM listed')).toBe(ANIMATIONS)
  expect(count('SELECT count(*) FROM members')).toBeLessThanOrEqual(2 * MODELS)
  expect(checkRows(db)).toBeUndefined()
})

test('a model has its own members first, then each animation once, as without an index', () => {
  const [model] = library.modelOf(figure())
  expect(model.members.slice(0, 2).map(({ role }) => role)).toEqual(['model', 'skeleton'])
  const animations = model.members.filter(({ role }) => role === 'animation')
  expect(new Set(animations.map(({ ref }) => ref)).size).toBe(ANIMATIONS)
  expect(animations).toHaveLength(ANIMATIONS)
  const folder = store.folderOf(figure())
  const bound = bind(folder, MemoryNeighbourhood.of(store, library.root)).find(({ primary }) => primary === figure())!
  // the index keeps keys in lower case, so that details read otherwise
  const found = ({ ref, role, why, fit }: ModelMember) => ({ ref, role, why, fit })
  expect(model.members.map(found)).toEqual(bound.members.map(found))
})

test('an animation is found with every model that it moves, and is no part of the size of any', () => {
  const animation = library.modelOf(figure())[0].members.at(-1)!
  expect(library.modelOf(animation.ref)).toHaveLength(MODELS)
  const query = { show: 'models', text: '3_u_ida', sort: 'name', descending: false, offset: 0, limit: 10 } as const
  expect(library.query(query).total).toBe(MODELS)
  const own = count(`SELECT size FROM files WHERE ref = '${figure()}'`)
  expect(count(`SELECT size FROM models WHERE "primary" = '${figure()}'`)).toBe(own)
  expect(count(`SELECT clips FROM models WHERE "primary" = '${figure()}'`)).toBe(ANIMATIONS)
  expect(library.stamp(figure())).toMatch(new RegExp(`^${ANIMATIONS + 2} `))
})

test('a copy of a binding has members, and nothing of the lists', () => {
  const folder = store.folderOf(figure())
  const [bound] = bind(folder, MemoryNeighbourhood.of(store, library.root))
  expect(bound.apart?.shared).toHaveLength(1)
  const copy = { ...bound, members: [] }
  expect(copy).toEqual({ family: 'w3d', name: bound.name, primary: bound.primary, members: [] })
  expect(copy.apart).toBeUndefined()
})

test('so it is in an archive of another game, where models have a dictionary of their own besides', () => {
  const folder = tempFolder()
  writeFileSync(join(folder, 'Units.img'), oneSkeleton(3 * LONG_LIST, 'renderware'))
  const other = openDatabase(':memory:')
  indexFolder(other, store, folder)
  const counted = (sql: string): number => other.prepare(sql).pluck().get() as number
  expect(counted('SELECT count(*) FROM models')).toBe(LONG_LIST)
  expect(counted('SELECT count(*) FROM listed')).toBe(LONG_LIST)
  expect(counted('SELECT count(*) FROM members')).toBe(2 * LONG_LIST)
  const [model] = modelsOf(other, join(folder, 'Units.img!7_U.dff'))
  expect(model.members.slice(0, 2).map(({ role, ref }) => [role, ref.slice(-7)])).toEqual([
    ['model', '7_U.dff'],
    ['textures', '7_U.txd'],
  ])
  const animations = model.members.slice(2)
  expect(animations.every(({ role, fit }) => role === 'animation' && fit?.matched === fit?.total)).toBe(true)
  expect(new Set(animations.map(({ ref }) => ref)).size).toBe(LONG_LIST)
  other.close()
})

test('a search finds a model by its name, its own files and those that it shares, whether few files have a word or most', () => {
  const texts = new Map(
    (db.prepare('SELECT f.ref, n.text FROM names n JOIN files f ON f.id = n.file').all() as { ref: string; text: string }[]).map(
      ({ ref, text }) => [ref, text] as const,
    ),
  )
  const refs = db.prepare('SELECT "primary" FROM models').pluck().all() as string[]
  const models = refs.map((ref) => {
    const { name, members } = library.modelOf(ref)[0]
    const of = (shared: boolean): string =>
      members.flatMap((member) => ((member.role === 'animation') === shared ? [texts.get(member.ref) ?? ''] : [])).join('\n')
    return { ref, own: `${name.toLowerCase()}\n${of(false)}`, shared: of(true) }
  })
  const words = new Set([...texts.values()].flatMap((text) => Array.from(text.slice(0, -1), (_, at) => text.slice(at, at + 2).trim())))
  const seen = { most: 0, few: 0, mostShared: 0 }
  for (const word of words) {
    if (!word || /\s/.test(word)) continue
    const { rows } = library.query({ show: 'models', sort: 'name', offset: 0, limit: 500, text: word })
    const found = models.filter(({ own, shared }) => own.includes(word) || shared.includes(word))
    expect(rows.map(({ ref }) => ref).sort(), word).toEqual(found.map(({ ref }) => ref).sort())
    const most = [...texts.values()].filter((text) => text.includes(word)).length > MODELS
    if (!most) seen.few++
    else if (found.some(({ own }) => !own.includes(word))) seen.mostShared++
    else seen.most++
  }
  for (const [which, cases] of Object.entries(seen)) expect(cases, which).toBeGreaterThan(0)
})
