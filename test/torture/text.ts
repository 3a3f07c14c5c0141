/** JSON that keeps typed arrays, with the keys of objects in one order. */
const KINDS = { Uint8Array, Uint16Array, Uint32Array, Float32Array, Float64Array } as const

export function toText(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (ArrayBuffer.isView(part) && !(part instanceof DataView))
      return { $: part.constructor.name, values: [...(part as unknown as number[])] }
    if (typeof part === 'object' && part !== null && !Array.isArray(part))
      return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
    return part
  })
}

export function fromText(text: string): unknown {
  return JSON.parse(text, (_, part: unknown) => {
    const kind = (part as { $?: keyof typeof KINDS } | null)?.$
    return kind ? new KINDS[kind]((part as { values: number[] }).values) : part
  })
}
