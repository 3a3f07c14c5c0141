/** Lint finds every form in which a text can stand outside of the catalogue, and takes no other string for one. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Linter } from 'eslint'
import vue from 'eslint-plugin-vue'
import tseslint from 'typescript-eslint'
import { describe, expect, it } from 'vitest'
import { projectRoot } from '../../scripts/lib/build.mjs'
import { FAMILIES } from '../../scripts/lint/families.mjs'
import texts from '../../scripts/lint/texts.mjs'

const linter = new Linter()

/** Rules that a source breaks, each once. */
function found(code: string, filename: 'a.ts' | 'a.vue' = 'a.ts'): string[] {
  const rules: Linter.Config = {
    files: ['**/*.ts', '**/*.vue'],
    plugins: { texts },
    languageOptions: { parserOptions: { parser: tseslint.parser } },
    rules: { 'texts/in-catalogue': 'error', 'texts/said-late': 'error' },
  }
  const messages = linter.verify(
    code,
    [
      ...(vue.configs['flat/base'] as Linter.Config[]),
      { files: ['**/*.ts'], languageOptions: { parser: tseslint.parser as Linter.Parser } },
      rules,
    ],
    { filename },
  )
  return [...new Set(messages.map(({ ruleId, message }) => ruleId ?? message))]
}
const template = (html: string): string[] => found(`<template><div>${html}</div></template>`, 'a.vue')
const LOOSE = ['texts/in-catalogue']

describe('lint for texts', () => {
  it.each([
    ['prose', "const a = 'Two words'"],
    ['prose with values', 'const a = `${n} of these keys`'],
    ['one word of several parts', "const a = ok ? '' : 'not here'"],
    ['what a call is handed', "notices.tell('Nothing was changed')"],
    ['what a tip is made of', "const a = commands.tip('Save', 'file.save')"],
    ['a property that is shown', "const a = { label: 'Skeleton' }"],
    ['what a property chooses from', "const a = { title: ok ? 'On' : 'Off' }"],
    ['what a property makes', "const a = { label: () => 'Smooth' }"],
    ['what is put into a page', "element.textContent = 'Close'"],
    ['an attribute that is set', "node.title = 'Close'"],
    ['what is behind another one', "const a = name || 'the first one'"],
    ['what a report is handed', "report.say('error', 'key-order', 'the keys are not in order')"],
    ['what is added', "const a = name + ' is not here'"],
    ['what begins as the type of a field does', "const a = 'i16: steps of one'"],
    ['a unit that is no id', "const a = { unit: 'seconds' }"],
    ['what a part of a file is', "node('records[0]', 'record', range, fields)"],
    ['a word that a function gives', "function why(): string { return ok ? '' : 'missing' }"],
    ['a word that a method gives, or nothing', "const a = { why(): string | undefined { return 'gone' } }"],
    ['a word that an arrow gives', "const why = (n: number): string => (n ? 'some' : 'none')"],
    ['a word in a variable', "let state: string = 'idle'"],
    ['a word in a field', "class A { state: string | null = 'idle' }"],
    ['a word that is the default', "function f(state: string = 'idle') {}"],
    ['words of a table', "const NAMES: Readonly<Partial<Record<Kind, string>>> = { skin: 'skin' }"],
  ])('finds %s', (_what, code) => expect(found(code)).toEqual(LOOSE))

  it.each([
    ['text', 'Close'],
    ['text beside a value', '{{ n }} files'],
    ['a title', '<b title="Close" />'],
    ['a name for people who hear the page', '<b aria-label="close" />'],
    ['a placeholder', '<input placeholder="name" />'],
    ['a label of a component', '<Part label="x axis" />'],
    ['another attribute with words', '<Part more="Not one of these" />'],
    ['another attribute with a sentence of one word', '<Part more="Nothing." />'],
    ['what a title is bound to', '<b :title="`Close ${name}`" />'],
    ['what is chosen in a text', "{{ ok ? 'Pause' : 'Play' }}"],
    ['one of what is chosen', '<b :aria-label="ok ? name : \'Play\'" />'],
    ['what a text falls back on', "{{ name || 'None' }}"],
    ['what an event hands on', '<b @click="tell(\'It is done\')" />'],
  ])('finds in a template %s', (_what, html) => expect(template(html)).toEqual(LOOSE))

  it.each([
    ['a key', "const a = () => ({ label: say('welcome.open') })"],
    ['a key in a table', "const a = { label: 'welcome.open' as const }"],
    ['a programming error', "throw new Error('There is no such model')"],
    ['a word to the console', "console.error('There is no such model')"],
    ['a log', "log.write('info', `${n} files are read`)"],
    ['SQL', "const a = 'SELECT name FROM files WHERE id = ?'"],
    ['a header', "response.setHeader('Allow', 'GET, HEAD')"],
    ['a type with its coding', "const a = { type: 'text/html; charset=utf-8' }"],
    ["the product's name", "const a = { title: 'Marrow' }"],
    ["the type of a format's column", 'const a = `{u32 frame, f32[4] .wxyz} x ${n}`'],
    ["a word of a format's script", "const a = { detail: '#MESH_LIST' }"],
    ['the name of a family', `const a = { label: '${FAMILIES[0].label}' }`],
    ['an import', "import a from 'a b c'"],
    ['a type', "type A = 'one two'"],
    ['a comparison', "const a = b === 'Two words'"],
    ['a name of a property', "const a = { 'Two words': 1 }"],
    ['a selector', "const a = document.querySelector('ul li')"],
    ['an id', "const a = { kind: 'number' }"],
    [
      'the type of a field',
      "field('keys', '{f32 time, u8[4] color.rgba}', 0); field('names', `u32 length, char[${n}]`); field('bits', `bit x ${n}`)",
    ],
    ['an id by its type', "function cursor(): CssCursor { return 'grab' }; let state: State = 'idle'"],
    ['ids of a table', "const ROLES: Readonly<Record<string, RoleId>> = { skin: 'skin' }"],
    ['a part of a key', "const why = (): string => say(`area.${ok ? 'some' : 'none'}`)"],
    ['a unit of time', "const a = { unit: ok ? 's' : 'frame' }"],
    ['a style', "element.style.font = '12px Inter sans'"],
    ['nothing to read', "const a = { title: '' , text: ' · ' }"],
  ])('lets %s be', (_what, code) => expect(found(code)).toEqual([]))

  it.each([
    ['a key', "{{ say('welcome.open') }}"],
    ['a value', '{{ name }} · {{ n }}'],
    ['classes', '<b class="two words" :class="ok ? \'three words\' : \'\'" />'],
    ['a style', '<b style="color: red" :style="{ font: `${n}px Inter` }" />'],
    ['a bound value', '<b :title="name" />'],
    ['an id handed to a component', '<Part kind="number" command="play.start" />'],
    ['an event', '<b @click="choose(\'first\')" />'],
  ])('lets in a template %s be', (_what, html) => expect(template(html)).toEqual([]))

  it('finds a text that is said while its module loads', () => {
    expect(found("const a = { label: say('welcome.open') }")).toEqual(['texts/said-late'])
    expect(found("const a = () => ({ label: say('welcome.open') })")).toEqual([])
    expect(found("<script setup>const a = say('welcome.open')</script>", 'a.vue')).toEqual([])
  })

  it('runs over the folders whose texts have moved', () => {
    const config = readFileSync(join(projectRoot, 'eslint.config.js'), 'utf8')
    expect(config).toContain("'texts/in-catalogue': 'error'")
  })
})
