import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { argText, cfgBytes } from '../../../src/main/formats/level5/codecs/cfg-text.ts'
import { cfgFiles, cfgMotions } from '../../../src/main/formats/level5/codecs/cfg-motions.ts'
import { cfgFormat } from '../../../src/main/formats/level5/codecs/cfg.ts'
import { insertKey, moveKey, removeKey, setKey } from '../../../src/main/formats/level5/codecs/cfg-keys.ts'
import { newCfg } from '../../../src/main/formats/level5/make.ts'
import { decodeText, encodeText } from '../../../src/main/formats/level5/codecs/names.ts'
import { identify } from '../../../src/main/formats/registry.ts'
import { dc1Text, dc2Text, ja, latin } from '../../fixtures/level5/text.ts'
import { expectLossless, expectTame } from '../../support/hostile.ts'
import type { CfgDocument } from '../../../src/main/formats/level5/codecs/cfg-text.ts'

const open = (text: string): CfgDocument => cfgFormat.decode(latin(text), 'x.cfg')
const text = (document: CfgDocument): string => Array.from(cfgBytes(document), (b) => String.fromCharCode(b)).join('')
const keys = (document: CfgDocument, motion = 0): unknown[] =>
  cfgMotions(document)[motion].keys.map(({ name, start, end, speed }) => [name, start, end, speed])

describe('CFG of Dark Cloud 1', () => {
  it('reads windows, names from the comment behind them, motions and files', () => {
    const document = expectLossless(cfgFormat, latin(dc1Text))
    expect(document.dialect).toBe('dc1')
    expect(keys(document)).toEqual([
      ['立ち 0', 1, 10, 0.17],
      ['ソ', 10, 20, 0.4],
      ['', 0, 0, 0],
      ['', 20, 40, 0.3],
      ['表', 50, 90, 1],
    ])
    expect(keys(document, 1)).toEqual([['', 1, 5, 0.5]])
    const files = cfgFiles(document)
    expect([files.model, files.images, files.motions.map((m) => [m.number, m.mot, m.bbp, m.wgt])]).toEqual([
      ['hero.mds'],
      ['skin.img'],
      [
        [0, 'hero.mot', 'hero.bbp', 'hero.wgt'],
        [1, 'run.mot', '', ''],
      ],
    ])
    expect(document.diagnostics).toEqual([])
  })

  it('changes exactly the number that was edited, in its own style', () => {
    const document = open(dc1Text)
    setKey(document, cfgMotions(document)[0].keys[1], { end: 25, speed: 0.5 })
    expect(text(document)).toBe(dc1Text.replace('KEY  10,  20,  0.40', 'KEY  10,  25,  0.50'))
    setKey(document, cfgMotions(document)[0].keys[1], { end: 20, speed: 0.4 })
    expect(text(document)).toBe(dc1Text)
    setKey(document, cfgMotions(document)[0].keys[1], { name: 'ソ', start: 10, end: 20, speed: 0.4 })
    expect(text(document)).toBe(dc1Text)
    setKey(document, cfgMotions(document)[0].keys[3], { speed: 0.125 })
    expect(text(document)).toContain('KEY 20 40 0.125    \r\n')
  })

  it('renames in the comment, or adds one', () => {
    const document = open(dc1Text)
    setKey(document, cfgMotions(document)[0].keys[0], { name: '走る' })
    expect(text(document)).toBe(dc1Text.replace(`//${ja.stand} 0`, '//\x91\x96\x82\xe9'))
    setKey(document, cfgMotions(document)[0].keys[1], { name: 'a' })
    setKey(document, cfgMotions(document)[0].keys[4], { name: 'b' })
    setKey(document, cfgMotions(document)[0].keys[3], { name: 'walk' })
    setKey(document, cfgMotions(document)[0].keys[2], { name: '表' })
    const t = text(document)
    expect(t).toContain('0.40  \t // a\r\n')
    expect(t).toContain('1 /* b */\r\n')
    expect(t).toContain('KEY 20 40 0.30    //walk\r\n')
    expect(t).toContain(`KEY  0,0,0 //${ja.table}\r\n`)
    expect(keys(document).map((k) => (k as string[])[0])).toEqual(['走る', 'a', '表', 'walk', 'b'])
  })

  it('refuses what cannot stand there and then changes nothing', () => {
    const document = open(dc1Text)
    const key = cfgMotions(document)[0].keys[0]
    expect(() => setKey(document, key, { end: 99, name: '한국어' })).toThrowError(expect.objectContaining({ code: 'invalid-edit' }))
    expect(() => setKey(document, key, { end: 99, name: 'a\nb' })).toThrowError(expect.objectContaining({ code: 'invalid-edit' }))
    expect(() => setKey(document, key, { start: Number.NaN })).toThrowError(expect.objectContaining({ code: 'invalid-edit' }))
    expect(() => setKey(document, cfgMotions(document)[0].keys[4], { name: '*/' })).toThrowError(
      expect.objectContaining({ code: 'invalid-edit' }),
    )
    expect(text(document)).toBe(dc1Text)
  })

  it('adds, removes and moves whole lines', () => {
    const document = open(dc1Text)
    insertKey(document, 0, 1, { name: '表', start: 3, end: 4, speed: 0.2 })
    expect(text(document)).toBe(dc1Text.replace('KEY  10,', `KEY  3,  4,  0.20    //${ja.table}\r\nKEY  10,`))
    removeKey(document, cfgMotions(document)[0].keys[1])
    expect(text(document)).toBe(dc1Text)
    moveKey(document, 0, 0, 3)
    expect(keys(document).map((k) => (k as number[])[1])).toEqual([10, 0, 20, 1, 50])
    moveKey(document, 0, 3, 0)
    expect(text(document)).toBe(dc1Text)
    insertKey(document, 1, 9, { name: '', start: 6, end: 7, speed: 1 })
    expect(text(document)).toBe(dc1Text.replace('KEY  1,  5,  0.5\r\n', 'KEY  1,  5,  0.5\r\nKEY  6,  7,  1.00\r\n'))
    removeKey(document, cfgMotions(document)[1].keys[0])
    removeKey(document, cfgMotions(document)[1].keys[0])
    insertKey(document, 1, 0, { name: '', start: 1, end: 5, speed: 0.5 })
    expect(text(document)).toContain('KEY_START 1\r\nKEY  1,  5,  0.50\r\nMOTION_END')
  })
})

describe("a script's line ends", () => {
  it.each([
    ['CR LF', '\r\n'],
    ['LF', '\n'],
  ])('stay %s, and new lines take them', (_, end) => {
    const script = dc1Text.replaceAll('\r\n', end)
    const document = open(script)
    insertKey(document, 0, 1, { name: '', start: 3, end: 4, speed: 0.2 })
    expect(text(document)).toBe(script.replace('KEY  10,', `KEY  3,  4,  0.20${end}KEY  10,`))
    setKey(document, cfgMotions(document)[0].keys[0], { start: 2 })
    expect(text(document).split(end).length).toBe(script.split(end).length + 1)
    expect(text(document).includes('\r')).toBe(end.includes('\r'))
  })
})

describe('CFG of Dark Cloud 2', () => {
  it('reads names with commas, semicolons, quotes, comment marks and two-byte characters', () => {
    const document = expectLossless(cfgFormat, latin(dc2Text))
    expect(document.dialect).toBe('dc2')
    expect(keys(document)).toEqual([
      ['立ち', 4, 14, 0.35],
      ['a, b;c " // no comment 表', 14, 20, 0.5],
      ['ソ', 362, 364, 0.02],
      ['', 1, 1, 1],
      ['end', 300, 900, 0.25],
    ])
    expect(cfgMotions(document)[0]).toMatchObject({ mot: 'hero.mot', bbp: 'hero.bbp', wgt: 'hero.wgt' })
    expect(cfgFiles(document).images).toEqual(['skin.img'])
    expect(document.diagnostics).toEqual([])
  })

  it('changes only the pieces of one KEY', () => {
    const document = open(dc2Text)
    setKey(document, cfgMotions(document)[0].keys[0], { start: 5, name: '表"; \\' })
    expect(text(document)).toBe(dc2Text.replace(`KEY "${ja.stand}", 4,`, `KEY "${ja.table}\\"; \\\\", 5,`))
    expect(cfgMotions(document)[0].keys[0].name).toBe('表"; \\')
    setKey(document, cfgMotions(document)[0].keys[0], { start: 4, name: '立ち' })
    expect(text(document)).toBe(dc2Text)
    setKey(document, cfgMotions(document)[0].keys[2], { end: 400 })
    expect(text(document)).toBe(dc2Text.replace('362, 364', '362, 400'))
  })

  it('adds in line with the others, moves and removes', () => {
    const document = open(dc2Text)
    insertKey(document, 0, 5, { name: 'new', start: 1, end: 2, speed: 0.5 })
    expect(text(document)).toBe(dc2Text.replace('KEY_END', '\tKEY "new", 1, 2, 0.50;\r\nKEY_END'))
    removeKey(document, cfgMotions(document)[0].keys[5])
    moveKey(document, 0, 1, 0)
    expect(keys(document).map((k) => (k as number[])[1])).toEqual([14, 4, 362, 1, 300])
    expect(text(document)).toContain(`0.5; // ${ja.so}\r\n\tKEY "${ja.stand}"`)
    moveKey(document, 0, 0, 1)
    expect(text(document)).toBe(dc2Text)
  })

  it('reads on over missing semicolons and broken KEYs, and says so', () => {
    const document = open('MOTION 0, "a.mot", "", "";\nKEY_START;\nKEY "a", 1, 2, 0.5\nKEY "b", 3;\nKEY_END;\n')
    expect(keys(document)).toEqual([
      ['a', 1, 2, 0.5],
      ['b', 3, 0, 0],
    ])
    expect(document.diagnostics.map((d) => [d.code, d.path])).toEqual([
      ['level5.cfg-semicolon', 'motions[0].keys[0]'],
      ['level5.cfg-key', 'motions[0].keys[1]'],
    ])
    expect(() => setKey(document, cfgMotions(document)[0].keys[1], { end: 4 })).toThrowError(
      expect.objectContaining({ code: 'invalid-edit' }),
    )
  })
})

describe('CFG in general', () => {
  it('reads a path that ends in a backslash', () => {
    const document = open('MODEL "dir\\";\r\nIMG 0, "a\\b.img";\r\n')
    expect(document.statements.map((s) => s.args.map(argText))).toEqual([['dir\\'], ['0', 'a\\b.img']])
  })

  it('keeps a compiled script and refuses to edit it', () => {
    const document = expectLossless(cfgFormat, latin('BIN\0\x01\x02KEY 1,2,3'))
    expect(document.readOnly).toContain('compiled')
    expect(cfgMotions(document)).toEqual([])
    expect(() => insertKey(document, 0, 0, { name: '', start: 1, end: 2, speed: 1 })).toThrowError(
      expect.objectContaining({ code: 'read-only' }),
    )
    expect(cfgFormat.identify(latin('BIN\0abc'), 'info.cfg', 7)).toBeGreaterThan(0.5)
  })

  it('knows a script from other text', () => {
    const id = (t: string, name: string): string | undefined => identify(latin(t), name, t.length)?.format?.id
    expect([
      id(dc1Text, 'info.cfg'),
      id(dc2Text, 'INFO.CFG'),
      id(dc1Text, 'noname'),
      id('[video]\nmode=1\nKEY=3\n', 'game.cfg'),
      id('the KEY is here', 'a.txt'),
    ]).toEqual(['level5.cfg', 'level5.cfg', 'level5.cfg', undefined, undefined])
  })

  it('describes each statement where it stands', () => {
    const bytes = latin(dc2Text)
    const root = cfgFormat.describe(cfgFormat.decode(bytes, 'x'))
    const key = root.children.find((c) => c.name === 'motions[0].keys[1]')!
    const end = key.fields.find((f) => f.name === 'end')!
    expect(decodeText(bytes.subarray(end.start, end.start + end.size))).toBe('20')
    expect(root.end).toBe(bytes.length)
  })

  it('writes new scripts of both dialects that read back', () => {
    const init = {
      images: ['a.img'],
      model: 'a.mds',
      bodySize: [1, 2, 3] as const,
      motions: [
        {
          number: 0,
          mot: 'a.mot',
          bbp: 'a.bbp',
          wgt: 'a.wgt',
          keys: [
            { name: '立ち', start: 1, end: 30, speed: 0.5 },
            { name: '表"', start: 30, end: 45, speed: 1 },
          ],
        },
      ],
    }
    for (const dialect of ['dc1', 'dc2'] as const) {
      const document = expectLossless(cfgFormat, newCfg(dialect, init))
      expect(document.dialect).toBe(dialect)
      expect(document.diagnostics).toEqual([])
      expect(keys(document)).toEqual([
        ['立ち', 1, 30, 0.5],
        ['表"', 30, 45, 1],
      ])
      expect(cfgFiles(document)).toMatchObject({
        model: ['a.mds'],
        images: ['a.img'],
        motions: [{ mot: 'a.mot', bbp: 'a.bbp', wgt: 'a.wgt' }],
      })
    }
  })

  it('keeps any bytes, and edits of any KEY change only its line', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 200 }),
        (bytes) => void (expectLossless(cfgFormat, bytes), expectTame(cfgFormat, bytes, 'random')),
      ),
      { numRuns: 300 },
    )
    const pieces = fc.array(
      fc.constantFrom(
        'KEY ',
        '"',
        '\\',
        ';',
        ',',
        '1',
        '2.5',
        '//',
        '/*',
        '*/',
        '\r\n',
        ' ',
        ja.table,
        'MOTION ',
        'KEY_START',
        '\x81',
        'x',
      ),
      { maxLength: 60 },
    )
    fc.assert(
      fc.property(pieces, (list) => {
        const document = expectLossless(cfgFormat, latin(list.join('')))
        const before = cfgMotions(document)
        before.forEach((motion, m) =>
          motion.keys.forEach((_, k) => {
            const copy = open(list.join(''))
            const key = cfgMotions(copy)[m].keys[k]
            if (key.broken) return
            setKey(copy, key, { start: key.start + 1 })
            const after = cfgMotions(copy)
            expect(after.map((x) => x.keys.length)).toEqual(before.map((x) => x.keys.length))
            expect(after[m].keys[k].start).toBe(key.start + 1)
          }),
        )
      }),
      { numRuns: 300 },
    )
  })

  it('maps what CP932 has and refuses the rest', () => {
    expect(decodeText(encodeText('表〜ソ①'))).toBe('表～ソ①')
    expect(() => encodeText('é')).toThrowError(expect.objectContaining({ code: 'invalid-edit', message: expect.stringContaining('é') }))
  })
})
