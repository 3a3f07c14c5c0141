import { join } from 'node:path'
import prettier from 'eslint-config-prettier'
import vue from 'eslint-plugin-vue'
import globals from 'globals'
import tseslint from 'typescript-eslint'
import { parserOfComponents } from './scripts/lint/components.mjs'
import families, { MAY_NAME_FAMILIES } from './scripts/lint/families.mjs'
import texts from './scripts/lint/texts.mjs'

// what only the types tell: above all a promise that nobody waits for (the journal and every save are asynchronous)
const typed = Object.assign({}, ...tseslint.configs.recommendedTypeCheckedOnly.map(({ rules }) => rules))

const UNSAFE = ['no-unsafe-assignment', 'no-unsafe-member-access', 'no-unsafe-argument', 'no-unsafe-return', 'no-unsafe-call']
const WAIT = 'An end-to-end test waits for what it needs (a locator, expect.poll, atRest), not for a time that is long enough somewhere.'
const ONCE = 'What a page shows comes when it comes: expect.poll(() => …) reads until it is so, expect(await …) reads once.'
const READS =
  '/^(count|inputValue|isDisabled|isEnabled|isVisible|isChecked|getAttribute|textContent|innerText|allTextContents|allInnerTexts)$/'

/** What people read stands in the catalogue, but for these. */
const NO_TEXTS_OF_PEOPLE = [
  // the catalogue itself
  'src/shared/texts/en/**',
  // a page and a stand-in of the services for development, no part of the product
  'src/renderer/dev/**',
  // programs for the graphics card
  'src/renderer/viewport/shaders.ts',
]
/** The sample's texts are names in made-up files. */
const TEXTS_OF_THEIR_OWN = ['src/main/sample/**']

export default tseslint.config(
  { ignores: ['out/', 'dist/', 'node_modules/', '.cache/', 'coverage/', 'test-results/'] },
  ...tseslint.configs.recommended,
  ...vue.configs['flat/recommended'],
  {
    languageOptions: { globals: { ...globals.node, ...globals.browser } },
    rules: {
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      // formats of different documents stand in one list; their document types meet only in their own codec
      '@typescript-eslint/no-explicit-any': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/consistent-type-imports': 'error',
      'no-console': ['error', { allow: ['error'] }],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'prefer-const': ['error', { destructuring: 'all' }],
    },
  },
  {
    files: ['**/*.vue'],
    languageOptions: { parserOptions: { parser: tseslint.parser } },
    rules: {
      'vue/multi-word-component-names': 'off',
      'vue/require-default-prop': 'off',
      'vue/attributes-order': 'off',
    },
  },
  {
    files: ['src/**/*.ts', 'src/**/*.vue', 'test/**/*.ts', '*.config.ts'],
    languageOptions: {
      parserOptions: {
        project: ['./tsconfig.node.json', './tsconfig.web.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      ...typed,
      // objects here are closures (interfaces only write their functions as methods): they go from hand to hand without a `this`
      '@typescript-eslint/unbound-method': 'off',
      // what is asynchronous by contract may have nothing to wait for in one place
      '@typescript-eslint/require-await': 'off',
      // what was caught is thrown on
      '@typescript-eslint/only-throw-error': ['error', { allowThrowingUnknown: true }],
    },
  },
  {
    // with endings of its own a program is another one than that of the modules, which are most files
    files: ['src/**/*.vue'],
    languageOptions: {
      parserOptions: {
        parser: parserOfComponents(join(import.meta.dirname, 'tsconfig.web.json')),
        project: './tsconfig.web.json',
        extraFileExtensions: ['.vue'],
      },
    },
  },
  {
    // this program does not read components: vue-tsc proves what they give
    files: ['src/renderer/**', 'test/renderer/**'],
    rules: Object.fromEntries(
      [...UNSAFE, 'no-redundant-type-constituents', 'no-base-to-string', 'no-unnecessary-type-assertion'].map((rule) => [
        `@typescript-eslint/${rule}`,
        'off',
      ]),
    ),
  },
  {
    // tests look at answers of the contract and at the page's globals as they come, and stand in for what is asynchronous
    files: ['test/**/*.ts'],
    rules: {
      ...Object.fromEntries(
        [...UNSAFE, 'no-implied-eval', 'no-unnecessary-type-assertion'].map((rule) => [`@typescript-eslint/${rule}`, 'off']),
      ),
      'vue/one-component-per-file': 'off',
    },
  },
  {
    files: ['test/e2e/**'],
    rules: {
      'no-restricted-properties': ['error', { property: 'waitForTimeout', message: WAIT }, { property: 'setTimeout', message: WAIT }],
      'no-restricted-globals': ['error', { name: 'setTimeout', message: WAIT }, { name: 'setInterval', message: WAIT }],
      'no-restricted-imports': ['error', { paths: ['timers', 'timers/promises', 'node:timers', 'node:timers/promises'] }],
      'no-restricted-syntax': [
        'error',
        {
          selector: `CallExpression[callee.name='expect'] > AwaitExpression > CallExpression[callee.property.name=${READS}]`,
          message: ONCE,
        },
      ],
    },
  },
  {
    // what people read stands in src/shared/texts
    files: ['src/**'],
    ignores: [...NO_TEXTS_OF_PEOPLE, ...TEXTS_OF_THEIR_OWN, 'src/main/formats/*/texts/**'],
    plugins: { texts },
    rules: { 'texts/in-catalogue': 'error', 'texts/said-late': 'error' },
  },
  {
    // the registry alone knows which families there are
    files: ['src/**', 'scripts/**', 'bin/**'],
    ignores: MAY_NAME_FAMILIES,
    plugins: { families },
    rules: { 'families/not-named': 'error' },
  },
  // layout is the formatter's
  prettier,
  { files: ['bin/**', 'scripts/**', 'src/main/cli/**', 'test/**'], rules: { 'no-console': 'off' } },
)
