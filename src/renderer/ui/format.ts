/** Numbers and names as the window writes them. */
import type { LibraryPart } from '../../shared/api/types/library.ts'
import { isText, say, sayCount } from '../../shared/texts/say.ts'

export const formatCount = sayCount

export function formatSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  const units = ['KB', 'MB', 'GB', 'TB']
  let value = bytes
  let unit = -1
  do {
    value /= 1024
    unit++
  } while (value >= 1023.5 && unit < units.length - 1)
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`
}

export function formatOffset(offset: number): string {
  return `0x${offset.toString(16)}`
}

/** Eight hex digits as hex views have them. */
export function formatAddress(offset: number): string {
  return offset.toString(16).padStart(8, '0')
}

export function formatHex(bytes: Uint8Array): string {
  let out = ''
  for (let i = 0; i < bytes.length; i++) out += (i ? ' ' : '') + bytes[i].toString(16).padStart(2, '0')
  return out
}

/** Printable ASCII, a dot for the rest. */
export function formatAscii(bytes: Uint8Array): string {
  let out = ''
  for (const b of bytes) out += b >= 32 && b < 127 ? String.fromCharCode(b) : '·'
  return out
}

/** Less than this is nothing to somebody who looks at a model. */
const NOTHING = 1e-5

/** At most `digits` significant digits, no trailing zeros, no exponent for ordinary values; what is as good as nothing is 0. */
export function formatNumber(value: number, digits = 6): string {
  if (!Number.isFinite(value)) return String(value)
  const size = Math.abs(value)
  if (size < NOTHING) return '0'
  if (size >= 1e9) return value.toExponential(Math.min(4, digits - 1))
  return String(Number(value.toPrecision(digits)))
}

/** Every digit that a number has; of one that a file keeps in 32 bits, those that lead back to the same 32 bits. */
export function formatWhole(value: number): string {
  if (Math.fround(value) === value) {
    for (let digits = 6; digits < 10; digits++) {
      const short = Number(value.toPrecision(digits))
      if (Math.fround(short) === value) return String(short)
    }
  }
  return String(value)
}

export function formatSeconds(seconds: number): string {
  if (!Number.isFinite(seconds)) return '∞'
  return `${seconds.toFixed(2)} s`
}

export function formatWhen(ms: number, now = Date.now()): string {
  const minutes = Math.round((now - ms) / 60_000)
  if (minutes < 1) return say('units.justNow')
  if (minutes < 60) return say('units.minutesAgo', { minutes })
  const hours = Math.round(minutes / 60)
  if (hours < 24) return say('units.hoursAgo', { hours })
  const days = Math.round(hours / 24)
  if (days < 31) return say('units.daysAgo', { count: days })
  return new Date(ms).toISOString().slice(0, 10)
}

/** What is not known here is called by its id. */
const labelOf = (key: string, id: string): string => (isText(key) ? say(key) : id)

export function partLabel(part: LibraryPart): string {
  return say(`units.parts.${part}`)
}

export function kindLabel(kind: string): string {
  return labelOf(`units.kinds.${kind}`, kind)
}

/** What a file is to its model. */
export function roleLabel(role: string): string {
  return labelOf(`units.roles.${role}`, role)
}
