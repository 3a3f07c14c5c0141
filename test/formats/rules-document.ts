/** The page of all rules, as docs/lint.md has it. */
import { families } from '../../src/main/formats/registry.ts'
import type { Evidence } from '../../src/shared/api/errors.ts'
import type { LintRule } from '../../src/shared/api/types/lint.ts'

const KNOWN: Readonly<Record<Evidence, string>> = {
  layout: 'the layout',
  bytes: 'bytes',
  'two-sources': 'two sources',
  'one-source': 'one source',
}

/** Known demands of the engines that are no rules, and why: by family, as the rules are. */
const NOT_CHECKED: Readonly<Record<string, readonly (readonly [demand: string, because: string])[]>> = {
  level5: [
    ['order of windows stays; events keep their frames', 'only the original shows it: `marrow compare`'],
    ['a pack that grows', 'the size of a file does not say how large it is built; a model that is built larger than the game’s is told'],
    ['a looping window ends in its first pose', 'what loops is in the code and scripts of the game'],
    ['at most 50,000 bytes of meshes in a frame', 'depends on what else is drawn; many meshes of one model are told'],
    ['at most 400 vertices and 800 normals on one path of Dark Cloud 2', 'nobody says which meshes take it'],
    ['a transplanted motion goes by names of nodes', 'a rule for the tool that does it'],
  ],
  w3d: [
    ['names have at most 14 letters where levels of detail add one', 'the games themselves have many of 15; 16 are told'],
    ['bones and parts that INI files name; an idle animation that travels', 'Marrow reads no INI files'],
    ['blending between frames, losses of the exporter', 'no demands on a file'],
    ['the number of bones of other engines', 'was mended there'],
  ],
  renderware: [
    [
      'the arrays of a geometry are as long as its flags say; a key has a rotation; the Struct of a picture ends with its last level',
      'the reader goes by them: what is left over, or does not fit, is said while the file is read',
    ],
    ['travel of the figure is in the root', 'a clip that stands still is right too'],
    [
      'stamps that are too old, III’s models of several clumps',
      'a file does not say for which game it is; a stamp that is another than the game’s is told',
    ],
    ['`_dam` parts have a flag in the list of objects', 'flags of lists are not read'],
    ['what SA-MP validates', 'its rules are not public'],
    ['a member of an archive below 128 MiB, names of 23 letters', 'such an archive cannot be written: saving refuses it'],
  ],
  lostsaga: [
    ['texts are CP949', 'other bytes are kept and shown as such'],
    ['an export of several objects by one tool counts bones wrongly', 'the numbers are in range: nothing shows it'],
    ['the version fits the coding of keys', 'the reader goes by it'],
    ['limits of the client', 'nothing is public'],
  ],
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

${NOT_CHECKED[family.id].map(([demand, because]) => `* ${demand}: ${because}`).join('\n')}
`,
  )
  .join('')}`
}
