// Runs every `check:*` script of package.json and prints one line for each: `npm run check`. `npm test` starts with the
// same list.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const prefix = 'check:'

/**
 * Runs the checks one after the other and returns how many passed and failed. Skips those named in `except`, without the
 * prefix. `onStart` gets each child process.
 */
export async function runChecks({ except = [], onStart = () => undefined } = {}) {
  const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  const checks = Object.entries(scripts).filter(
    ([name]) => name.startsWith(prefix) && !except.includes(name.slice(prefix.length)),
  )
  const count = { passed: 0, failed: 0 }
  for (const [name, command] of checks) {
    const startedAt = Date.now()
    const { code, output } = await run(command, onStart)
    const seconds = ((Date.now() - startedAt) / 1000).toFixed(1)
    process.stdout.write(`${code === 0 ? 'ok' : 'FAILED'}  ${name} (${seconds} s)\n`)
    if (code !== 0) process.stdout.write(`${output.trim()}\n\n`)
    count[code === 0 ? 'passed' : 'failed'] += 1
  }
  return count
}

function run(command, onStart) {
  const bin = path.join(root, 'node_modules', '.bin')
  const env = { ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH}` }
  const child = spawn(command, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'], shell: true })
  onStart(child)
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (output += chunk))
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ code: 1, output: error.message }))
    child.on('close', (code) => resolve({ code: code ?? 1, output }))
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { failed } = await runChecks()
  process.exitCode = failed > 0 ? 1 : 0
}
