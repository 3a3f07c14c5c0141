/** One spelling for the search: full and half width, composed and decomposed letters (macOS), big and small are the same. */
export function searchText(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}

/** A name is what was looked for, or that with an ending. */
export function isCalled(name: string, sought: string): boolean {
  return name === sought || name.startsWith(`${sought}.`)
}
