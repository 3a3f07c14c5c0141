/**
 * What the games, or other tools, choke on. Rules with evidence from real files and from what users of other tools report; counts that do not
 * agree with what is there come with a fix.
 */
import { fixesOf, linter, rulesOf, type Rule } from '../lint.ts'
import * as clips from './lint/clips.ts'
import { Scope } from './lint/lookup.ts'
import * as meshes from './lint/meshes.ts'
import * as models from './lint/models.ts'
import * as skeleton from './lint/skeleton.ts'
import { RULES } from './rules.ts'
import { say } from './texts/index.ts'
import type { W3dDocument } from './codecs/file.ts'

/** Rules that share what one of them looked up. */
const file: Rule<W3dDocument> = (document, report, model) => {
  const scope = new Scope(document, report, model)
  for (const rule of [skeleton.skeletons, meshes.meshes, models.models, clips.clips]) rule(scope)
}

export const lint = linter('w3d', RULES, { 'w3d.file': [file] })

export const fixes = fixesOf(RULES)

export const rules = rulesOf('w3d', RULES, (id) => say(`rules.${id}`))
