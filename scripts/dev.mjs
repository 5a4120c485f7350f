// Runs the app for development behind one address: `npm run dev`. Vite serves the web app with hot updates on PORT and
// passes `/api` to the backend, which listens on a free loopback port and restarts when one of its files changes.
import { spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { connect, createServer as createTcpServer } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createServer as createViteServer } from 'vite'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const webRoot = path.join(root, 'web')
const entryPoint = path.join('backend', 'main', 'main.ts')
/** Addresses of the backend: the API, and the pages of the newsletter. */
const apiPath = /^\/(api|newsletter)(\/|\?|$)/
const isWindows = process.platform === 'win32'

/** Maximum time that a request waits for a restarting backend: long enough for a busy machine. */
const maxRestartMs = 90_000
/** The backend promises to stop within 10 s. */
const maxStopMs = 11_000

const host = process.env.HOST?.trim() || '127.0.0.1'
const port = readPort()
const backendPort = await findFreePort()
const waitForBackend = createBackendWaiter()
const server = createHttpServer()
const vite = await createVite()
await listen()
const address = `http://${addressHost()}:${server.address().port}`
const backend = startBackend()

let stopping
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    // A second signal is passed on, so that the backend gives up its orderly stop.
    if (stopping) signalBackend(signal)
    else void stop(0)
  })
}
backend.on('exit', (code, signal) => {
  if (stopping) return
  process.stderr.write(`The backend watcher ended with ${signal ?? `exit code ${code}`}.\n`)
  void stop(1)
})

function readPort() {
  const given = process.env.PORT?.trim() || '3000'
  if (/^\d{1,5}$/.test(given) && Number(given) <= 65_535) return Number(given)
  return fail(`PORT must be a whole number from 0 to 65535, not "${given.slice(0, 100)}".`)
}

function addressHost() {
  if (['127.0.0.1', '0.0.0.0', '::', '::1'].includes(host)) return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

function findFreePort() {
  return new Promise((resolve, reject) => {
    const server = createTcpServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port: free } = server.address()
      server.close(() => resolve(free))
    })
  })
}

/** Creates Vite as middleware of `server`; a server of its own would end the process at SIGTERM, before the backend. */
async function createVite() {
  const publicHost = URL.parse(process.env.PUBLIC_URL ?? '')?.hostname
  const created = await createViteServer({
    configFile: path.join(root, 'vite.config.ts'),
    root: webRoot,
    clearScreen: false,
    plugins: [
      { name: 'hold-api-requests', configureServer: ({ middlewares }) => void middlewares.use(holdApiRequests) },
    ],
    server: {
      middlewareMode: true,
      hmr: { server },
      host,
      ...(publicHost ? { allowedHosts: [publicHost] } : {}),
      proxy: {
        [apiPath.source]: {
          target: `http://127.0.0.1:${backendPort}`,
          // Adds X-Forwarded-For. Host stays as the browser sent it: the backend compares it with Origin.
          xfwd: true,
          bypass: ({ url }) => (isWebFile(url) ? url : undefined),
          configure: (proxy) => proxy.on('error', (_error, _request, response) => refuse(response)),
        },
      },
    },
  })
  server.on('request', created.middlewares)
  return created
}

function listen() {
  return new Promise((resolve) => {
    server.once('error', ({ code, message }) =>
      fail(
        code === 'EADDRINUSE'
          ? `Port ${port} on ${host} is already in use: stop the program that uses it, or set PORT.`
          : `The web app cannot be served on ${host}:${port}: ${message}`,
      ),
    )
    server.listen(port, host, resolve)
  })
}

/** Returns whether an address below `/api` is a file of the web app, such as `web/api/call.ts`, and no endpoint. */
function isWebFile(url) {
  const { pathname } = new URL(url, 'http://localhost')
  return statSync(path.join(webRoot, decodeURIComponent(pathname)), { throwIfNoEntry: false })?.isFile() ?? false
}

/** Holds a request until the restarting backend responds. */
function holdApiRequests(request, response, next) {
  if (!apiPath.test(request.url) || isWebFile(request.url)) return void next()
  waitForBackend().then((isReady) => (isReady ? next() : refuse(response)), next)
}

/** Replies like the backend while it starts; Vite's own reply would be an empty 500. */
function refuse(response) {
  if (response.headersSent || typeof response.writeHead !== 'function') return response.destroy()
  const message = 'The backend is not running: its error is in the terminal of npm run dev.'
  response.writeHead(503, { 'Content-Type': 'application/problem+json', 'Retry-After': '2' })
  return response.end(JSON.stringify({ status: 503, code: 'starting', message }))
}

/** Returns a function that resolves with whether the backend takes requests, which it waits for during a restart. */
function createBackendWaiter() {
  let isReady = false
  let waiting

  const canConnect = () =>
    new Promise((resolve) => {
      const socket = connect(backendPort, '127.0.0.1')
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
      socket.once('connect', () => socket.destroy())
    })

  async function hasStarted() {
    try {
      const reply = await fetch(`http://127.0.0.1:${backendPort}/api/health`)
      return (await reply.json()).status !== 'starting'
    } catch {
      return false
    }
  }

  async function poll() {
    const end = Date.now() + maxRestartMs
    while (!stopping && Date.now() < end) {
      isReady = (await canConnect()) && (await hasStarted())
      if (isReady) break
      await sleep(100)
    }
    waiting = undefined
    return isReady
  }

  return async () => {
    if (isReady && (await canConnect())) return true
    isReady = false
    waiting ??= poll()
    return await waiting
  }
}

/** Starts the backend in watch mode, in a process group of its own, so that Ctrl-C in a terminal arrives here only. */
function startBackend() {
  const env = {
    NODE_COMPILE_CACHE: path.join(root, '.cache', 'node'),
    TRUST_PROXY: 'true',
    PUBLIC_URL: address,
    ...process.env,
    HOST: '127.0.0.1',
    PORT: String(backendPort),
  }
  // Whole folders: `--watch` alone sometimes forgets the files of a backend that failed to start, and their next change.
  const watched = ['backend', 'contracts'].map((folder) => `--watch-path=${folder}`)
  return spawn(process.execPath, [...watched, '--watch-preserve-output', entryPoint], {
    cwd: root,
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: !isWindows,
  })
}

/** Sends a signal to the backend's process group; returns false when no process is left in it. */
function signalBackend(signal) {
  if (isWindows) return backend.kill(signal)
  try {
    return process.kill(-backend.pid, signal)
  } catch {
    return false
  }
}

async function stop(exitCode) {
  stopping = true
  const hasExited = () => backend.exitCode !== null || backend.signalCode !== null
  const deadline = Date.now() + maxStopMs
  // The watcher passes it on and waits for the backend.
  backend.kill('SIGTERM')
  server.close()
  server.closeAllConnections()
  await vite.close()
  while (!hasExited() && Date.now() < deadline) await sleep(20)
  // A watcher that is stopped in the middle of a restart can leave the backend that it has just started.
  if (hasExited()) signalBackend('SIGTERM')
  while (!isWindows && signalBackend(0) && Date.now() < deadline) await sleep(20)
  if (!isWindows || !hasExited()) signalBackend('SIGKILL')
  process.exit(exitCode)
}

function fail(message) {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}
