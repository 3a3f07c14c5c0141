import { describe, expect, it } from 'vitest'
import { diffBytes } from '../../../src/renderer/features/changes/hex-diff.ts'

const marked = (list: { hex: string; changed: boolean }[]): string => list.map((b) => (b.changed ? `[${b.hex}]` : b.hex)).join(' ')

describe('bytes before and after', () => {
  it('are compared one by one where the length is the same', () => {
    const d = diffBytes(Uint8Array.of(1, 2, 3), Uint8Array.of(1, 9, 3))
    expect(marked(d.before)).toBe('01 [02] 03')
    expect(marked(d.after)).toBe('01 [09] 03')
  })

  it('keep common ends unmarked where it is not', () => {
    const d = diffBytes(Uint8Array.of(1, 1, 4), Uint8Array.of(1, 1, 1, 4))
    expect(marked(d.before)).toBe('01 01 04')
    expect(marked(d.after)).toBe('01 01 [01] 04')
    expect(diffBytes(new Uint8Array(0), Uint8Array.of(65)).after).toEqual([{ hex: '41', text: 'A', changed: true }])
  })
})
