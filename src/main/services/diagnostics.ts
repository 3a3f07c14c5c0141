/**
 * A zip that a user can attach to a report: versions, settings, the log, and on request the beginnings of files that failed. It says nothing of
 * who and where the user is: paths of settings are left out, and every text goes through the scrubber.
 */
import { homedir, hostname, release, totalmem, userInfo } from 'node:os'
import { dirname } from 'node:path'
import { strToU8, zipSync } from 'fflate'
import type { Settings } from '../../shared/api/settings.ts'
import type { DiagnosticsPreview, FailingFile } from '../../shared/api/desktop.ts'
import { openLog } from './log.ts'
import { createScrubber } from './scrub.ts'
import type { ScrubPlaces } from './scrub.ts'
import { say } from '../../shared/texts/say.ts'

export interface DiagnosticsSource {
  stateFolder: string
  version: string
  host: string
  settings?: Settings
  recent?: readonly { root: string }[]
  /** open libraries */
  libraries?: readonly { root: string; files: number; models: number; errors: number; scannedAt: number }[]
  failing?: readonly FailingFile[]
}

const LOG_BYTES = 2 ** 20
const PREVIEW_LINES = 200
const HEADER_BYTES = 256

export function previewDiagnostics(source: DiagnosticsSource): DiagnosticsPreview {
  const scrub = scrubberFor(source)
  const lines = openLog(source.stateFolder).lines(LOG_BYTES)
  return {
    parts: [
      { name: 'versions.json', what: say('diagnostics.versions') },
      { name: 'settings.json', what: say('diagnostics.settings') },
      { name: 'log.txt', what: say('diagnostics.log', { count: lines.length }) },
    ],
    log: lines.slice(-PREVIEW_LINES).map(scrub),
    // the window names them again when it asks for a beginning: as they are
    failing: (source.failing ?? []).map((file) => ({ ...file, message: scrub(file.message) })),
  }
}

/** @param headers beginnings of failing files, by name */
export function makeDiagnostics(
  source: DiagnosticsSource,
  {
    headers = [],
    window = {},
    now = new Date(),
  }: { headers?: { name: string; bytes: Uint8Array }[]; window?: Record<string, string>; now?: Date } = {},
): { fileName: string; bytes: Uint8Array<ArrayBuffer> } {
  const scrub = scrubberFor(source)
  const text = (value: string): Uint8Array => strToU8(scrub(value))
  const json = (value: unknown): Uint8Array => text(JSON.stringify(value, null, 1))
  const parts: Record<string, Uint8Array> = {
    'versions.json': json({ marrow: source.version, host: source.host, made: now.toISOString(), ...systemVersions(), window }),
    'settings.json': json(plainSettings(source)),
    'log.txt': text(openLog(source.stateFolder).lines(LOG_BYTES).join('\n') + '\n'),
  }
  if (headers.length > 0)
    parts['headers.txt'] = text(headers.map(({ name, bytes }) => `${name}\n${hexLines(bytes.subarray(0, HEADER_BYTES))}\n`).join('\n'))
  const stamp = now.toISOString().slice(0, 19).replaceAll(':', '-')
  return { fileName: `marrow-diagnostics-${stamp}.zip`, bytes: zipSync(parts, { mtime: now }) }
}

function scrubberFor({ stateFolder, settings, recent = [], libraries = [] }: DiagnosticsSource): (text: string) => string {
  const roots = [...new Set([...libraries, ...recent].map(({ root }) => root))]
  return createScrubber({
    ...thisMachine(),
    folders: [
      ...roots.map((path, i) => ({ path, as: `<library ${i + 1}>` })),
      // eslint-disable-next-line texts/in-catalogue -- stands in the report
      ...(settings?.modFolder ? [{ path: settings.modFolder, as: '<mod folder>' }] : []),
      { path: stateFolder, as: '<state>' },
      { path: dirname(stateFolder), as: '<state>/..' },
    ],
  })
}

/** Who and where this process runs as, as far as it can tell. */
function thisMachine(env: NodeJS.ProcessEnv = process.env): Omit<ScrubPlaces, 'folders'> {
  let user = ''
  try {
    user = userInfo().username
  } catch {
    // a process without an entry in the system's list of users
  }
  const given = (...names: string[]): string[] => names.flatMap((name) => env[name] ?? [])
  return {
    homes: [...new Set([homedir(), ...given('HOME', 'USERPROFILE')])],
    users: [...new Set([user, ...given('USER', 'USERNAME', 'LOGNAME')])],
    machines: [...new Set([hostname(), ...given('COMPUTERNAME')])],
  }
}

function systemVersions(): Record<string, unknown> {
  const { node, electron, chrome, v8, modules } = process.versions as Record<string, string | undefined>
  return {
    platform: process.platform,
    release: release(),
    arch: process.arch,
    memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
    node,
    electron,
    chrome,
    v8,
    modules,
  }
}

function plainSettings({ settings, recent = [], libraries = [] }: DiagnosticsSource): Record<string, unknown> {
  if (!settings) return {}
  const { modFolder, window, ...plain } = settings
  return {
    ...plain,
    // eslint-disable-next-line texts/in-catalogue -- stands in the report
    modFolder: modFolder ? 'set' : 'not set',
    // panel layouts and the like: which there are, not what is in them
    window: Object.fromEntries(Object.entries(window).map(([key, value]) => [key, `${value.length} characters`])),
    recentFolders: recent.length,
    libraries: libraries.map(({ files, models, errors, scannedAt }) => ({ files, models, errors, scannedAt })),
  }
}

function hexLines(bytes: Uint8Array): string {
  const lines: string[] = []
  for (let at = 0; at < bytes.length; at += 16) {
    const row = [...bytes.subarray(at, at + 16)].map((byte) => byte.toString(16).padStart(2, '0'))
    lines.push(`${at.toString(16).padStart(4, '0')}  ${row.join(' ')}`)
  }
  return lines.join('\n')
}
