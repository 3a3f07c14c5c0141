import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addressOf, lastStep, notHere, numberIn, parentPath, readAddress, stepsOf } from '../../src/main/formats/address.ts'
import { FormatError } from '../../src/main/binary/format-error.ts'

describe('addresses', () => {
  it('come apart as they were put together, whatever the file is called', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: -1, max: 1 << 30 }), (ref, n) => {
        const address = addressOf(ref, `tracks[${n}].rotation`)
        const { path } = readAddress(address, 'track')
        expect(readAddress(address, 'track').ref).toBe(ref)
        expect(numberIn(path, 'tracks')).toBe(n)
        expect(lastStep(path)).toEqual({ name: 'rotation' })
      }),
    )
  })

  it('number steps by name, the first that has a number', () => {
    expect(numberIn('clump.frameList.struct.frames[12]', 'frames')).toBe(12)
    expect(numberIn('clump.frameList.struct.frames[12]', 'clump')).toBeUndefined()
    expect(numberIn('animAnimation[2].nodes[5].rotation', 'animations', 'animAnimation')).toBe(2)
    expect(numberIn('mytracks[3]', 'tracks')).toBeUndefined()
    expect(numberIn('', 'tracks')).toBeUndefined()
    expect(stepsOf('a[1].b')).toEqual([{ name: 'a', number: 1 }, { name: 'b' }])
  })

  it('know what stands above', () => {
    expect(parentPath('hierarchy.pivots.pivot[3]')).toBe('hierarchy.pivots')
    expect(parentPath('hierarchy')).toBe('')
  })

  it('say in one way what is not here', () => {
    for (const call of [() => readAddress('no path', 'track'), () => notHere('clip', 3)]) {
      expect(call).toThrow(FormatError)
      expect(call).toThrow(expect.objectContaining({ code: 'not-found' }))
    }
  })
})
