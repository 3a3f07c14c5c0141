/** The head of every binary Lost Saga file: four characters in reading order, the last a NUL, then a version. */

export function hasToken(head: Uint8Array, token: string): boolean {
  return (
    head.length >= 8 &&
    head[0] === token.charCodeAt(0) &&
    head[1] === token.charCodeAt(1) &&
    head[2] === token.charCodeAt(2) &&
    head[3] === 0
  )
}
