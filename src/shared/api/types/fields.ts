/** One field of a file as it is edited. */
import type { FieldEntries } from './structure.ts'

/** How a value is given; `none`: not by itself, `refused` says why. */
export type FieldForm = 'number' | 'numbers' | 'flags' | 'choice' | 'color' | 'text' | 'reference' | 'none'

export interface FieldChoice {
  /** as it is set */
  value: string
  label: string
}

/** Bits of a number under one name: a flag, or a number or choice of several bits. */
export interface FieldBits {
  name: string
  value: number
  most: number
  choices?: FieldChoice[]
  /** where there are choices: the one that holds, or the number that has no name */
  chosen?: string
}

/** Fields that stand together, of one file. */
export interface FieldGroup {
  ref: string
  /** the path that all of them begin with */
  path: string
  /** what it is, as the file has it */
  what: string
  fields: EditableField[]
}

export interface EditableField {
  /** names it to those who read and set it */
  path: string
  /** as the format has it */
  type: string
  /** as it is set: every digit of a number, a colour as `#rrggbb`; of a field that is not set as a whole what is shown */
  value: string
  form: FieldForm
  /** why it is not set, '' where it is */
  refused: string
  /** of numbers */
  least?: number
  most?: number
  whole?: boolean
  /** of numbers: how many, and what each is called */
  names?: string[]
  /** of a choice or a reference */
  choices?: FieldChoice[]
  bits?: FieldBits[]
  /** of a text: bytes that it may have */
  mostBytes?: number
  /** of a colour: it has an alpha */
  alpha?: boolean
  unknown?: boolean
  note?: string
  /** of a column: how many entries, `path[0]` and on, and what they are called */
  entries?: number
  entryNames?: FieldEntries
}
