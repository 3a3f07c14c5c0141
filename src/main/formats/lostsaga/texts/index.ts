/** All that the family says. */
import { speaker } from '../../../../shared/texts/say.ts'
import { codecs } from './codecs.ts'
import { edit } from './edit.ts'
import { lint } from './lint.ts'
import { loose } from './loose.ts'
import { rules } from './rules.ts'
import { scene } from './scene.ts'

/** What is said of the family as a whole. */
const family = { games: 'Lost Saga' } as const

export const texts = { codecs, edit, family, lint, loose, rules, scene } as const

export const say = speaker(texts)
