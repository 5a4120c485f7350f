import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findDatabaseProcesses, startEverchart, createTemporaryDataDir } from '#tests/support/everchart-process.ts'

let data: Awaited<ReturnType<typeof createTemporaryDataDir>>
beforeEach(async () => (data = await createTemporaryDataDir()))
afterEach(() => data.remove())

/** A request of which the application has the head and half the body, so that it is under way. */
function halfRequest(url: string) {
  const { hostname, port } = new URL(url)
  const body = JSON.stringify({ email: 'nobody@practice.example', password: 'not the right one' })
  const socket = connect(Number(port), hostname)
  let answer = ''
  socket.on('data', (chunk) => (answer += chunk.toString()))
  const closed = new Promise<string>((resolve) => socket.on('close', () => resolve(answer)))
  socket.write(`POST /api/login HTTP/1.1\r\nHost: ${hostname}:${port}\r\nContent-Type: application/json\r\n`)
  socket.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body.slice(0, 20)}`)
  return { finish: () => void socket.write(body.slice(20)), closed }
}

test('it answers from the first moment, and says when it is ready', async () => {
  const port = 20_000 + Math.floor(Math.random() * 20_000)
  const app = startEverchart(data.folder, { PORT: String(port) })
  const seen = new Set<string>()
  while (!app.url()) {
    const answer = await fetch(`http://127.0.0.1:${port}/api/health`).catch(() => undefined)
    if (answer) seen.add(`${answer.status} ${((await answer.json()) as { status: string }).status}`)
    else await sleep(5)
  }
  expect([...seen]).toContain('503 starting')
  expect(app.output()).toContain(`http://localhost:${port}`)
  app.kill('SIGTERM')
  await app.ended
})

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s finishes the running request, then ends with nothing left',
  async (signal) => {
    const app = startEverchart(data.folder)
    const url = await app.ready
    const request = halfRequest(url)
    await sleep(300)
    const began = Date.now()
    app.kill(signal)
    await sleep(700)
    await expect(fetch(`${url}/api/health`), 'no new requests').rejects.toThrow('fetch failed')
    request.finish()
    expect(await request.closed).toMatch(/^HTTP\/1\.1 4\d\d [^]*\r\n\r\n[^]*\}$/)
    expect((await app.ended).code).toBe(0)
    expect(Date.now() - began).toBeLessThan(10_000)
    expect(await findDatabaseProcesses(data.folder)).toEqual([])
  },
)

test('a request that never ends does not keep it longer than ten seconds', async () => {
  const app = startEverchart(data.folder)
  const url = await app.ready
  halfRequest(url)
  await sleep(300)
  const began = Date.now()
  app.kill('SIGTERM')
  await app.ended
  expect(Date.now() - began).toBeLessThan(10_000)
  expect(await findDatabaseProcesses(data.folder)).toEqual([])
})

test('a second signal ends it at once, and its database with it', async () => {
  const app = startEverchart(data.folder)
  halfRequest(await app.ready)
  await sleep(300)
  app.kill('SIGTERM')
  await sleep(1200)
  const began = Date.now()
  app.kill('SIGTERM')
  expect((await app.ended).code).toBe(130)
  expect(Date.now() - began).toBeLessThan(2000)
  await expect.poll(() => findDatabaseProcesses(data.folder), { timeout: 5000 }).toEqual([])
})

test.each([50, 400, 1000, 1600])(
  'a signal %i ms into the first start ends it cleanly; the next one starts',
  async (delay) => {
    const app = startEverchart(data.folder)
    await sleep(delay)
    app.kill('SIGTERM')
    await app.ended
    expect(await findDatabaseProcesses(data.folder)).toEqual([])
    const next = startEverchart(data.folder)
    expect((await fetch(`${await next.ready}/api/health`)).status).toBe(200)
    next.kill('SIGTERM')
    expect((await next.ended).code).toBe(0)
  },
)
