import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hasUnprintable, printable, printableLines } from '../../src/shared/printable.ts'

describe('printable', () => {
  it('writes out what a terminal obeys, what turns text around and what is not seen', () => {
    const odd: [string, string][] = [
      ['\x1b[2Jgone', '\\u001b[2Jgone'],
      ['\u009b31m', '\\u009b31m'],
      ['a\nb\tc\rd', 'a\\u000ab\\u0009c\\u000dd'],
      ['photo\u202egpj.exe', 'photo\\u202egpj.exe'],
      ['\u2066x\u2069', '\\u2066x\\u2069'],
      ['\u200fx\u061c', '\\u200fx\\u061c'],
      ['a\u200bb\ufeff\u00ad', 'a\\u200bb\\ufeff\\u00ad'],
      ['\u{e0041}', '\\udb40\\udc41'],
      ['\ud800x\udc00', '\\ud800x\\udc00'],
    ]
    for (const [text, shown] of odd) {
      expect(printable(text)).toBe(shown)
      expect(hasUnprintable(text)).toBe(true)
      // the same text again, where JSON reads it
      expect(JSON.parse(`"${printable(text)}"`)).toBe(text)
    }
  })

  it('leaves letters of every script, signs and pictures alone', () => {
    for (const text of [
      '',
      'c01a.chr',
      '歩き 걷기 идти',
      'سلام שלום',
      'é e\u0301',
      '🦴👩‍🚀'.replace('\u200d', ''),
      'a\\u202e',
      '100 % «x»',
    ]) {
      expect(printable(text)).toBe(text)
      expect(hasUnprintable(text)).toBe(false)
    }
  })

  it('gives nothing odd, and itself when done again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const shown = printable(text)
        const lines = !/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/.test(printableLines(text))
        return lines && !hasUnprintable(shown) && printable(shown) === shown && (shown === text) === !hasUnprintable(text)
      }),
    )
  })
})
