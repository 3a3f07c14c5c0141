import { describe, expect, it } from 'vitest'
import { field, node } from '../../../src/main/binary/structure.ts'
import { findField } from '../../../src/main/formats/fields.ts'
import { isOpenField, nameIn, pathOfField, pickedColor } from '../../../src/renderer/core/fields/field-values.ts'

describe('fields in the window', () => {
  it('have the paths that the services find them by, also of several with one name', () => {
    const second = field('x', 'u8', 5, 1, 2)
    const inner = node('b', '', { start: 4, end: 6 }, [field('x', 'u8', 4, 1, 1), second])
    const root = node('file', '', { start: 0, end: 6 }, [], [node('b', '', { start: 0, end: 4 }), inner])
    const path = pathOfField([root, inner], second)
    expect(path).toBe('b:2.x:2')
    expect(findField(root, path)?.field).toBe(second)
    expect(nameIn(inner.fields, inner.fields[0])).toBe('x')
  })
  it('show a colour in a picker whatever its numbers are', () => {
    expect(pickedColor('#12345678')).toBe('#123456')
    expect(pickedColor('1, 0.5, -3, 0.25')).toBe('#ff8000')
  })
  it('say which are open', () => {
    expect(isOpenField(field('n', 'u32', 0, 4, 0, { use: { is: 'structure' } }))).toBe(false)
    expect(isOpenField(field('n', 'f32[3]', 0, 12, 0))).toBe(true)
    expect(isOpenField(field('n', 'comp8 x 3', 0, 24, 0))).toBe(false)
    expect(isOpenField(field('n', '{comp8 rotation, i32 time} x 3', 0, 36, 0))).toBe(true)
  })
})
