/** All that the W3D family says. */
import { speaker } from '../../../../shared/texts/say.ts'
import { archives } from './archives.ts'
import { codecs } from './codecs.ts'
import { edit } from './edit.ts'
import { lint } from './lint.ts'
import { loose } from './loose.ts'
import { rules } from './rules.ts'
import { scene } from './scene.ts'

/** What is said of the family as a whole. */
const family = { games: 'C&C Renegade, Generals, Zero Hour, The Battle for Middle-earth I and II' } as const

export const texts = { archives, codecs, edit, family, lint, loose, rules, scene } as const

export const say = speaker(texts)
