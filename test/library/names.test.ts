/** What searches look through, held in memory: against each text by itself. */
import { afterEach, describe, expect, it } from 'vitest'
import { openDatabase, type Db } from '../../src/main/library/database.ts'
import { Names } from '../../src/main/library/names.ts'

const open: Db[] = []
afterEach(() => {
  for (const db of open.splice(0)) db.close()
})

interface Library {
  /** by the file's number; '' where no format knows it */
  files: Map<number, { text: string; format?: string; failed?: boolean }>
  models: Map<number, { name: string; files: readonly (number | null)[]; lists: readonly number[] }>
  lists: Map<number, readonly number[]>
}

function indexOf({ files, models, lists }: Library): Db {
  const db = openDatabase(':memory:')
  open.push(db)
  db.exec("INSERT INTO folders VALUES (1, '/library', '/library')")
  const file = db.prepare(
    `INSERT INTO files (id, ref, folder, name, name_key, stem, size, mtime, format, error_code) VALUES (?, ?, 1, '', '', '', 0, 0, ?, ?)`,
  )
  const name = db.prepare('INSERT INTO names VALUES (?, ?)')
  const model = db.prepare("INSERT INTO models VALUES (?, 'common', '', ?, '', 1, 0, 0, 0, 0, 0, 0, 0, 0)")
  const member = db.prepare("INSERT INTO members VALUES (?, ?, ?, '', '', '', '', 0, 0)")
  const listed = db.prepare("INSERT INTO listed VALUES (?, ?, ?, '', '', '', '', 0, 0)")
  for (const [id, { text, format = 'fake', failed }] of files) {
    file.run(id, `/library/${id}`, format, failed ? 'truncated' : null)
    name.run(id, text)
  }
  for (const [id, members] of lists) {
    db.prepare('INSERT INTO lists VALUES (?, 0)').run(id)
    members.forEach((of, i) => listed.run(id, i, of))
  }
  for (const [id, { name, files, lists }] of models) {
    model.run(id, name)
    files.forEach((of, i) => member.run(id, i, of))
    lists.forEach((list, i) => db.prepare('INSERT INTO model_lists VALUES (?, ?, ?)').run(id, i, list))
  }
  return db
}

/** 1 for what is called so, 2 and 3 for what begins so or has all of it in its name, 4 for what has it elsewhere. */
function fit(name: string, words: readonly string[]): number {
  const sought = words.join(' ')
  if (name === sought || name.startsWith(`${sought}.`)) return 1
  return name.startsWith(sought) ? 2 : words.every((word) => name.includes(word)) ? 3 : 4
}

/** The same, asked of one text after the other. */
function plainly({ files, models, lists }: Library, words: readonly string[]) {
  const text = (id: number | null): string => (id === null ? '' : files.get(id)!.text)
  const found = [...files].filter(([, { text }]) => words.every((word) => text.includes(word)))
  const ofModel = ({ name, files, lists: of }: { name: string; files: readonly (number | null)[]; lists: readonly number[] }): string[] => [
    name,
    ...files.map(text),
    ...of.flatMap((list) => lists.get(list)!.map(text)),
  ]
  const foundModels = [...models].filter(([, model]) => words.every((word) => ofModel(model).some((text) => text.includes(word))))
  return {
    files: found.map(([id, { text }]) => [id, fit(text.split('\n')[0], words)]),
    models: foundModels.map(([id, { name }]) => [id, fit(name, words)]),
    counts: {
      models: foundModels.length,
      files: found.filter(([, { format }]) => format !== '').length,
      errors: found.filter(([, { failed }]) => failed).length,
    },
  }
}

const ranked = (ranks: Uint8Array) => [...ranks].flatMap((rank, id) => (rank > 0 ? [[id, rank]] : []))

function inMemory(names: Names, words: readonly string[]) {
  const { files, models, counts } = names.find(words)
  return { files: ranked(files), models: ranked(models), counts }
}

const few: Library = {
  files: new Map([
    [3, { text: 'wind.fake\nweather\nwindmill\nrun' }],
    [4, { text: 'windows.fake\n\nrun' }],
    [9, { text: 'a wind run\fmill.fake\nオルク' }],
    [12, { text: 'mi\fll.txt', format: '' }],
    [13, { text: 'mill', failed: true }],
    [40, { text: '' }],
  ]),
  lists: new Map([
    [2, [4]],
    [5, [13, 3]],
  ]),
  models: new Map([
    [1, { name: 'mill', files: [12, null], lists: [] }],
    [2, { name: 'tree', files: [9], lists: [2, 5] }],
    [7, { name: 'wind', files: [], lists: [2] }],
  ]),
}

describe('names in memory', () => {
  const searches = ['wind', 'mill', 'w', 'run wind', 'オルク', 'ru', 'll', 'ke', 'ke run', 'none', 'a wind run', 'mill weather']
  it.each(searches)('find %s in the files and models that have it', (text) => {
    const words = text.split(' ')
    expect(inMemory(new Names(indexOf(few)), words)).toEqual(plainly(few, words))
  })

  it('find no word across two texts, and sixteen of them', () => {
    const names = new Names(indexOf(few))
    expect(names.find(['runwindows']).counts.files).toBe(0)
    expect(names.find(['fakeオ']).counts.files).toBe(0)
    const letters = [...'wind.fakerunmweat']
    expect(inMemory(names, letters.slice(0, 16))).toEqual(plainly(few, letters.slice(0, 16)))
  })

  it('find nothing in an index of nothing', () => {
    const nothing: Library = { files: new Map(), models: new Map(), lists: new Map() }
    expect(inMemory(new Names(indexOf(nothing)), ['a'])).toEqual(plainly(nothing, ['a']))
  })

  it('are read in parts, and those that are not held are found all the same', () => {
    const word = (i: number): string => ['wind', 'mill', 'run', 'walk', 'orc', 'tree', 'sea'][(i * i + 3 * i) % 7]
    const many: Library = {
      files: new Map(Array.from({ length: 5000 }, (_, i) => [3 * i + 1, { text: `${word(i)}${i}.fake\n${word(i + 1)}\n${word(2 * i)}` }])),
      lists: new Map([[1, Array.from({ length: 20_000 }, (_, i) => 3 * (i % 5000) + 1)]]),
      models: new Map(
        Array.from({ length: 2500 }, (_, i) => [i + 1, { name: word(i), files: [6 * i + 1, 6 * i + 4], lists: i % 99 ? [] : [1] }]),
      ),
    }
    const db = indexOf(many)
    for (const most of [undefined, 0, 60_000]) {
      const names = new Names(db, most)
      let parts = 0
      while (names.ready()) parts++
      expect(parts).toBeGreaterThan(4)
      for (const words of [['orc'], ['orc', 'run'], ['4999'], ['wind1', 'tree']])
        expect(inMemory(names, words)).toEqual(plainly(many, words))
    }
  })

  it('of files and of models are read each by themselves', () => {
    const db = indexOf(few)
    const names = new Names(db)
    const rename = (to: string): void => {
      db.prepare('UPDATE names SET text = ?').run(to)
      db.prepare('UPDATE models SET name_key = ?').run(to)
    }
    const found = (word: string): number[] => {
      const { files, models } = inMemory(names, [word])
      return [files.length, models.length]
    }
    while (names.ready(false));
    rename('oak')
    // the models come from the index as it is now, and none of the files has that name in memory
    expect(found('oak')).toEqual([0, 3])
    rename('elm')
    names.forgetModels()
    expect([found('oak'), found('elm')]).toEqual([
      [0, 0],
      [0, 3],
    ])
    names.forgetFiles()
    expect(found('elm')).toEqual([6, 3])
    rename('ash')
    while (names.ready());
    expect([found('elm'), found('ash')]).toEqual([
      [6, 3],
      [0, 0],
    ])
  })
})
