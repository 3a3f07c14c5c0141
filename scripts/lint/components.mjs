// The parser of components' scripts. typescript-eslint's own makes its program anew for each component, since what stands on disk is not the script
// alone, and with it all types that the component uses: that is most of the time. Here the scripts of all of them are in one program.
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import ts from 'typescript'
import { parser } from 'typescript-eslint'

const EXTENSION = '.vue'
/** As vue-eslint-parser hands it over: every component has one script. */
const SCRIPT = /^<script[^>]*>([^]*?)^<\/script>/m

/** An editor's files change while it runs: there each component is asked for by itself. */
const once = /eslint(\.js)?$/.test(process.argv[1] ?? '')

/** @param {string} config path of the project's settings */
function programOf(config) {
  const { options, fileNames } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(config, ts.sys.readFile).config,
    ts.sys,
    dirname(config),
    { noEmit: true, allowNonTsExtensions: true },
    config,
    undefined,
    [{ extension: EXTENSION, isMixedContent: true, scriptKind: ts.ScriptKind.Deferred }],
  )
  const host = ts.createCompilerHost(options, true)
  const { readFile } = host
  host.readFile = (name) => (name.endsWith(EXTENSION) ? (SCRIPT.exec(readFileSync(name, 'utf8'))?.[1] ?? '') : readFile(name))
  return ts.createProgram(fileNames, options, host)
}

/** @param {string} config path of the project's settings */
export function parserOfComponents(config) {
  let program
  return {
    ...parser,
    parseForESLint(code, options) {
      // the expressions of a template come without a project
      if (!once || !options.project) return parser.parseForESLint(code, options)
      program ??= programOf(config)
      const known = program.getSourceFile(options.filePath)?.text === code
      return parser.parseForESLint(code, known ? { ...options, project: undefined, programs: [program] } : options)
    },
  }
}
