/** All that the RenderWare family says. */
import { speaker } from '../../../../shared/texts/say.ts'
import { archives } from './archives.ts'
import { codecs } from './codecs.ts'
import { edit } from './edit.ts'
import { lint } from './lint.ts'
import { loose } from './loose.ts'
import { make } from './make.ts'
import { rules } from './rules.ts'
import { scene } from './scene.ts'

/** What is said of the family as a whole. */
const family = { games: 'GTA III, Vice City, San Andreas' } as const

export const texts = { archives, codecs, edit, family, lint, loose, make, rules, scene } as const

export const say = speaker(texts)
