// Prepares the checkout: `npm start`, `npm run dev`, `npm test` and the command-line tools run this first. It does what a
// fresh clone needs and nothing when all of it is there. It runs on any Node from 20 on, before any package is installed,
// so it imports only modules of Node.
import { spawn } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { showProgress } from './progress.mjs'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const inRoot = (...names) => path.join(root, ...names)
const pinnedNode = inRoot('node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
const log = (line) => process.stdout.write(`${line}\n`)

/** Ends the process with one line on stderr and exit code 1. */
function fail(message) {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

const [major] = process.versions.node.split('.').map(Number)
if (major < 20) fail(`Everchart needs Node 20 or newer to install itself; this is Node ${process.versions.node}.`)

const targets = process.argv.slice(2)
mkdirSync(inRoot('.cache'), { recursive: true })
await withPrepareLock(inRoot('.cache', 'prepare.lock'), async () => {
  await installPackages()
  if (targets.includes('web')) await buildWeb()
  if (targets.includes('backend')) await bundleBackend()
})
if (targets.includes('chromium')) requireChromium()

async function installPackages() {
  const marker = inRoot('node_modules', '.everchart-installed')
  const lock = readFileSync(inRoot('package-lock.json'), 'utf8')
  const state = `${createHash('sha256').update(lock).digest('hex')} ${process.platform} ${process.arch}\n`
  if (read(marker) === state && existsSync(pinnedNode)) return
  if (existsSync(pinnedNode) && isInstalled(JSON.parse(lock))) return void writeFileSync(marker, state)

  // `npm ci` would empty the folder that the link points to, which another checkout uses.
  if (lstatSync(inRoot('node_modules'), { throwIfNoEntry: false })?.isSymbolicLink())
    fail('node_modules is a link to packages of another checkout: remove the link, or install there.')
  const npm = process.env.npm_execpath
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']
  rmSync(marker, { force: true })
  const step = { title: 'Installing packages (about a minute, once)', measure: measureInstall(JSON.parse(lock)) }
  const result = npm?.endsWith('.js')
    ? await run(step, process.execPath, [npm, ...args])
    : await run(step, process.platform === 'win32' ? 'npm.cmd' : 'npm', args)
  if (!result.ok) fail(`The packages could not be installed: ${summarizeNpmError(result.output)}`)
  if (!existsSync(pinnedNode)) {
    fail(
      'The packaged Node is missing: allow install scripts (npm config get ignore-scripts must be false) and try again.',
    )
  }
  writeFileSync(marker, state)
  log(`Installed in ${result.seconds} s`)
}

/** Returns a function that returns which share of the packages is in place, from 0 to 1; optional ones may never be. */
function measureInstall({ packages }) {
  const folders = Object.keys(packages).filter((name) => name !== '' && !packages[name].optional)
  // Counted again each time: at its start, npm removes the packages of an earlier installation.
  return () =>
    folders.filter((folder) => existsSync(inRoot(folder, 'package.json'))).length / Math.max(folders.length, 1)
}

/** Returns whether node_modules matches the lock file, as it does after `npm ci` by hand. */
function isInstalled(lock) {
  const record = read(inRoot('node_modules', '.package-lock.json'))
  if (record === undefined) return false
  const installed = JSON.parse(record).packages
  if (!Object.keys(installed).every((name) => name in lock.packages)) return false
  return Object.entries(lock.packages).every(
    ([name, entry]) =>
      name === '' || (installed[name] ? installed[name].integrity === entry.integrity : entry.optional === true),
  )
}

function buildWeb() {
  const vite = inRoot('node_modules', 'vite', 'bin', 'vite.js')
  return build({
    title: 'Building the web app',
    marker: 'web-built',
    sources: ['web', 'contracts', 'vite.config.ts', 'package-lock.json'],
    folder: 'dist',
    result: 'index.html',
    toArgs: (fresh) => [vite, 'build', '--outDir', fresh, '--emptyOutDir', '--logLevel', 'warn'],
  })
}

function bundleBackend() {
  const script = inRoot('scripts', 'bundle-backend.mjs')
  return build({
    title: 'Bundling the backend',
    marker: 'backend-built',
    sources: ['backend', 'contracts', 'scripts/bundle-backend.mjs', 'package-lock.json'],
    folder: path.join('build', 'backend'),
    result: 'main.js',
    toArgs: (fresh) => [script, fresh],
  })
}

/** Builds a folder, unless its sources are those of the last time. */
async function build({ title, marker: name, sources, folder, result, toArgs }) {
  const marker = inRoot('.cache', name)
  const state = contentHash(sources)
  const target = inRoot(folder)
  if (read(marker) === state && existsSync(path.join(target, result))) return

  rmSync(marker, { force: true })
  const fresh = inRoot('.cache', `new-${path.basename(folder)}`)
  // With the caller's NODE_ENV, such as `test`, React's development build would be packed.
  const built = await run({ title }, pinnedNode, toArgs(fresh), { NODE_ENV: 'production' })
  if (!built.ok) fail(`${title} has failed:\n${built.output.trim()}`)
  // A running app reads from the folder, so it is replaced at once and never holds half a build.
  const old = inRoot('.cache', `old-${randomUUID()}`)
  mkdirSync(path.dirname(target), { recursive: true })
  if (existsSync(target)) renameSync(target, old)
  renameSync(fresh, target)
  rmSync(old, { recursive: true, force: true })
  writeFileSync(marker, state)
  log(`Built in ${built.seconds} s`)
}

/** Returns one hash over the content of files and folders; modification times differ in every clone. */
function contentHash(names) {
  const hash = createHash('sha256')
  const add = (name) => {
    const full = inRoot(name)
    if (statSync(full).isDirectory()) for (const entry of readdirSync(full).sort()) add(`${name}/${entry}`)
    else hash.update(name).update('\0').update(readFileSync(full)).update('\0')
  }
  names.filter((name) => existsSync(inRoot(name))).forEach(add)
  return hash.digest('hex')
}

function requireChromium() {
  const configured = process.env.CHROMIUM_PATH
  const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']
  const candidates = configured ? [configured] : names.map((name) => `/usr/bin/${name}`)
  if (candidates.some(isExecutable)) return
  fail(
    configured
      ? `CHROMIUM_PATH is not an executable file: ${configured}`
      : 'The browser tests need Chromium: apt-get install -y chromium (Debian, Ubuntu), or set CHROMIUM_PATH to a Chrome.',
  )
}

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function read(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/** Runs a program and shows its progress. Collects its output for an error message. */
function run(step, program, args, env = {}) {
  const endProgress = showProgress(step)
  const shell = program.endsWith('.cmd')
  const child = spawn(program, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    shell,
  })
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (output += chunk))
  return new Promise((resolve) => {
    const finish = (ok) => {
      resolve({ ok, output, seconds: endProgress() })
    }
    child.on('error', (error) => {
      output += error.message
      finish(false)
    })
    child.on('close', (code) => finish(code === 0))
  })
}

function summarizeNpmError(output) {
  const lines = output.split('\n').map((line) => line.replace(/^npm (error|ERR!) ?/, '').trim())
  return lines.filter(Boolean).slice(0, 4).join('; ') || 'npm printed no reason'
}

/**
 * Runs `work` while this process holds the lock file; other processes wait. The holder touches the file every second, so
 * that a lock left by a killed process is recognized by its age, even when its process id is in use again.
 */
async function withPrepareLock(file, work) {
  for (let isWaiting = false; ; isWaiting = true) {
    try {
      closeSync(openSync(file, 'wx'))
      break
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }
    if (!isWaiting) log('Waiting for another process that is preparing this folder')
    removeStaleLock(file)
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  const heartbeat = setInterval(() => utimesSync(file, new Date(), new Date()), 1000)
  const release = () => rmSync(file, { force: true })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.once(signal, () => {
      release()
      process.exit(1)
    })
  }
  process.once('exit', release)
  await work()
  clearInterval(heartbeat)
  process.removeListener('exit', release)
  release()
}

function removeStaleLock(file) {
  try {
    if (Date.now() - statSync(file).mtimeMs < 10_000) return
    const aside = `${file}.${randomUUID()}`
    renameSync(file, aside)
    unlinkSync(aside)
  } catch {
    // Its holder or another waiting process removed it first.
  }
}
