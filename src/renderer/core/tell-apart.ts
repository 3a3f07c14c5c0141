/** Names that several things have, each with what tells it from the others. */

/**
 * @param things name and place (a path or reference) of each
 * @returns for each '' where its name is its own, else the shortest end of its place that no other of that name has
 */
export function tellApart(things: readonly { name: string; place: string }[]): string[] {
  const byName = new Map<string, number[]>()
  things.forEach(({ name }, i) => {
    const list = byName.get(name)
    if (list) list.push(i)
    else byName.set(name, [i])
  })
  const out = things.map(() => '')
  for (const list of byName.values()) {
    const places = new Set(list.map((i) => things[i].place))
    // the same place twice cannot be told by it
    if (places.size < 2) continue
    const parts = new Map([...places].map((place) => [place, place.split(/[\\/!]/)]))
    for (const i of list) {
      const own = parts.get(things[i].place)!
      for (let n = 1; n <= own.length; n++) {
        const end = own.slice(-n).join('/')
        if (n < own.length && [...parts.values()].some((other) => other !== own && other.slice(-n).join('/') === end)) continue
        out[i] = end
        break
      }
    }
  }
  return out
}
