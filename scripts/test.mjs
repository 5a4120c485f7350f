// `npm test`, the gate: runs the checks, then the tests, then once more alone what failed, and prints one line with the
// result. `npm test -- <path>` runs only the tests below that path. `npm run test:long` runs the long tests with new seeds;
// `npm run test:long -- <group or path>` only those of a part.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { runChecks } from './check.mjs'
import { applySecondTries, chooseSecondTries, countResults, findSlowestFiles } from './second-try.mjs'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const inCache = (name) => path.join(root, '.cache', name)
const reportFile = inCache('test-results.json')
const secondReportFile = inCache('second-try-results.json')
const unstableFile = inCache('unstable.json')
/** The contents of windows in which a browser test failed, see tests/e2e/window-hooks.ts. */
const windowsFile = inCache('failed-windows.txt')
const maxWindowsLength = 20_000
/** Seconds after which the gate asks for shorter tests; a machine that does other work takes longer. */
const maxGateSeconds = 400
const shownFiles = 10

/** The folders of the groups of long tests whose name is not their only folder. */
const groups = {
  jobs: ['tests/jobs', 'tests/process-managers'],
  runtime: ['tests/runtime', 'tests/crash', 'tests/bench'],
}

const isLong = process.argv[2] === '--long'
const words = process.argv.slice(isLong ? 3 : 2)
const paths = isLong ? words.flatMap((word) => groups[word] ?? (word.includes('/') ? word : `tests/${word}`)) : words
if (isLong) {
  process.env.LONG = '1'
  process.env.TEST_SEED ??= String(1 + (Date.now() % 2_000_000_000))
  process.stdout.write(`TEST_SEED=${process.env.TEST_SEED}\n`)
}

let child
let isStopped = false
// On a signal vitest stops its database and removes its folders; this process ends after it.
const stop = (signal) => {
  isStopped = true
  child?.kill(signal)
}
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stop(signal))
// A signal to npm ends the shell between npm and this process, and never arrives here.
const parentPid = process.ppid
setInterval(() => process.ppid !== parentPid && stop('SIGTERM'), 1000).unref()

const startedAt = Date.now()
const isWhole = paths.length === 0
const count = { passed: 0, failed: 0, skipped: 0 }
const add = (more) => Object.keys(count).forEach((key) => (count[key] += more[key] ?? 0))
// The tests of architecture and language are among those below.
if (isWhole && !isLong)
  add(await runChecks({ except: ['architecture', 'language'], onStart: (started) => (child = started) }))

mkdirSync(inCache(''), { recursive: true })
for (const file of [windowsFile, unstableFile]) rmSync(file, { force: true })
const { code, report } = await runVitest(paths, reportFile)
const tries = []
for (const file of isStopped ? [] : chooseSecondTries(report)) {
  process.stdout.write(`\nOnce more, alone: ${path.relative(root, file)}\n`)
  tries.push({ file, ...(await runVitest([path.relative(root, file)], secondReportFile)) })
}
const result = report ? applySecondTries(report, tries) : { count: {}, unstable: [] }
add(result.count)
// The run failed although no test did: it wrote no report, or an error was outside of all tests.
const hasFailedOtherwise = code !== 0 && (!report || countResults(report).failed === 0)
if (hasFailedOtherwise || (isStopped && count.failed === 0)) count.failed += 1

if (count.failed > 0 && existsSync(windowsFile))
  process.stdout.write(`\n${readFileSync(windowsFile, 'utf8').slice(0, maxWindowsLength)}`)
if (report && isWhole) printSlowest(report)
const unstable = result.unstable.map((file) => path.relative(root, file))
if (unstable.length > 0) writeFileSync(unstableFile, `${JSON.stringify(unstable, null, 2)}\n`)
for (const file of unstable) process.stdout.write(`unstable: ${file} (passed alone)\n`)
const skipped = count.skipped > 0 ? `, ${count.skipped} skipped` : ''
process.stdout.write(`\n${count.passed} passed, ${count.failed} failed${skipped}\n`)
process.exitCode = count.failed > 0 ? 1 : 0

function printSlowest(from) {
  process.stdout.write(`\nThe ${shownFiles} slowest files:\n`)
  for (const { file, seconds } of findSlowestFiles(from, shownFiles))
    process.stdout.write(`${seconds.toFixed(1).padStart(7)} s  ${path.relative(root, file)}\n`)
  const seconds = Math.round((Date.now() - startedAt) / 1000)
  process.stdout.write(`${seconds} s in all\n`)
  if (!isLong && seconds > maxGateSeconds)
    process.stdout.write(
      `The gate should take at most ${maxGateSeconds} s: make tests shorter, or long ones of them.\n`,
    )
}

/** Runs vitest and returns its exit code and its JSON report; null when it wrote none. */
async function runVitest(filters, outputFile) {
  rmSync(outputFile, { force: true })
  const isWindows = process.platform === 'win32'
  const vitest = path.join(root, 'node_modules', '.bin', isWindows ? 'vitest.cmd' : 'vitest')
  const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${outputFile}`, ...filters]
  child = spawn(vitest, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], shell: isWindows })
  const code = await new Promise((resolve) => {
    child.on('error', (error) => {
      process.stderr.write(`${error.message}\n`)
      resolve(1)
    })
    child.on('close', (exitCode) => resolve(exitCode ?? 1))
  })
  try {
    return { code, report: JSON.parse(readFileSync(outputFile, 'utf8')) }
  } catch {
    // The run ended before it wrote a report; its exit code counts as a failure.
    return { code, report: null }
  }
}
