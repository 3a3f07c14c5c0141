/** What the window brings at its start (src/renderer/main.ts), for tests of its modules. */
import { english } from '../../src/shared/texts/en/index.ts'
import { learn } from '../../src/shared/texts/say.ts'

learn(english)
