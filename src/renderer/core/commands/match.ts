/**
 * Finds commands by typed text: all words must occur; the start of the title, then the start of a word, count more, and what is shown more than what a
 * command is called elsewhere. Of those that count the same, and where nothing is typed, what ran last comes first.
 */

export interface Entry {
  id: string
  title: string
  group: string
  /** words that it is found by, too, and that are not shown */
  aliases?: string
  shortcut: string
  /** listed only once something is typed */
  typed?: boolean
  run: () => void
}

/** @param last ids of what ran, the last one first */
export function matchCommands(entries: readonly Entry[], text: string, last: readonly string[] = []): Entry[] {
  const age = (entry: Entry): number => (last.includes(entry.id) ? last.indexOf(entry.id) : last.length)
  const words = text.trim().toLowerCase().split(/\s+/).filter(Boolean)
  if (!words.length) return entries.filter((e) => !e.typed).sort((a, b) => age(a) - age(b))
  const scored: { entry: Entry; score: number; at: number }[] = []
  entries.forEach((entry, at) => {
    const title = entry.title.toLowerCase()
    const all = `${title} ${entry.group.toLowerCase()}`
    const aliases = ` ${entry.aliases ?? ''}`
    let score = 0
    for (const word of words) {
      if (title.startsWith(word)) score += 3
      else if (all.includes(` ${word}`)) score += 2
      else if (all.includes(word)) score += 1
      else if (aliases.includes(` ${word}`)) score += 0.75
      else return
    }
    scored.push({ entry, score: score - (entry.typed ? 0.5 : 0), at })
  })
  return scored.sort((a, b) => b.score - a.score || age(a.entry) - age(b.entry) || a.at - b.at).map((s) => s.entry)
}
