// npm test [-- STAGE ...]: lint, types, build, packaging, unit, e2e; all of them by default. The last line is `N passed, N failed, N skipped`.
// End-to-end tests wait for what is drawn half of their time: all else runs beside them, and gives way to them.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { getPriority, setPriority, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { projectRoot } from './lib/build.mjs'
import { chromiumLaunchOptions } from './lib/chromium.mjs'

const names = ['lint', 'types', 'build', 'packaging', 'unit', 'e2e']
const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !names.includes(name))
if (unknown.length > 0) {
  console.error(`there is no stage ${unknown.join(', ')}: ${names.join(', ')}`)
  process.exit(2)
}
const wanted = (name) => asked.length === 0 || asked.includes(name)
// a log is read without a terminal's colours
const env = process.stdout.isTTY ? process.env : { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined }
const reports = mkdtempSync(join(tmpdir(), 'marrow-test-'))
const totals = { passed: 0, failed: 0, skipped: 0 }
const broken = []

/**
 * Runs to the end.
 * @param quiet its output is held back, and given with the result
 * @param plain it has no terminal of its own: lines of others come between its lines
 * @param behind whatever else wants the processor goes before it
 */
function run(command, args, { quiet = false, plain = false, behind = false } = {}) {
  return new Promise((done) => {
    const child = spawn(process.execPath, [join(projectRoot, 'node_modules', command), ...args], {
      cwd: projectRoot,
      env,
      stdio: quiet || plain ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
    })
    if (behind) giveWay(child)
    let text = ''
    const take = (part) => (quiet ? (text += part) : process.stdout.write(part))
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', take)
    child.on('error', (error) => done({ code: 1, text: error.message }))
    child.on('close', (code) => done({ code: code ?? 1, text }))
  })
}

function giveWay({ pid }) {
  try {
    // all that it starts takes it over
    if (pid !== undefined) setPriority(pid, Math.min(19, getPriority() + 10))
  } catch {
    // it is over, or the system lets nobody
  }
}

const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`

/** Programs that only pass or fail: one failure counts as one failed. */
async function check(stage, programs, { name = stage, behind = wanted('e2e') } = {}) {
  if (!wanted(stage)) return true
  const since = performance.now()
  const results = []
  for (const [command, ...args] of programs) results.push(await run(command, args, { quiet: true, behind }))
  const failed = results.filter(({ code }) => code !== 0)
  console.log(`${name}: ${failed.length === 0 ? 'ok' : 'FAILED'} (${seconds(since)})`)
  for (const { text } of failed) console.log(text.trimEnd())
  if (failed.length > 0) {
    totals.failed++
    broken.push(name)
  }
  return failed.length === 0
}

/** Output of suites that ran beside another one, for the end. */
const texts = []

/** @param beside another one, whose output is seen meanwhile */
async function suite(name, { args = [], beside = false } = {}) {
  if (!wanted(name)) return
  const since = performance.now()
  const report = join(reports, `${name}.json`)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const { code, text } = await run('vitest/vitest.mjs', ['run', ...args, ...reporters], {
    quiet: beside,
    plain: wanted('e2e'),
    behind: beside,
  })
  if (beside) texts.push(text)
  const counts = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : null
  const failed = counts?.numFailedTests ?? 0
  totals.passed += counts?.numPassedTests ?? 0
  totals.skipped += (counts?.numPendingTests ?? 0) + (counts?.numTodoTests ?? 0)
  // a file that does not load, or an error outside a test, fails the run with no failed test
  totals.failed += code !== 0 && failed === 0 ? 1 : failed
  if (code !== 0) broken.push(name)
  for (const { fullName, why } of triedTwice(counts)) console.log(`tried twice: ${fullName}\n${why}`)
  console.log(`${name}: ${code === 0 ? 'ok' : 'FAILED'} (${seconds(since)})`)
}

/** Tests that passed when they were tried again, with what they failed of: what nobody is told of nobody mends. */
function triedTwice(counts) {
  const results = (counts?.testResults ?? []).flatMap(({ assertionResults }) => assertionResults)
  return results
    .filter(({ status, failureMessages }) => status === 'passed' && failureMessages.length > 0)
    .map(({ fullName, failureMessages: [why] }) => ({ fullName, why: why.split('\n    at ').slice(0, 3).join('\n    at ') }))
}

/** Also unpacks it. Without one there is no end-to-end test, and that is a failure. */
async function hasBrowser() {
  if (!wanted('e2e')) return true
  try {
    await chromiumLaunchOptions()
    return true
  } catch (error) {
    console.log(`e2e: FAILED: ${error.message}`)
    totals.failed++
    broken.push('e2e')
    return false
  }
}

const corpus = process.env.MARROW_CORPUS ?? resolve(projectRoot, '../shared/corpus')
if (wanted('unit'))
  console.log(
    existsSync(corpus)
      ? `corpus of real files: ${corpus}`
      : 'corpus of real files: not here, its tests are skipped (MARROW_CORPUS names its folder)',
  )

/** What needs the build. */
async function suiteOfBuild(name, built, beside = false) {
  if (built) await suite(name, { args: ['--config', `test/${name}/vitest.config.ts`], beside })
  else console.log(`${name}: not run, there is no build`)
}

try {
  const built = await check('build', [['electron-vite/bin/electron-vite.js', 'build']], { behind: false })
  const inFront = async () => {
    if (!built || (await hasBrowser())) await suiteOfBuild('e2e', built)
  }
  const beside = wanted('e2e') && built
  // for two cores: each takes what comes next, the longest first
  const jobs = [
    () => check('lint', [['eslint/bin/eslint.js', '.', '--ignore-pattern', '**/*.vue', '--max-warnings', '0']]),
    async () => {
      await check('types', [
        ['typescript/bin/tsc', '-p', 'tsconfig.node.json'],
        ['vue-tsc/bin/vue-tsc.js', '-p', 'tsconfig.web.json'],
      ])
      await suiteOfBuild('packaging', built, beside)
    },
    () => check('lint', [['prettier/bin/prettier.cjs', '--check', '.', '--log-level', 'warn', '--cache']], { name: 'layout' }),
    () => check('lint', [['eslint/bin/eslint.js', '**/*.vue', '--max-warnings', '0']], { name: 'lint of components' }),
    () =>
      check(
        'lint',
        [
          ['dependency-cruiser/bin/dependency-cruiser.mjs', 'src', '--config', '.dependency-cruiser.cjs', '--output-type', 'err'],
          ['knip/bin/knip.js'],
        ],
        { name: 'layers, and what nothing uses' },
      ),
  ]
  const lane = async () => {
    for (let job; (job = jobs.shift());) await job()
  }
  const behind = async () => {
    await Promise.all([lane(), lane()])
    await suite('unit', { beside })
  }
  await Promise.all([inFront(), behind()])
  for (const text of texts) process.stdout.write(text)
} finally {
  rmSync(reports, { recursive: true, force: true })
}
if (broken.length > 0) console.log(`failed: ${broken.join(', ')}`)
console.log(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`)
process.exitCode = totals.failed > 0 ? 1 : 0
