/** Listeners of the window and the document, by name: in happy-dom, and in a page, into which the function goes as it stands here. */

/**
 * Counts from now on.
 * @param page a global object with a document
 * @returns what listens now: one line each, such as `window keydown`
 */
export function countListeners(page: any): () => string[] {
  const held: { name: string; listener: unknown }[] = []
  for (const [owner, target] of [
    ['window', page],
    ['document', page.document],
  ]) {
    const { addEventListener: add, removeEventListener: remove } = target
    const nameOf = (type: string, options: any): string => `${owner} ${type}${(options?.capture ?? options === true) ? ' capturing' : ''}`
    const find = (name: string, listener: unknown): number => held.findIndex((h) => h.name === name && h.listener === listener)
    const drop = (name: string, listener: unknown): void => {
      const at = find(name, listener)
      if (at >= 0) held.splice(at, 1)
    }
    target.addEventListener = (type: string, listener: any, options: any) => {
      const name = nameOf(type, options)
      // one that is called once goes by itself
      if (listener && !options?.once && !options?.signal?.aborted && find(name, listener) < 0) {
        held.push({ name, listener })
        options?.signal?.addEventListener('abort', () => drop(name, listener))
      }
      return add.call(target, type, listener, options)
    }
    target.removeEventListener = (type: string, listener: any, options: any) => {
      drop(nameOf(type, options), listener)
      return remove.call(target, type, listener, options)
    }
  }
  return () => held.map((h) => h.name).sort()
}
