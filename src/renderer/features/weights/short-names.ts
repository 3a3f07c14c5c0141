/** Names without the word that nearly all of them begin with (`Bip01 L Hand` is `L Hand`), as long as what is left stays unique. */
export function shorten(names: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const name of names) {
    const word = /^[^ _.:]+[ _.:]+(?=.)/.exec(name)?.[0]
    if (word) counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  const common = [...counts].find(([word, n]) => n >= 4 && n >= names.length * 0.6 && word.length > 2)?.[0]
  if (!common) return [...names]
  const short = names.map((name) => (name.startsWith(common) ? name.slice(common.length) : name))
  return new Set(short).size === new Set(names).size ? short : [...names]
}
