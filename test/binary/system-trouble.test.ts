/** Node's own words never come to whoever reads: wherever an error of the system is made data, it is said. */
import { mkdirSync, openSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { FormatError, toErrorData } from '../../src/main/binary/format-error.ts'
import { failureOf } from '../../src/main/services/failure.ts'
import { tempFolder } from '../files/temp.ts'

function thrownBy(call: () => unknown): unknown {
  try {
    call()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}

it('of files that are not there, folders, and what stands in the way, by the name that the error has', () => {
  const root = tempFolder({ 'a.bin': 'a' })
  const gone = join(root, 'gone.bin')
  mkdirSync(join(root, 'full'))
  writeFileSync(join(root, 'full/b.bin'), '')
  const told = (call: () => unknown, file = ''): { code: string; message: string } => {
    const { code, message } = toErrorData(thrownBy(call), file)
    return { code, message }
  }
  expect(told(() => openSync(gone, 'r'))).toEqual({ code: 'not-found', message: `${gone} is not there` })
  expect(told(() => openSync(gone, 'r'), 'game.img!gone.bin')).toEqual({ code: 'not-found', message: 'game.img!gone.bin is not there' })
  expect(told(() => openSync(join(root, 'a.bin/b'), 'r')).code).toBe('not-found')
  expect(told(() => rmdirSync(join(root, 'full')))).toEqual({ code: 'io', message: `something else stands at ${join(root, 'full')}` })
  expect(
    failureOf(
      thrownBy(() => openSync(gone, 'r')),
      gone,
    ).message,
  ).toBe(`${gone} is not there`)
  // of a read the system says no name
  expect(told(() => readFileSync(root), root)).toEqual({ code: 'io', message: `${root} is a folder` })
  expect(told(() => readFileSync(root)).message).toBe('the file is a folder')
})

const raw = (code: string, more: object = {}): Error =>
  Object.assign(new Error(`${code}: Node's words, open '/x/y'`), { code, syscall: 'open', path: '/x/y', ...more })

it('of codes that have no words, with the code; of folders that are followed', () => {
  expect(toErrorData(raw('ELOOP')).message).toBe('the system could not do that with /x/y (ELOOP)')
  expect(toErrorData(raw('ENOSPC', { syscall: 'watch' })).message).toMatch(/^what changes in \/x\/y is not seen/)
  expect(toErrorData(raw('EMFILE')).message).not.toContain('EMFILE')
  expect(toErrorData(raw('EACCES', { syscall: 'rename', dest: '/x/z' })).message).toContain('/x/z')
})

it('is left as it is of connections, of what is no error of the system, and of what is said already', () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:9'), {
    code: 'ECONNREFUSED',
    syscall: 'connect',
    address: '127.0.0.1',
  })
  expect(toErrorData(refused)).toMatchObject({ code: 'io', message: 'connect ECONNREFUSED 127.0.0.1:9' })
  expect(toErrorData(new TypeError('x is not a function'))).toMatchObject({ code: 'internal', message: 'x is not a function' })
  expect(toErrorData(new FormatError('truncated', 'cut short', { file: 'a' }), 'b')).toMatchObject({ message: 'cut short', file: 'a' })
})
