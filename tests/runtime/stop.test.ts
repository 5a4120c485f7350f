import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  findDatabaseProcesses,
  findListeningPort,
  startEverchart,
  createTemporaryDataDir,
  expectStopped,
  waitUntilHealthy,
} from '#tests/support/everchart-process.ts'
import { isLongRun, itLong, someOf } from '#tests/support/long.ts'
import { createTestDatabase } from '#tests/support/test-database.ts'
import { waitUntil } from '#tests/support/wait-until.ts'
import { startFaultyProxy } from '#tests/support/wire/faulty-proxy.ts'

let data: Awaited<ReturnType<typeof createTemporaryDataDir>>
beforeEach(async () => (data = await createTemporaryDataDir()))
afterEach(() => data.remove())

/** Sends the head of a request and half its body; resolves when the application has accepted the head. */
async function sendHalfRequest(url: string) {
  const { hostname, port } = new URL(url)
  const body = JSON.stringify({ email: 'unknown@practice.example', password: 'not the right one' })
  const socket = connect(Number(port), hostname)
  let answer = ''
  socket.on('data', (chunk) => (answer += chunk.toString()))
  const closed = new Promise<string>((resolve) => socket.on('close', () => resolve(answer)))
  socket.write(`POST /api/login HTTP/1.1\r\nHost: ${hostname}:${port}\r\nContent-Type: application/json\r\n`)
  socket.write(`Expect: 100-continue\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body.slice(0, 20)}`)
  await waitUntil(() => answer.startsWith('HTTP/1.1 100 Continue'))
  answer = ''
  return { finish: () => void socket.write(body.slice(20)), closed }
}

test('responds during the start, and prints when it is ready', async () => {
  const database = await createTestDatabase()
  const address = new URL(database.url)
  const databasePort = Number(address.port)
  const network = await startFaultyProxy(() => databasePort)
  address.hostname = '127.0.0.1'
  address.port = String(network.port)
  // The database does not respond, so that the start blocks at its first step.
  network.blackholeNewConnections()
  const app = startEverchart(data.folder, { DATABASE_URL: address.href })
  const port = await waitUntil(() => findListeningPort(app.pid))
  const answer = await fetch(`http://127.0.0.1:${port}/api/health`)
  expect([answer.status, await answer.json()]).toMatchObject([503, { status: 'starting' }])
  expect(app.url()).toBe('')
  network.thaw()
  await app.ready
  await waitUntil(() => app.output().includes('Stop: press Ctrl-C'))
  expect(app.output()).toContain(`http://localhost:${port}`)
  expect(app.output()).toContain('There is no account yet')
  expect(app.output()).toContain(`Data: the database of DATABASE_URL; secrets and outbox in ${data.folder}`)
  app.kill('SIGTERM')
  await app.ended
  await network.close()
  await database.drop()
})

test.each(someOf(['SIGTERM', 'SIGINT'] as const, 1))(
  'refuses a second start beside it; %s finishes the running request, then leaves no process behind',
  async (signal) => {
    const app = startEverchart(data.folder)
    const url = await app.ready
    const second = startEverchart(data.folder)
    expect((await second.ended).code).toBe(1)
    expect(second.output()).toBe(
      `Everchart is already running on ${data.folder} (process ${app.pid}): stop it first, or set another DATA_DIR.\n`,
    )
    await waitUntilHealthy(url)
    const request = await sendHalfRequest(url)
    app.kill(signal)
    const isRefused = () =>
      fetch(`${url}/api/health`).then(
        () => false,
        (error: Error) => error.message === 'fetch failed',
      )
    await waitUntil(isRefused)
    request.finish()
    expect(await request.closed).toMatch(/^HTTP\/1\.1 4\d\d [^]*\r\n\r\n[^]*\}$/)
    await expectStopped(app)
    expect(await findDatabaseProcesses(data.folder)).toEqual([])
  },
)

test.runIf(isLongRun)('an endless request does not delay the stop beyond ten seconds', async () => {
  const app = startEverchart(data.folder)
  const url = await app.ready
  await sendHalfRequest(url)
  app.kill('SIGTERM')
  // The request is still in flight when the application ends: by cutting it, or at the promised ten seconds.
  await app.ended
  expect(await findDatabaseProcesses(data.folder)).toEqual([])
})

test.runIf(isLongRun)('a second signal stops the application and its database at once', async () => {
  const app = startEverchart(data.folder)
  await sendHalfRequest(await app.ready)
  app.kill('SIGTERM')
  await waitUntil(() => app.output().includes('stopping: finishing'))
  // A second signal within one second counts as the same one.
  await sleep(1_001)
  app.kill('SIGTERM')
  // Code 130 means an immediate end; a graceful stop would have waited for the request.
  expect((await app.ended).code).toBe(130)
  await expect.poll(() => findDatabaseProcesses(data.folder)).toEqual([])
})

itLong.each([400, 50, 1000, 1600])(
  'a signal %i ms into the first start stops it cleanly, and the next start succeeds',
  async (delay) => {
    const app = startEverchart(data.folder)
    await sleep(delay)
    app.kill('SIGTERM')
    await app.ended
    expect(await findDatabaseProcesses(data.folder)).toEqual([])
    const next = startEverchart(data.folder)
    await waitUntilHealthy(await next.ready)
    next.kill('SIGTERM')
    await expectStopped(next)
  },
)
