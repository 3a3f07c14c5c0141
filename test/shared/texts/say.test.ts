import { compile, createMessageContext } from '@intlify/core-base'
import { afterEach, describe, expect, it } from 'vitest'
import { english } from '../../../src/shared/texts/en/index.ts'
import { families } from '../../../src/main/formats/registry.ts'
import { flatten, isText, localeOf, say, sayCount, sayParts, setLocale, speaker } from '../../../src/shared/texts/say.ts'
import { BRACKETS, pseudo } from '../../../src/shared/texts/pseudo.ts'
import { families as madeUp } from '../../fixtures/kite/family.ts'
import type { TextKey, TextTree } from '../../../src/shared/texts/texts.ts'

afterEach(() => setLocale('en'))

const texts = [...flatten(english)]
/** What a text wants to be told, as a caller would. */
const told = (text: string): Record<string, string | number> => ({
  ...Object.fromEntries([...text.matchAll(/\{(\w+)(?::\w+)?\}/g)].map(([, name]) => [name, `<${name}>`])),
  count: 2,
  n: 2,
})
type SayAny = (key: string, told?: Record<string, string | number>) => string

/** Each part with texts of its own: what they are, and what says them. */
const PARTS: [part: string, texts: TextTree, say: SayAny][] = [
  ['window and main', english, say as SayAny],
  ...[...families, ...madeUp].map(({ id, texts = {} }): [string, TextTree, SayAny] => [id, texts, speaker(texts) as SayAny]),
]

/**
 * Texts whose number is never one, since they are about more than a limit, several of a name, more than one chosen, or a size that a layout has
 * at least; and those that say the same of one (`weights of 1 of 24 vertices`).
 */
const NEVER_ONE: ReadonlySet<string> = new Set([
  ...[
    'commandLine.slice.severalCalled',
    'commandLine.clip.severalCalled',
    'formats.clips.longName',
    'formats.clips.tooMany',
    'formats.archives.nameTooLong',
    'formats.archives.twins',
    'formats.archives.twinsAlike',
    'formats.archives.tooManyMembers',
    'formats.zip.twins',
    'images.notes.palette',
    'indexing.copies',
    'pictures.tooManyVertices',
    'reports.import.weights.changed',
    'reports.import.weights.limited',
    'library.preview.several',
    'offset.all',
    'offset.editMany',
    'problems.fixAllTip',
    'timeline.check.ofMany',
  ],
  ...[
    'archives.disc.nameLonger',
    'archives.pack.nameLength',
    'codecs.mdt.nameTooLong',
    'edit.skeleton.needsNumbers',
    'edit.skeleton.boneOfGroups',
    'edit.slices.longName',
    'lint.allocCount',
    'lint.bindPoseApart',
    'lint.manyMeshes',
    'lint.manyNodes',
    'lint.builtLarger',
    'lint.manyBones',
    'scene.bindPoses',
  ],
  ...[
    'archives.big.tableTooLarge',
    'archives.big.duplicate',
    'archives.big.tailBytes',
    'archives.big.nameEnds',
    'archives.refPack.tooLittle',
    'edit.tooLong.name',
    'edit.tooLong.hierarchyName',
    'edit.clips.tooLong',
    'lint.lodLevels',
    'lint.combinations',
    'lint.transparentPasses',
    'lint.subObjectEnd',
    'lint.translucent',
    'lint.vertexLimit',
    'lint.valuesMissing',
    'lint.bitsMissing',
    'lint.blocksMissing',
    'lint.nameFull.mesh',
    'lint.nameFull.container',
    'lint.nameFull.hlod',
    'lint.nameFull.skeleton',
    'lint.passCount',
    'lint.stageCount',
    'scene.tooManyJoints',
  ],
  ...[
    'codecs.morphTargetsDoNotFit',
    'codecs.animTooSmall',
    'codecs.keysDoNotFit',
    'codecs.breakableNeeds',
    'codecs.split.paletteTooLong',
    'codecs.split.tooManyMeshes',
    'codecs.skinNeeds',
    'lint.frameRoots',
    'lint.nodeNameLength',
    'lint.textureNameLength',
    'lint.vertexLimit',
    'lint.uvSets',
    'lint.manyMaterials',
    'lint.manyBones',
    'lint.tooManyNodes',
    'lint.chain',
    'lint.effectCount',
    'lint.fileNameLength',
    'lint.objectAtomics',
    'lint.clipLimit',
    'lint.mipsUnsaid',
    'lint.moreThan64',
    'lint.softwareSkinning',
  ],
  ...['lint.manyFaces', 'lint.tooManyVertices'],
])

/** A number with what it counts, which is a text of its own. */
const COUNTED = /\{\w+:\w+\}/
/** Parameters that are words, or limits that are never one. */
const NO_NUMBER: ReadonlySet<string> = new Set([
  'most',
  'limit',
  'kind',
  'property',
  'family',
  'families',
  'role',
  'token',
  'part',
  'field',
  'height',
])
/** Where what stands behind a parameter is no noun that it counts, or its number is never one. */
const NOT_COUNTED: ReadonlySet<string> = new Set(['pose.notKeyedYet', 'retargeting.tooLong', 'viewport.second.scale'])

describe('texts', () => {
  it('say what they are told, in the place that the text has for it', () => {
    expect(say('settings.title')).toBe('Settings')
    expect(say('settings.pathOf', { label: 'mod folder' })).toBe('Path of the mod folder')
    expect(say('settings.pathOf', { label: '{version} | @:settings.title' })).toBe('Path of the {version} | @:settings.title')
  })

  it('have braces, bars and an @ that are meant as such', () => {
    const sayOwn = speaker({ own: { signs: "{'{'}{name}{'}'} {'|'} a{'@'}b", forms: "one {'|'} | {count} {'|'}" } } as const)
    expect(sayOwn('own.signs', { name: 'x' })).toBe('{x} | a@b')
    expect([1, 1234].map((count) => sayOwn('own.forms', { count }))).toEqual(['one |', '1,234 |'])
  })

  it('without places, forms and links are what the library would make of them', () => {
    const plain = texts.filter(([, text]) => !/[{}|@\\]/.test(text))
    expect(plain.length).toBeGreaterThan(500)
    for (const [key] of plain) {
      const pieces = sayParts(key as TextKey)
      expect(pieces.map((piece) => piece.text).join(''), key).toBe((say as SayAny)(key))
    }
    const sayOwn = speaker({ own: { signs: ' 100 %  $x [a] "b" (c)\u00a0', none: '' } } as const)
    expect(sayOwn('own.signs')).toBe(' 100 %  $x [a] "b" (c)\u00a0')
    expect(sayOwn('own.none')).toBe('')
  })

  it('of places and forms are what the library would make of them, in each language and part', () => {
    /** As the library says it, which is asked for texts that have more than that. */
    const byLibrary = (text: string, told: Record<string, string | number>, locale: string): string => {
      const { count, n } = told
      const plurals = new Intl.PluralRules(locale)
      return compile<string>(text, { locale, key: text, warnHtmlMessage: false })(
        createMessageContext({
          locale,
          named: typeof count === 'number' ? { ...told, count: sayCount(count) } : told,
          pluralIndex: Number(count ?? n),
          pluralRules: { [locale]: () => (plurals.select(Number(count ?? n)) === 'one' ? 0 : 1) },
        }),
      )
    }
    let seen = 0
    for (const locale of ['en', 'en-XA'] as const) {
      setLocale(locale)
      for (const [part, tree, sayAny] of PARTS)
        for (const [key, given] of flatten(tree)) {
          if (!given.includes('{') || COUNTED.test(given)) continue
          const text = locale === 'en' ? given : pseudo(given)
          for (const n of [0, 1, 2, 1.5, 1234]) {
            seen++
            expect(sayAny(key, { ...told(given), n, count: n }), `${part} ${key}`).toBe(
              byLibrary(text, { ...told(given), n, count: n }, locale),
            )
            // a count that has its unit already, and a report's number without one
            expect(sayAny(key, { ...told(given), count: `${n}` }), `${part} ${key}`).toBe(
              byLibrary(text, { ...told(given), count: `${n}` }, locale),
            )
          }
        }
    }
    expect(seen).toBeGreaterThan(10_000)
    const sayOwn = speaker({
      own: { spaced: ' {name}  x | {count} {name} ', close: 'one|{count}', three: 'a {n} | b | c', odd: '{name}{name}' },
    } as const)
    const told2 = { name: '$& {count}', count: 7, n: 7 }
    setLocale('en')
    for (const [key, text] of [
      ['own.spaced', ' {name}  x | {count} {name} '],
      ['own.close', 'one|{count}'],
      ['own.three', 'a {n} | b | c'],
      ['own.odd', '{name}{name}'],
    ] as const)
      expect((sayOwn as SayAny)(key, told2), text).toBe(byLibrary(text, told2, 'en'))
  })

  it('come in pieces where parts of a page stand in them', () => {
    expect(sayParts('outliner.taken')).toEqual([
      { text: '', slot: 'bone' },
      { text: ' is taken: ' },
      { text: '', slot: 'hang' },
      { text: ' hangs it below the chosen bone, ' },
      { text: '', slot: 'letGo' },
      { text: ' lets go' },
    ])
    expect(sayParts('settings.title')).toEqual([{ text: 'Settings' }])
    // @ts-expect-error no such text
    expect(sayParts('settings.nothing')).toEqual([{ text: 'settings.nothing' }])
  })

  it('are told by type what they need', () => {
    // @ts-expect-error a parameter is missing
    say('settings.pathOf')
    // @ts-expect-error the name of the parameter is another one
    say('settings.pathOf', { name: 'x' })
    // @ts-expect-error nothing to tell
    say('settings.title', { name: 'x' })
    // @ts-expect-error no such text
    expect(say('settings.nothing')).toBe('settings.nothing')
    const either: TextKey = 'settings.title'
    expect(isText(either)).toBe(true)
    expect(isText('settings')).toBe(false)
  })

  it('count by the language', () => {
    expect(sayCount(1234567)).toBe('1,234,567')
    expect([0, 1, 2, 2439].map((count) => say('formats.vertices', { count }))).toEqual([
      '0 vertices',
      '1 vertex',
      '2 vertices',
      '2,439 vertices',
    ])
    // of a report that programs read too
    expect([0, 1, 2, 1234].map((n) => say('reports.fields.sum', { n }))).toEqual(['0 fields', '1 field', '2 fields', '1234 fields'])
  })

  it('of a part are said by its own speaker, with those of main', () => {
    const sayOwn = speaker({ lint: { order: 'key {key} is not in order' }, edit: { keys: '{n} key | {n} keys' } } as const)
    expect(sayOwn('lint.order', { key: 3 })).toBe('key 3 is not in order')
    expect(sayOwn('edit.keys', { n: 1 })).toBe('1 key')
    expect(sayOwn('files.noFolder', { folder: 'a' })).toBe(say('files.noFolder', { folder: 'a' }))
    setLocale('en-XA')
    expect(sayOwn('edit.keys', { n: 2 })).toBe(`${BRACKETS[0]}2 ķķééýš${BRACKETS[1]}`)
    // @ts-expect-error a parameter is missing
    sayOwn('lint.order')
    // @ts-expect-error no such text
    expect(sayOwn('lint.nothing')).toBe('lint.nothing')
    // @ts-expect-error a text of the part is none of main
    expect(say('lint.order')).toBe('lint.order')
  })

  const inBoth = PARTS.flatMap((part) => (['en', 'en-XA'] as const).map((locale) => [...part, locale] as const))
  it.each(inBoth)('of %s are messages that can be said, every one of them', (_part, tree, sayAny, locale) => {
    setLocale(locale)
    for (const [key, text] of flatten(tree)) {
      const said = sayAny(key, told(text))
      expect(said, key).not.toBe(key)
      for (const name of text
        .split(' | ')
        .at(-1)!
        .matchAll(/\{(\w+)(?::\w+)?\}/g))
        if (name[1] !== 'count' && name[1] !== 'n') expect(said, key).toContain(`<${name[1]}>`)
      if (locale === 'en-XA') {
        expect(said.startsWith(BRACKETS[0]), key).toBe(true)
        expect(said.endsWith(BRACKETS[1]), key).toBe(true)
      }
    }
  })

  it.each(PARTS)('of %s have the words of those who mod', (_part, tree) => {
    const old = /\btype (\d+|\{\w+\}) (rotation|translation|scale)\b|\bway of (a|an|the)\b|\bdumm(y|ies)\b|\bhardpoints?\b/i
    expect([...flatten(tree)].filter(([, text]) => old.test(text))).toEqual([])
  })

  it('name attachment points, rotations and the ways that bones go as those who mod do', () => {
    expect([say('inspector.point.title'), say('commandGroups.points')]).toEqual(['Attachment point', 'Attachment points'])
    expect([say('timeline.tracks.rotation'), say('inspector.pose.rotation')]).toEqual(['Rotation', 'Rotation °'])
    expect([say('commands.pose.trail'), say('pose.wayOf', { bone: 'hand_l' })]).toEqual(['Motion path', 'Motion path of hand_l'])
    expect([say('commands.view.rootPath'), say('retarget.travel')]).toEqual(['Root motion path', 'Root motion'])
  })

  it.each(PARTS)('of %s have a form for one of what they count', (_part, tree) => {
    const many =
      /\{(n|count)\}(?: of (?:\{\w+\}|the))?(?: \{\w+\})?(?: (?!of|to)[a-z-]+){0,2}? (?!is\b|as\b|has\b|was\b|does\b)[a-z]+(?:[^s\W]s|ices)\b/
    expect([...flatten(tree)].filter(([key, text]) => many.test(text) && !text.includes(' | ') && !NEVER_ONE.has(key))).toEqual([])
  })

  it.each(PARTS)('of %s name what their other numbers count, where that has a form for one', (_part, tree) => {
    const nouns = Object.keys(english.counted).filter((noun) => !/[A-Z]/.test(noun))
    const plain = new RegExp(
      `\\{(?!n\\}|count\\})(\\w+)\\} (?:${[...nouns, 'files', 'samples', 'calls', 'chunks', 'poses'].join('|')})\\b`,
      'g',
    )
    const bad = [...flatten(tree)].filter(
      ([key, text]) => !NOT_COUNTED.has(key) && [...text.matchAll(plain)].some(([, name]) => !NO_NUMBER.has(name)),
    )
    expect(bad).toEqual([])
    const named = [...flatten(tree).values()].flatMap((text) => [...text.matchAll(/\{\w+:(\w+)\}/g)].map(([, what]) => what))
    expect(named.filter((what) => !(what in english.counted))).toEqual([])
  })

  it('say what their numbers count in the form of each number', () => {
    expect(say('formats.zip.tooLarge', { size: 1, most: 8 })).toBe('it says that it has 1 byte, at most 8 are unpacked')
    const sayOwn = speaker({
      own: { two: '{n} key in {all:frames}, {left:bytesLeft} | {n} keys in {all:frames}, {left:bytesLeft}' },
    } as const)
    expect(sayOwn('own.two', { n: 1, all: 2, left: 1 })).toBe('1 key in 2 frames, 1 byte is left')
    expect(sayOwn('own.two', { n: 2, all: 1, left: 2000 })).toBe('2 keys in 1 frame, 2000 bytes are left')
    // a number without a word, and what the codecs say of a file that is cut
    expect(say('binary.needs', { field: 'data', count: 204800, left: 204752 })).toBe('data needs 204,800 bytes, 204,752 are left')
    expect(say('binary.tooMany', { field: 'keys', value: 4000, left: 204752, stride: 16 })).toContain('204,752 bytes are left')
    // one that is written already has its form too
    expect([1, 1234].map((n) => sayOwn('own.two', { n: 2, all: sayCount(n), left: 2 }))).toEqual([
      '2 keys in 1 frame, 2 bytes are left',
      '2 keys in 1,234 frames, 2 bytes are left',
    ])
    // @ts-expect-error a parameter is missing
    sayOwn('own.two', { n: 1, all: 2 })
  })

  it('of one member, byte or vertex are about one', () => {
    expect(say('archiveEdits.members', { n: 1 })).toBe('1 member')
    expect(say('archiveEdits.extracted', { n: 1, bytes: say('files.byteCount', { count: 1 }), folder: 'x' })).toBe(
      '1 member, 1 byte written to x',
    )
    // of two numbers it is the counted one
    expect(say('archiveEdits.plan.put', { count: 1, from: '2 bytes', n: 5 })).toBe('put 1 file in the place of its member: 2 bytes -> 5')
    expect(say('save.allDone', { count: 2, files: say('units.files', { count: 1 }) })).toBe('Saved 2 models, 1 file')
  })

  it('have a language that is asked for by name, else English', () => {
    expect(localeOf('en-XA')).toBe('en-XA')
    for (const other of [null, undefined, '', 'tlh', '__proto__']) expect(localeOf(other)).toBe('en')
  })
})

describe('the pseudo-language', () => {
  it('is 40 % longer, in letters with accents, and keeps what is told', () => {
    const letters = (text: string): number => text.match(/\p{L}/gu)!.length
    for (const [key, text] of texts) {
      if (/[{|]/.test(text)) continue
      expect(letters(pseudo(text)), key).toBe(Math.ceil(letters(text) * 1.4))
      expect(pseudo(text), key).not.toMatch(/[a-z]/i)
    }
    expect(pseudo("Path of {name} {'|'}")).toMatch(/^⟦.*\{name\} \{'\|'\}⟧$/)
    expect(pseudo('{count} file | {count} files')).toMatch(/^⟦\{count\} [^|]*⟧ \| ⟦\{count\} [^|]*⟧$/)
  })
})
