import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { processLives } from '../../src/main/files/process-lives.ts'

afterEach(() => vi.restoreAllMocks())

describe('whether a process lives', () => {
  it('is so of this one, and of another until it has ended', async () => {
    expect(processLives(process.pid)).toBe(true)
    const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: ['pipe', 'ignore', 'inherit'] })
    expect(processLives(child.pid!)).toBe(true)
    child.stdin.end()
    await once(child, 'exit')
    expect(processLives(child.pid!)).toBe(false)
  })

  it('is so of one that belongs to another user', () => {
    const refuse = (code: string) =>
      vi.spyOn(process, 'kill').mockImplementation(() => {
        throw Object.assign(new Error(code), { code })
      })
    refuse('EPERM')
    expect(processLives(7)).toBe(true)
    refuse('ESRCH')
    expect(processLives(7)).toBe(false)
  })

  it('is not so of what is no number of a process: 0 and less would ask for groups', () => {
    for (const pid of [0, -1, 1.5, Number.NaN, 2 ** 40, Number('9'.repeat(30))]) expect(processLives(pid), String(pid)).toBe(false)
  })
})
