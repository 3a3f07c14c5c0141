/** Submeshes: one interface for all families. */

/** What the files say of one submesh: texts that can be set, or chosen from; `readOnly` says why one cannot. */
export interface NativeSubmesh {
  fields: { key: string; label: string; value: string; options?: { value: string; label: string }[]; readOnly?: string; note?: string }[]
}
