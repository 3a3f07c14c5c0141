import { describe, expect, it } from 'vitest'
import { effectScope } from 'vue'
import { latestAnswer } from '../../../src/renderer/core/latest.ts'

describe('the latest answer', () => {
  it('is the only one that is wanted, in whatever order they come', () => {
    const ask = latestAnswer()
    const first = ask()
    expect(first()).toBe(true)
    const second = ask()
    expect([first(), second()]).toEqual([false, true])
    expect(second()).toBe(true)
  })

  it('is nobody’s business when who asked is gone', () => {
    const scope = effectScope()
    const wanted = scope.run(() => latestAnswer()())!
    expect(wanted()).toBe(true)
    scope.stop()
    expect(wanted()).toBe(false)
  })

  it('does not depend on what others ask', () => {
    const [one, other] = [latestAnswer(), latestAnswer()]
    const wanted = one()
    other()
    expect(wanted()).toBe(true)
  })
})
