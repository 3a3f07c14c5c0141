import { describe, expect, it } from 'vitest'
import { formatAscii, formatHex, formatNumber, formatSize, formatWhen } from '../../../src/renderer/ui/format.ts'

describe('formatting', () => {
  it('writes sizes short', () => {
    expect([0, 1023, 1024, 10_200, 1_048_575, 5e9].map(formatSize)).toEqual(['0 B', '1023 B', '1.0 KB', '10 KB', '1.0 MB', '4.7 GB'])
  })

  it('writes numbers without noise', () => {
    expect([0.1 + 0.2, 1 / 3, 100, -0.0000001, 1e12, NaN].map((n) => formatNumber(n))).toEqual([
      '0.3',
      '0.333333',
      '100',
      '0',
      '1.0000e+12',
      'NaN',
    ])
  })

  it('writes times relative to now', () => {
    const now = 1e12
    expect([0, 5 * 60_000, 3 * 3_600_000, 2 * 86_400_000].map((ago) => formatWhen(now - ago, now))).toEqual([
      'just now',
      '5 min ago',
      '3 h ago',
      '2 days ago',
    ])
  })

  it('writes bytes', () => {
    expect(formatHex(Uint8Array.of(0, 255))).toBe('00 ff')
    expect(formatAscii(Uint8Array.of(65, 0, 126))).toBe('A·~')
  })
})
