/** The English texts: an area a file. */
import { settings } from './settings.ts'

export const english = { settings } as const
