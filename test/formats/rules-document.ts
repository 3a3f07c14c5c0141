/** The page of all rules, as docs/lint.md has it. */
import { families } from '../../src/main/formats/registry.ts'
import { unjudged } from './engine-rules.ts'
import type { Evidence } from '../../src/shared/api/errors.ts'
import type { LintRule } from '../../src/shared/api/types/lint.ts'

const KNOWN: Readonly<Record<Evidence, string>> = {
  layout: 'the layout',
  bytes: 'bytes',
  'two-sources': 'two sources',
  'one-source': 'one source',
}

const cell = (text: string): string => text.replaceAll('|', '\\|')

function row({ id, severity, known, happens, fixes }: LintRule): string {
  return `| \`${id}\` | ${severity} | ${cell(happens)} | ${KNOWN[known]} | ${cell(fixes.map(({ label }) => label).join(' · '))} |`
}

export function rulesDocument(): string {
  return `# Rules

What \`marrow lint\`, the panel of problems and *Problems of the whole library* look for. \`npx vitest run test/formats/rules.test.ts -u\` makes this page anew from the rules of each family (\`src/main/formats/<family>/rules.ts\`).

* **Severity** is the worst that a rule finds: \`error\` where the game crashes, hangs or does not load the file, \`warning\` where it shows or plays it wrongly, \`info\` for hints and for what is odd and harmless.
* **Known by**: *the layout* – the file contradicts itself, or names what is not there; *bytes* – counted in the games' own files; *two sources* – two that do not know of each other say so; *one source* – one says so, and the rule is never more than a hint that says where it comes from.
* No rule finds an error in a file of a game as it was sold, as far as such files were at hand. Where sources contradict each other the milder reading counts.
* **Fixes** keep the bytes of what was not wrong. The window offers them beside the finding, for all of a kind at once, and over the whole library; \`marrow lint --fix\` does those that stand alone at their finding.
* No fix gives a file another name. Where a name and what is in it disagree (\`w3d.clip-file\`), only what asks for the animation tells which of the two is wrong, and that stands in no file that Marrow reads. The clip gets the name of its file in the list of clips (\`marrow clip rename\`), a member that of its clip on the page of its archive (\`marrow archive rename\`), a loose file that of its clip in its folder.
* **Switches**: \`marrow lint --rule RULE,...\` lets those alone count, \`--no-rule RULE,...\` all others; the window switches a rule off at one of its findings, for all files until it is switched on again.
* Some rules look at what the game had: the original that was kept, or the game's own file under a mod folder. Of a file that was never changed they say nothing.
* What a decoder can live with (a locked size, a stale tail) is said beside the rules' findings with a code of the same form. It is no rule.
${families
  .map(
    (family) => `
## ${family.label}

${family.games}

| rule | severity | what happens | known by | fixes |
|---|---|---|---|---|
${family.rules!().map(row).join('\n')}

Not checked:

${unjudged(family.id)
  .map(([demand, because]) => `* ${demand}: ${because}`)
  .join('\n')}
`,
  )
  .join('')}`
}
