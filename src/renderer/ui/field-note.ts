/** Why a field does not take what was typed, where its owner has no words for it: told to the window, which says it below the field. */

const EVENT = 'field-refused'

export interface FieldNote {
  field: HTMLElement
  text: string
}

export function noteBelow(field: HTMLElement, text: string): void {
  field.dispatchEvent(new CustomEvent(EVENT, { bubbles: true, detail: text }))
}

/** @returns what ends it */
export function watchNotes(show: (note: FieldNote) => void): () => void {
  const listener = ({ target, detail }: CustomEventInit<string> & { target: EventTarget | null }): void => {
    if (target instanceof HTMLElement && detail) show({ field: target, text: detail })
  }
  document.addEventListener(EVENT, listener as (event: Event) => void)
  return () => document.removeEventListener(EVENT, listener as (event: Event) => void)
}
