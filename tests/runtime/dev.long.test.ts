import { spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createClient } from '#tests/support/client.ts'
import { findDatabaseProcesses, createTemporaryDataDir } from '#tests/support/everchart-process.ts'
import { newOwner } from '#tests/support/practice.ts'
import { processEnvironment } from '#tests/support/process-environment.ts'

const timeoutOptions = { timeout: 60_000, interval: 50 }

let checkout: string
let data: Awaited<ReturnType<typeof createTemporaryDataDir>>

beforeEach(async () => {
  data = await createTemporaryDataDir()
  checkout = await mkdtemp(path.join(os.tmpdir(), 'everchart-dev-'))
  const copied = ['backend', 'contracts', 'scripts', 'web', 'package.json', 'tsconfig.json', 'vite.config.ts']
  for (const name of copied) await cp(name, path.join(checkout, name), { recursive: true })
  await symlink(path.resolve('node_modules'), path.join(checkout, 'node_modules'))
})

afterEach(async () => {
  for (const pid of await processesIn(checkout)) process.kill(pid, 'SIGKILL')
  await data.remove()
  await rm(checkout, { recursive: true, force: true })
})

/** Runs `scripts/dev.mjs` of the copied checkout on a free port. */
function startDev() {
  const child = spawn(process.execPath, ['scripts/dev.mjs'], {
    cwd: checkout,
    env: { ...processEnvironment, PORT: '0', DATA_DIR: data.folder, SAMPLE_PRACTICE: 'off' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const starts = () => [...output.matchAll(/ready: (http:\/\/localhost:\d+)/g)].map(([, url = '']) => url)
  return {
    output: () => output,
    ended,
    kill: (signal: NodeJS.Signals) => void child.kill(signal),
    /** Resolves with the address once the backend has been ready `count` times. */
    async started(times: number): Promise<string> {
      await expect.poll(() => starts().length, { ...timeoutOptions, message: output }).toBe(times)
      expect(new Set(starts()).size, 'one address').toBe(1)
      return starts()[0] ?? ''
    },
  }
}

async function processesIn(folder: string): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry)).map(Number)
  const folders = await Promise.all(pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => '')))
  return pids.filter((_, index) => folders[index] === folder)
}

async function edit(file: string, change: (text: string) => string): Promise<void> {
  const full = path.join(checkout, file)
  const before = await readFile(full, 'utf8')
  const after = change(before)
  expect(after).not.toBe(before)
  await writeFile(full, after)
}

/** Connects as Vite's client in a page does; returns all messages so far. */
async function hotUpdates(url: string): Promise<() => string> {
  const token = /wsToken = "([^"]+)"/.exec(await textOf(`${url}/@vite/client`))?.[1] ?? ''
  const socket = new WebSocket(`${url.replace('http', 'ws')}/?token=${token}`, 'vite-hmr')
  let messages = ''
  socket.addEventListener('message', ({ data: message }) => (messages += String(message)))
  await expect.poll(() => messages, timeoutOptions).toContain('connected')
  return () => messages
}

const textOf = async (url: string) => (await fetch(url)).text()

async function expectNothingLeft(): Promise<void> {
  expect(await processesIn(checkout)).toEqual([])
  expect(await findDatabaseProcesses(data.folder)).toEqual([])
}

test('serves web app and API at one address, reloads both, and leaves no process behind', async () => {
  const dev = startDev()
  const url = await dev.started(1)

  const page = await textOf(url)
  expect(page).toContain('/@vite/client')
  expect(page).toContain('<div id="root">')
  expect(await textOf(`${url}/patients`), 'a screen has an address').toContain('<div id="root">')

  const { client } = await newOwner({ newClient: () => createClient(url) })
  expect((await client.request('POST', '/api/logout', {}, { origin: 'https://evil.example' })).status).toBe(403)
  const changes = await fetch(`${url}/api/changes`, { headers: { cookie: client.cookie() ?? '' } })
  const { value } = (await changes.body?.getReader().read()) ?? {}
  expect(new TextDecoder().decode(value)).toContain('event: open')

  // Below web/api, which also proves that its path is not proxied as an endpoint.
  await mkdir(path.join(checkout, 'web', 'api'), { recursive: true })
  await writeFile(path.join(checkout, 'web', 'api', 'probe.ts'), `export const probe = 'before'`)
  await expect.poll(() => textOf(`${url}/api/probe.ts`), timeoutOptions).toContain('before')
  const messages = await hotUpdates(url)
  await edit('web/api/probe.ts', (text) => text.replace('before', 'after'))
  await expect.poll(() => textOf(`${url}/api/probe.ts`), timeoutOptions).toContain('after')
  await expect.poll(messages, timeoutOptions).toMatch(/"(update|full-reload)"/)

  await edit('contracts/health.ts', (text) => text.replace('/api/health', '/api/health-changed'))
  await dev.started(2)
  expect((await client.get('/api/health-changed')).status).toBe(200)
  expect((await client.get('/api/user')).status, 'database and session survive a restart').toBe(200)

  dev.kill('SIGTERM')
  expect(await dev.ended).toBe(0)
  await expectNothingLeft()
  await expect(fetch(url)).rejects.toThrow('fetch failed')
})

test('shows why the backend fails to start, holds requests until it does, and can stop during a restart', async () => {
  const dev = startDev()
  const url = await dev.started(1)
  await edit('backend/http/app.ts', (text) => `${text}\nthrow new Error('planted error')\n`)
  await expect.poll(dev.output, timeoutOptions).toContain('planted error')
  const held = fetch(`${url}/api/health`)
  await edit('backend/http/app.ts', (text) => text.replace("throw new Error('planted error')", ''))
  expect((await held).status).toBe(200)

  const restarts = () => dev.output().split('Restarting').length
  const before = restarts()
  await edit('backend/http/app.ts', (text) => `${text}\n`)
  await expect.poll(restarts, timeoutOptions).toBeGreaterThan(before)
  dev.kill('SIGINT')
  expect(await dev.ended).toBe(0)
  await expectNothingLeft()
})
