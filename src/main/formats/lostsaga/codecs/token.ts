/** The head of every binary Lost Saga file: four characters in reading order, the last a NUL, then a version. */

export const TOKENS = ['SKL', 'MTL', 'ANI', 'MSH', 'FNT', 'CMS', 'PGF', 'AFX', 'EDG'] as const

export function hasToken(head: Uint8Array, token: string): boolean {
  return (
    head.length >= 8 &&
    head[0] === token.charCodeAt(0) &&
    head[1] === token.charCodeAt(1) &&
    head[2] === token.charCodeAt(2) &&
    head[3] === 0
  )
}

/** The version after the token. */
export function versionOf(head: Uint8Array): number {
  return head[4] | (head[5] << 8) | (head[6] << 16) | (head[7] << 24)
}
