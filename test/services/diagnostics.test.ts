import { mkdirSync, writeFileSync } from 'node:fs'
import { homedir, hostname, userInfo } from 'node:os'
import { join } from 'node:path'
import { strFromU8, unzipSync } from 'fflate'
import { afterEach, describe, expect, it } from 'vitest'
import { openLog } from '../../src/main/services/log.ts'
import { createScrubber } from '../../src/main/services/scrub.ts'
import { serviceBenches } from '../support/service-bench.ts'

const none = { homes: [], users: [], machines: [], folders: [] }

describe('the scrubber', () => {
  it('takes out home folders in every way they are written', () => {
    const scrub = createScrubber({ ...none, homes: ['/home/jörg müller', 'C:\\Users\\Jörg'] })
    const decomposed = '/home/jörg müller'.normalize('NFD')
    for (const [text, clean] of [
      ['file /home/jörg müller/games/a.dff', 'file ~/games/a.dff'],
      [`file ${decomposed}/games/a.dff`, 'file ~/games/a.dff'],
      ['file:///home/j%C3%B6rg%20m%C3%BCller/x.js:3', 'file:~/x.js:3'],
      ['C:\\Users\\Jörg\\AppData', '~\\AppData'],
      ['c:/users/jörg/x', '~/x'],
      ['"C:\\\\Users\\\\Jörg\\\\x"', '"~\\\\x"'],
    ])
      expect(scrub(text)).toBe(clean)
    // another user's, known or not
    expect(scrub('/home/jörg müller2/x /Users/anna/y C:\\Users\\John Smith\\z')).toBe('/home/<user>/x /Users/<user>/y C:\\Users\\<user>\\z')
    expect(scrub('/mnt/c/Users/Anna B/game, /home/max')).toBe('/mnt/c/Users/<user>/game, /home/<user>')
  })

  it('takes out names of user and machine as words, and leaves words of the log', () => {
    const scrub = createScrubber({ ...none, users: ['max', 'root'], machines: ['maxs-mac.local'] })
    expect(scrub('/media/max/DISK by MAX on maxs-mac.local')).toBe('/media/<user>/DISK by <user> on <machine>')
    expect(scrub('maximum of climax, the root bone')).toBe('maximum of climax, the root bone')
  })

  it('names folders of games, the innermost first, and no folder that only begins alike', () => {
    const scrub = createScrubber({
      ...none,
      homes: ['/home/max'],
      folders: [
        { path: '/home/max/games', as: '<library 2>' },
        { path: '/home/max/games/gta', as: '<library 1>' },
        { path: '/', as: '<never>' },
        { path: 'D:\\', as: '<never>' },
      ],
    })
    expect(scrub('/home/max/games/gta/models/a.dff')).toBe('<library 1>/models/a.dff')
    expect(scrub('/home/max/games/gta2/a.dff D:\\x')).toBe('<library 2>/gta2/a.dff D:\\x')
  })
})

describe('diagnostics', () => {
  const start = serviceBenches(afterEach)
  const context = { signal: new AbortController().signal }

  it('are versions, settings without paths and the log, without who and where; a header only on request', async () => {
    const { base, state, services } = start({ version: '1.2.3' })
    const game = join(base, 'Secret Game')
    const mod = join(base, 'Secret Mod')
    mkdirSync(game, { recursive: true })
    // begins as a W3D file does, and is cut
    const bytes = Uint8Array.from({ length: 600 }, (_, i) => i & 255)
    bytes.set([0, 0, 0, 0, 0xff, 0xff, 0xff, 0x7f])
    writeFileSync(join(game, 'broken.dff'), bytes)
    writeFileSync(join(game, 'other.dff'), bytes)
    const { handlers } = services
    await handlers['settings.set']({ modFolder: mod, window: { layout: `{"at":"${game}"}` } }, context)
    const { root } = await handlers['library.open']({ root: game }, context)
    // opens, so that its bytes can be looked at
    await handlers['model.open']({ ref: join(root, 'broken.dff') }, context)
    const user = userInfo().username
    openLog(state).write('error', `window: ${homedir()}/x of ${user} on ${hostname()} in ${mod}/y`)

    const look = await handlers['diagnostics.look']({}, context)
    expect(look.failing.map(({ name }) => name)).toEqual(['broken.dff'])
    expect(look.log.join('\n')).toContain('<library 1>')

    const plain = await handlers['diagnostics.make']({ headers: [], window: { browser: 'Test 1.0' } }, context)
    expect(plain.fileName).toMatch(/^marrow-diagnostics-[\dT-]+\.zip$/)
    const files = Object.fromEntries(Object.entries(unzipSync(plain.bytes)).map(([name, data]) => [name, strFromU8(data)]))
    expect(Object.keys(files).sort()).toEqual(look.parts.map(({ name }) => name).sort())
    expect(JSON.parse(files['versions.json'])).toMatchObject({
      marrow: '1.2.3',
      host: 'web',
      node: process.versions.node,
      window: { browser: 'Test 1.0' },
    })
    expect(JSON.parse(files['settings.json'])).toMatchObject({
      theme: 'system',
      modFolder: 'set',
      recentFolders: 1,
      libraries: [{ models: 0 }],
    })
    expect(files['log.txt']).toMatch(/warning model\.open: \S+ .* · file <library 1>[\\/]broken\.dff/)
    expect(files['log.txt']).toContain('window: ~/x of')
    expect(files['log.txt']).toContain('in <mod folder>/y')
    const everything = JSON.stringify(files)
    for (const secret of ['Secret', base, homedir(), ...(user === 'root' ? [] : [user]), hostname()])
      expect(everything).not.toContain(secret)

    // only files that failed, whatever is asked for
    const asked = await handlers['diagnostics.make'](
      { headers: [join(root, 'broken.dff'), join(root, 'other.dff'), '/etc/passwd'], window: {} },
      context,
    )
    const headers = strFromU8(unzipSync(asked.bytes)['headers.txt'])
    const hex = [...headers.matchAll(/^[\da-f]{4}  (.*)$/gm)].flatMap((match) => match[1].split(' ')).map((pair) => parseInt(pair, 16))
    expect(hex).toEqual([...bytes.subarray(0, 256)])
    expect(headers).toMatch(/^broken\.dff\n/)
    expect(headers).not.toMatch(/other|passwd/)
  })
})
