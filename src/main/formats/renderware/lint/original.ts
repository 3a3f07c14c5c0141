/** What has to stay as the game had it. */
import { stampVersion, versionText } from '../codecs/chunk-ids.ts'
import { asItWas } from '../../lint.ts'
import { say } from '../texts/index.ts'
import type { Rule } from '../rules.ts'
import type { DffDocument } from '../codecs/dff.ts'

/** The version of the file that it takes the place of: games refuse those of others. */
export const stamp: Rule<DffDocument> = (document, report, model) => {
  const before = asItWas(document, model)?.roots[0]
  const now = document.roots[0]
  if (!before || !now || stampVersion(before.stamp) === stampVersion(now.stamp)) return
  report.say(
    'stamp-changed',
    say('lint.stampChanged', { version: versionText(now.stamp), before: versionText(before.stamp) }),
    '',
    now.start,
  )
}
