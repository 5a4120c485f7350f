// Runs every `check:*` script of package.json and prints one line for each: `npm run check`. `npm test` starts with the
// same list.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import pLimit from 'p-limit'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const prefix = 'check:'

/** Two take all cores of a small machine: the type checker and the others need about as long. */
const concurrency = 2

/**
 * Runs the checks, two at a time, and returns how many passed and failed. Skips those named in `except`, without the prefix.
 * `onStart` gets the processes that run, to stop them.
 */
export async function runChecks({ except = [], onStart = () => undefined } = {}) {
  const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  const checks = Object.entries(scripts).filter(
    ([name]) => name.startsWith(prefix) && !except.includes(name.slice(prefix.length)),
  )
  const count = { passed: 0, failed: 0 }
  const running = new Set()
  onStart({ kill: (signal) => running.forEach((child) => child.kill(signal)) })
  const limit = pLimit(concurrency)
  await limit.map(checks, async ([name, command]) => {
    const startedAt = Date.now()
    const { code, output } = await run(command, running)
    const seconds = ((Date.now() - startedAt) / 1000).toFixed(1)
    process.stdout.write(`${code === 0 ? 'ok' : 'FAILED'}  ${name} (${seconds} s)\n`)
    if (code !== 0) process.stdout.write(`${output.trim()}\n\n`)
    count[code === 0 ? 'passed' : 'failed'] += 1
  })
  return count
}

function run(command, running) {
  const bin = path.join(root, 'node_modules', '.bin')
  const env = { ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH}` }
  const child = spawn(command, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'], shell: true })
  running.add(child)
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (output += chunk))
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ code: 1, output: error.message }))
    child.on('close', (code) => {
      running.delete(child)
      resolve({ code: code ?? 1, output })
    })
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { failed } = await runChecks()
  process.exitCode = failed > 0 ? 1 : 0
}
