// Arrows point down only: hosts and cli -> services -> library, workspace, interchange -> files -> formats -> binary -> shared.
// The window imports shared and nothing of main.
const layers = [
  ['shared', '^src/shared/'],
  ['binary', '^src/main/binary/'],
  ['formats', '^src/main/formats/'],
  ['files', '^src/main/(files|worker)/'],
  ['middle', '^src/main/(library|workspace|interchange|sample)/'],
  ['services', '^src/main/services/'],
  ['top', '^src/main/(hosts|cli|index)'],
]
const upward = layers.slice(0, -1).map(([name, path], i) => ({
  name: `${name}-imports-only-what-is-below`,
  severity: 'error',
  from: { path },
  to: {
    path: layers
      .slice(i + 1)
      .map((l) => l[1])
      .join('|'),
  },
}))

/** The folder of a family; `image`, `zip` and `iso` are what several of them use. */
const FAMILY = '^src/main/formats/(?!(?:image|zip|iso)/)([a-z0-9]+)/'

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...upward,
    {
      name: 'no-cycles',
      severity: 'error',
      from: { path: '^src/' },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    { name: 'window-is-apart', severity: 'error', from: { path: '^src/renderer/' }, to: { path: '^src/(main|preload)/' } },
    // inside the window: shell, then features, then core, then viewport and ui
    { name: 'features-know-no-shell', severity: 'error', from: { path: '^src/renderer/features/' }, to: { path: '^src/renderer/shell/' } },
    {
      name: 'core-knows-no-features',
      severity: 'error',
      from: { path: '^src/renderer/core/' },
      to: { path: '^src/renderer/(shell|features)/' },
    },
    {
      name: 'ui-knows-nothing-above',
      severity: 'error',
      from: { path: '^src/renderer/ui/' },
      to: { path: '^src/renderer/(shell|features|core)/' },
    },
    {
      name: 'viewport-knows-nothing-above',
      severity: 'error',
      from: { path: '^src/renderer/viewport/' },
      to: { path: '^src/renderer/(shell|features|core)/' },
    },
    {
      name: 'features-are-apart',
      severity: 'error',
      from: { path: '^src/renderer/features/([^/]+)/' },
      to: { path: '^src/renderer/features/', pathNot: '^src/renderer/features/$1/' },
    },
    { name: 'preload-only-shared', severity: 'error', from: { path: '^src/preload/' }, to: { path: '^src/(main|renderer)/' } },
    { name: 'main-is-not-the-window', severity: 'error', from: { path: '^src/(main|shared)/' }, to: { path: '^src/(renderer|preload)/' } },
    { name: 'shared-is-pure', severity: 'error', from: { path: '^src/shared/' }, to: { dependencyTypes: ['core'] } },
    {
      name: 'shared-knows-no-electron',
      severity: 'error',
      from: { path: '^src/shared/' },
      to: { path: 'node_modules/(electron|better-sqlite3|ws)/' },
    },
    {
      name: 'codecs-are-pure',
      severity: 'error',
      from: { path: '^src/main/(binary|formats)/' },
      to: { dependencyTypes: ['core'], pathNot: '^(node:)?(buffer|util|zlib)$' },
    },
    {
      name: 'codecs-know-no-database',
      severity: 'error',
      from: { path: '^src/main/(binary|formats)/' },
      to: { path: 'node_modules/(electron|better-sqlite3|ws)/' },
    },
    {
      name: 'electron-only-in-its-host',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(main/hosts/electron|main/index|preload)' },
      to: { path: 'node_modules/electron/' },
    },
    // inside a family: codecs know nothing of scenes and edits, scenes nothing of edits
    {
      name: 'codecs-stand-below-scenes',
      severity: 'error',
      from: { path: '^src/main/formats/[a-z0-9]+/(codecs|archives)/' },
      to: { path: '^src/main/formats/[a-z0-9]+/(scene|edit|lint|make|family)' },
    },
    {
      name: 'scenes-stand-below-edits',
      severity: 'error',
      from: { path: '^src/main/formats/[a-z0-9]+/scene/' },
      to: { path: '^src/main/formats/[a-z0-9]+/(edit|lint|make|family)' },
    },
    {
      name: 'families-are-apart',
      severity: 'error',
      from: { path: FAMILY },
      to: { path: FAMILY, pathNot: '^src/main/formats/$1/' },
    },
    {
      name: 'only-the-registry-knows-families',
      severity: 'error',
      from: { path: '^src/', pathNot: [FAMILY, '^src/main/formats/registry\\.ts$', '^src/main/sample/'] },
      to: { path: FAMILY },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'require', 'node', 'default', 'types'] },
  },
}
