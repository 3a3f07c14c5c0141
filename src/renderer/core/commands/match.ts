/** Finds commands by typed text: all words must occur; the start of the title, then the start of a word, count more. */

export interface Entry {
  id: string
  title: string
  group: string
  shortcut: string
  /** listed only once something is typed */
  typed?: boolean
  run: () => void
}

export function matchCommands(entries: readonly Entry[], text: string): Entry[] {
  const words = text.trim().toLowerCase().split(/\s+/).filter(Boolean)
  if (!words.length) return entries.filter((e) => !e.typed)
  const scored: { entry: Entry; score: number; at: number }[] = []
  entries.forEach((entry, at) => {
    const title = entry.title.toLowerCase()
    const all = `${title} ${entry.group.toLowerCase()}`
    let score = 0
    for (const word of words) {
      const i = all.indexOf(word)
      if (i < 0) return
      if (title.startsWith(word)) score += 3
      else if (all.includes(` ${word}`)) score += 2
      else score += 1
    }
    scored.push({ entry, score: score - (entry.typed ? 0.5 : 0), at })
  })
  return scored.sort((a, b) => b.score - a.score || a.at - b.at).map((s) => s.entry)
}
