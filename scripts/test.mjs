// Runs the checks, then every test, then prints one line with the result: `npm test`. `npm test -- <path>` runs only the
// tests below that path.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { runChecks } from './check.mjs'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const reportFile = path.join(root, '.cache', 'test-results.json')
/** The contents of windows in which a browser test failed, see tests/e2e/window-hooks.ts. */
const windowsFile = path.join(root, '.cache', 'failed-windows.txt')
const maxWindowsLength = 20_000
const paths = process.argv.slice(2)

let child
// On a signal vitest stops its database and removes its folders; this process ends after it.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child?.kill(signal))
// A signal to npm ends the shell between npm and this process, and never arrives here.
const parentPid = process.ppid
setInterval(() => process.ppid !== parentPid && child?.kill('SIGTERM'), 1000).unref()

const count = { passed: 0, failed: 0, skipped: 0 }
if (paths.length === 0) {
  // The architecture test is one of the tests below.
  const checked = await runChecks({ except: ['architecture'], onStart: (started) => (child = started) })
  count.passed += checked.passed
  count.failed += checked.failed
}

mkdirSync(path.dirname(reportFile), { recursive: true })
for (const file of [reportFile, windowsFile]) rmSync(file, { force: true })
const exitCode = await runVitest(['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`, ...paths])
addResults()
if (exitCode !== 0 && count.failed === 0) count.failed = 1

if (existsSync(windowsFile)) process.stdout.write(`\n${readFileSync(windowsFile, 'utf8').slice(0, maxWindowsLength)}`)
const skipped = count.skipped > 0 ? `, ${count.skipped} skipped` : ''
process.stdout.write(`\n${count.passed} passed, ${count.failed} failed${skipped}\n`)
process.exitCode = count.failed > 0 ? 1 : 0

function addResults() {
  let results
  try {
    results = JSON.parse(readFileSync(reportFile, 'utf8'))
  } catch {
    // The run ended before it wrote a report; its exit code counts as a failure.
    return
  }
  count.passed += results.numPassedTests
  count.failed += results.numFailedTests
  count.skipped += results.numPendingTests + results.numTodoTests
  count.failed += results.testResults.filter(failedToLoad).length
}

/** Returns whether a file failed without a failed test in it, such as a file that cannot be imported. */
function failedToLoad(file) {
  return file.status === 'failed' && !file.assertionResults.some((result) => result.status === 'failed')
}

function runVitest(args) {
  const isWindows = process.platform === 'win32'
  const vitest = path.join(root, 'node_modules', '.bin', isWindows ? 'vitest.cmd' : 'vitest')
  child = spawn(vitest, ['run', ...args], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], shell: isWindows })
  return new Promise((resolve) => {
    child.on('error', (error) => {
      process.stderr.write(`${error.message}\n`)
      resolve(1)
    })
    child.on('close', (code) => resolve(code ?? 1))
  })
}
