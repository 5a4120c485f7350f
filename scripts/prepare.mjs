// What `npm start` and `npm test` do first: everything a fresh clone needs, and nothing when it is all there.
// Runs on any Node from 20 on, before a single package is installed; so it uses nothing but Node itself.
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

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const inRoot = (...names) => path.join(root, ...names)
const pinnedNode = inRoot('node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
const say = (line) => process.stdout.write(`${line}\n`)

/** Ends with one line and exit code 1. */
function give(up) {
  process.stderr.write(`${up}\n`)
  process.exit(1)
}

const [major] = process.versions.node.split('.').map(Number)
if (major < 20) give(`Everchart needs Node 20 or newer to install itself; this is Node ${process.versions.node}.`)

const wanted = process.argv.slice(2)
mkdirSync(inRoot('.cache'), { recursive: true })
await alone(inRoot('.cache', 'prepare.lock'), async () => {
  await installPackages()
  if (wanted.includes('web')) await buildWeb()
})
if (wanted.includes('chromium')) findChromium()

async function installPackages() {
  const marker = inRoot('node_modules', '.everchart-installed')
  const lock = readFileSync(inRoot('package-lock.json'), 'utf8')
  const state = `${createHash('sha256').update(lock).digest('hex')} ${process.platform} ${process.arch}\n`
  if (read(marker) === state && existsSync(pinnedNode)) return
  if (existsSync(pinnedNode) && installedAs(JSON.parse(lock))) return void writeFileSync(marker, state)

  // npm would empty the folder that the link leads to, under whoever works there.
  if (lstatSync(inRoot('node_modules'), { throwIfNoEntry: false })?.isSymbolicLink())
    give('node_modules is a link to packages of another checkout: remove the link, or install there.')
  say('Installing the locked packages (about a minute, once)')
  const npm = process.env.npm_execpath
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']
  rmSync(marker, { force: true })
  const done = npm?.endsWith('.js')
    ? await run(process.execPath, [npm, ...args])
    : await run(process.platform === 'win32' ? 'npm.cmd' : 'npm', args)
  if (!done.ok) give(`The packages could not be installed: ${reasonOf(done.output)}`)
  if (!existsSync(pinnedNode)) {
    give(
      'The packaged Node is missing: allow install scripts (npm config get ignore-scripts must be false) and try again.',
    )
  }
  writeFileSync(marker, state)
  say(`Installed in ${done.seconds} s`)
}

/** Whether what npm noted about node_modules is what the lock file asks for: someone ran `npm install` by hand. */
function installedAs(lock) {
  const noted = read(inRoot('node_modules', '.package-lock.json'))
  if (noted === undefined) return false
  const there = JSON.parse(noted).packages
  if (!Object.keys(there).every((name) => name in lock.packages)) return false
  return Object.entries(lock.packages).every(
    ([name, entry]) =>
      name === '' || (there[name] ? there[name].integrity === entry.integrity : entry.optional === true),
  )
}

async function buildWeb() {
  const marker = inRoot('.cache', 'web-built')
  const state = hashOf(['web', 'contracts', 'vite.config.ts', 'package-lock.json'])
  if (read(marker) === state && existsSync(inRoot('dist', 'index.html'))) return

  say('Building the web app')
  rmSync(marker, { force: true })
  const fresh = inRoot('.cache', 'web-new')
  const vite = inRoot('node_modules', 'vite', 'bin', 'vite.js')
  const done = await run(pinnedNode, [vite, 'build', '--outDir', fresh, '--emptyOutDir', '--logLevel', 'warn'])
  if (!done.ok) give(`The web app could not be built:\n${done.output.trim()}`)
  // A running app serves from dist: it changes as a whole, and never to half a build.
  const old = inRoot('.cache', `web-old-${randomUUID()}`)
  if (existsSync(inRoot('dist'))) renameSync(inRoot('dist'), old)
  renameSync(fresh, inRoot('dist'))
  rmSync(old, { recursive: true, force: true })
  writeFileSync(marker, state)
  say(`Built in ${done.seconds} s`)
}

/** One hash over the content of files and folders: times change with every clone, content does not. */
function hashOf(names) {
  const hash = createHash('sha256')
  const add = (name) => {
    const full = inRoot(name)
    if (statSync(full).isDirectory()) for (const entry of readdirSync(full).sort()) add(`${name}/${entry}`)
    else hash.update(name).update('\0').update(readFileSync(full)).update('\0')
  }
  names.filter((name) => existsSync(inRoot(name))).forEach(add)
  return hash.digest('hex')
}

function findChromium() {
  const given = process.env.CHROMIUM_PATH
  const places = given ? [given] : ['chromium', 'chromium-browser', 'google-chrome'].map((name) => `/usr/bin/${name}`)
  if (places.some(isProgram)) return
  give(
    given
      ? `CHROMIUM_PATH names no program: ${given}`
      : 'The browser tests need Chromium: apt-get install -y chromium (Debian, Ubuntu), or set CHROMIUM_PATH to a Chrome.',
  )
}

function isProgram(file) {
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

/** Runs a program, saying every five seconds that it is still at it. Its output is kept for the case that it fails. */
function run(program, args) {
  const began = Date.now()
  const seconds = () => Math.round((Date.now() - began) / 1000)
  const progress = setInterval(() => say(`  still at it, ${seconds()} s`), 5000)
  const shell = program.endsWith('.cmd')
  const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], shell })
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (output += chunk))
  return new Promise((resolve) => {
    const end = (ok) => {
      clearInterval(progress)
      resolve({ ok, output, seconds: seconds() })
    }
    child.on('error', (error) => {
      output += error.message
      end(false)
    })
    child.on('close', (code) => end(code === 0))
  })
}

function reasonOf(output) {
  const lines = output.split('\n').map((line) => line.replace(/^npm (error|ERR!) ?/, '').trim())
  return lines.filter(Boolean).slice(0, 4).join('; ') || 'npm gave no reason'
}

/**
 * One start at a time prepares, another waits. The holder touches the lock every second, so that one left by a kill is
 * known by its age, whatever has become of its process number.
 */
async function alone(file, work) {
  for (let told = false; ; told = true) {
    try {
      closeSync(openSync(file, 'wx'))
      break
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }
    if (!told) say('Waiting for another start that is preparing this folder')
    breakStale(file)
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  const alive = setInterval(() => utimesSync(file, new Date(), new Date()), 1000)
  const release = () => rmSync(file, { force: true })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.once(signal, () => {
      release()
      process.exit(1)
    })
  }
  process.once('exit', release)
  await work()
  clearInterval(alive)
  process.removeListener('exit', release)
  release()
}

function breakStale(file) {
  try {
    if (Date.now() - statSync(file).mtimeMs < 10_000) return
    const aside = `${file}.${randomUUID()}`
    renameSync(file, aside)
    unlinkSync(aside)
  } catch {
    // Its holder, or another one waiting, was faster.
  }
}
