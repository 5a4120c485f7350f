// What `npm test` runs: the checks, then every test, then one plain line with the result. `npm test -- <path>` runs
// only the tests below that path.
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const bin = (name) => path.join(root, 'node_modules', '.bin', process.platform === 'win32' ? `${name}.cmd` : name)
const report = path.join(root, '.cache', 'test-results.json')
const only = process.argv.slice(2)

/** The parts of `npm run check`; its last one, the architecture test, is among the tests anyway. */
const checks = [
  ['types of backend, contracts and tests', 'tsc', ['-p', 'tsconfig.json']],
  ['types of the web app', 'tsc', ['-p', 'web/tsconfig.json']],
  ['lint', 'oxlint', ['--deny-warnings']],
  ['format', 'oxfmt', ['--check']],
  ['dead code', 'knip', []],
]

let child
// The tests tidy up after themselves at a signal; whoever started us waits for that.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child?.kill(signal))
// A signal to npm ends the shell between it and us, and never reaches us.
const startedBy = process.ppid
setInterval(() => process.ppid !== startedBy && child?.kill('SIGTERM'), 1000).unref()

const count = { passed: 0, failed: 0, skipped: 0 }
if (only.length === 0) {
  for (const [name, program, args] of checks) {
    const began = Date.now()
    const { code, output } = await run(program, args, 'pipe')
    process.stdout.write(
      `${code === 0 ? 'ok' : 'FAILED'}  check: ${name} (${((Date.now() - began) / 1000).toFixed(1)} s)\n`,
    )
    if (code !== 0) process.stdout.write(`${output.trim()}\n\n`)
    count[code === 0 ? 'passed' : 'failed'] += 1
  }
}

mkdirSync(path.dirname(report), { recursive: true })
rmSync(report, { force: true })
const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
const { code } = await run('vitest', ['run', ...reporters, ...only], 'inherit')
addTests()
if (code !== 0 && count.failed === 0) count.failed = 1

const skipped = count.skipped > 0 ? `, ${count.skipped} skipped` : ''
process.stdout.write(`\n${count.passed} passed, ${count.failed} failed${skipped}\n`)
process.exitCode = count.failed > 0 ? 1 : 0

// A file that cannot even be loaded has no test to count.
function broken(file) {
  return file.status === 'failed' && !file.assertionResults.some((one) => one.status === 'failed')
}

function addTests() {
  let results
  try {
    results = JSON.parse(readFileSync(report, 'utf8'))
  } catch {
    // The run broke off before it could write: its exit code tells.
    return
  }
  count.passed += results.numPassedTests
  count.failed += results.numFailedTests
  count.skipped += results.numPendingTests + results.numTodoTests
  count.failed += results.testResults.filter(broken).length
}

function run(program, args, output) {
  child = spawn(bin(program), args, {
    cwd: root,
    stdio: ['ignore', output, output],
    shell: process.platform === 'win32',
  })
  let text = ''
  child.stdout?.on('data', (chunk) => (text += chunk))
  child.stderr?.on('data', (chunk) => (text += chunk))
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ code: 1, output: error.message }))
    child.on('close', (exit) => resolve({ code: exit ?? 1, output: text }))
  })
}
