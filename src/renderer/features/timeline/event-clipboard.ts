import { shallowRef } from 'vue'

/** The event that was copied last: it can be put into other clips and models. */
export const copiedEvent = shallowRef<{ type: string; info: string } | null>(null)
