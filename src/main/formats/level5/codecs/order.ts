/**
 * An order of nodes in which parents come first. Parents stand before children in every sample; files need not.
 * A cycle is cut where it closes.
 */
export function updateOrder(given: Int32Array): { order: Int32Array; parents: Int32Array } {
  const n = given.length
  const parents = given.slice()
  const order = new Int32Array(n)
  const state = new Uint8Array(n)
  let used = 0
  for (let i = 0; i < n; i++) {
    const stack: number[] = []
    let j = i
    while (j >= 0 && state[j] === 0) {
      state[j] = 1
      stack.push(j)
      if (parents[j] >= 0 && state[parents[j]] === 1) parents[j] = -1
      j = parents[j]
    }
    while (stack.length) {
      const k = stack.pop()!
      state[k] = 2
      order[used++] = k
    }
  }
  return { order, parents }
}
