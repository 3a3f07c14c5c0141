/** A field of the browser knows one end of a line; files have two and three. */

/** As a field of several lines shows it. */
export const linesOf = (text: string): string => text.replace(/\r\n?/g, '\n')

/** What was typed over a text, with the ends of lines that the text has: lines that were not touched keep their own. */
export function withLineEnds(before: string, typed: string): string {
  const shown = linesOf(before)
  const most = Math.min(shown.length, typed.length)
  let head = 0
  while (head < most && shown[head] === typed[head]) head++
  let tail = 0
  while (tail < most - head && shown[shown.length - 1 - tail] === typed[typed.length - 1 - tail]) tail++
  const end = /\r\n?|\n/.exec(before)?.[0] ?? '\n'
  return (
    before.slice(0, placeOf(before, head)) +
    typed.slice(head, typed.length - tail).replaceAll('\n', end) +
    before.slice(placeOf(before, shown.length - tail))
  )
}

/** Where a character of the shown text stands in the file's. */
function placeOf(text: string, shown: number): number {
  let at = 0
  for (let i = 0; i < shown; i++) at += text.startsWith('\r\n', at) ? 2 : 1
  return at
}
