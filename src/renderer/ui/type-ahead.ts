/** Letters that are typed in a list: they lead to the row that begins so. */

/** A pause this long begins a new word, ms. */
const PAUSE = 800

/**
 * @param seek what to do with the letters typed so far; `next` where the same letter came again: the row after the present one is meant
 * @returns takes a key press; true where it was a letter of a word
 */
export function typeAhead(seek: (begin: string, next: boolean) => void): (event: KeyboardEvent) => boolean {
  let typed = ''
  let last = -Infinity
  return (event) => {
    const { key } = event
    // signs begin no word: a space works the row, a slash begins a search
    if ([...key].length !== 1 || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return false
    const fresh = event.timeStamp - last > PAUSE
    if (key === '/' || (fresh && !/[\p{L}\p{N}]/u.test(key))) return false
    last = event.timeStamp
    const again = !fresh && typed === key
    typed = fresh || again ? key : typed + key
    seek(typed, fresh || again)
    return true
  }
}
