import { EventEmitter, once } from 'node:events'
import { healthy } from '#tests/support/healthy.ts'
import type { IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import Router from '@koa/router'
import type Koa from 'koa'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { endpoint } from '#contracts/endpoint.ts'
import { createApp } from '#http/app.ts'
import { readWithTimeout } from '#http/body-timeout.ts'
import { createLargeRequestLimiter } from '#http/large-request-limiter.ts'
import { serve } from '#http/serve.ts'
import { createClient } from '#tests/support/client.ts'
import { runUntracked } from '#tests/support/run-untracked.ts'

const note = endpoint({
  method: 'POST',
  path: '/api/note',
  access: 'public',
  body: z.strictObject({ text: z.string() }),
  reply: z.object({ length: z.number() }),
})
const upload = endpoint({ ...note, path: '/api/upload', access: 'public', bodyLimit: 3_000_000 })

async function startServer(settings: { bodyTimeoutMs: number }) {
  const app = createApp({
    logger: pino({ level: 'silent' }),
    health: async () => healthy,
    webFolder: '/nowhere',
    trustedProxies: 0,
    ...settings,
  })
  const router = new Router()
  for (const each of [note, upload]) serve(router, each, async ({ body }) => ({ length: body.text.length }))
  app.mountRoutes({
    session: () => (_ctx, next) => next(),
    requestMs: 60_000,
    runWrite: runUntracked,
    routers: [router],
  })
  const server = app.koa.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, port: (server.address() as AddressInfo).port }
}

let impatient: Awaited<ReturnType<typeof startServer>>
/** With a time-out that no busy machine reaches: only what stops is refused. */
let usual: typeof impatient
beforeAll(async () => {
  impatient = await startServer({ bodyTimeoutMs: 200 })
  usual = await startServer({ bodyTimeoutMs: 100_000 })
})
afterAll(() => [impatient, usual].forEach(({ server }) => void server.close()))

/** Sends the head of a request; resolves `ended` with the reply when the server has closed the connection. */
function open(path: string, length: number) {
  const socket = connect(impatient.port, '127.0.0.1')
  let reply = ''
  socket.on('data', (chunk) => (reply += chunk.toString())).on('error', () => undefined)
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`,
  )
  return { socket, ended: once(socket, 'close').then(() => reply) }
}

it.each([
  { ...note, length: 3_000 },
  { ...upload, length: 2_000_000 },
])('a body that stops is refused with 408, and its connection is closed: $path', async ({ path, length }) => {
  const { socket, ended } = open(path, length)
  socket.write('{"text":"')
  const reply = await ended
  expect(reply).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
  expect(reply).toContain('Connection: close')
  expect(reply).toContain('"code":"body-too-slow"')
})

it('several that stop end each by its own time-out, not one after the other', async () => {
  const began = performance.now()
  const stopped = Array.from({ length: 5 }, () => open(upload.path, 2_000_000))
  for (const { socket } of stopped) socket.write('{"text":"')
  const ends = await Promise.all(
    stopped.map(async ({ ended }) => {
      expect(await ended).toContain('"code":"body-too-slow"')
      return performance.now() - began
    }),
  )
  // One after the other, the last would end five time-outs after the first.
  expect(Math.max(...ends) - Math.min(...ends)).toBeLessThan(4 * 200)
})

it('counts as stopped when it trickles, and may take any time while it keeps arriving', async () => {
  vi.useFakeTimers()
  try {
    const request = new EventEmitter()
    const ctx = { req: request, bodyTimeoutMs: 15_000 } as unknown as Koa.Context
    const read = Promise.withResolvers<string>()
    const arriving = readWithTimeout(ctx, () => read.promise)
    for (let second = 0; second < 60; second += 10) {
      request.emit('data', Buffer.alloc(2_000))
      await vi.advanceTimersByTimeAsync(10_000)
    }
    read.resolve('complete')
    expect(await arriving).toBe('complete')

    const trickling = readWithTimeout(ctx, () => new Promise(() => undefined)).catch((error: unknown) => error)
    for (let second = 0; second < 16; second++) {
      request.emit('data', Buffer.alloc(1))
      await vi.advanceTimersByTimeAsync(1_000)
    }
    expect(await trickling).toMatchObject({ status: 408, code: 'body-too-slow' })
  } finally {
    vi.useRealTimers()
  }
})

it('other requests are answered as usual', async () => {
  const client = createClient(`http://127.0.0.1:${usual.port}`)
  expect(await client.post(note.path, { text: 'ok' })).toMatchObject({ status: 200, body: { length: 2 } })
})

it('large bodies that would not fit into memory together are refused, and free their part of it', async () => {
  const limit = createLargeRequestLimiter(10)
  const start = (bytes: number) => {
    const request = new EventEmitter() as IncomingMessage
    const read = Promise.withResolvers<void>()
    const done = limit(
      `sender of ${bytes}`,
      request,
      () => read.promise,
      async () => bytes,
    )
    const arrive = () =>
      new Promise<void>((resolve) => setImmediate(() => (request.emit('data', Buffer.alloc(bytes)), resolve())))
    return { done, arrive, finish: read.resolve }
  }
  const [first, second] = [start(6), start(5)]
  await first.arrive()
  const refused = second.done.catch((error: unknown) => error)
  await second.arrive()
  expect(await refused).toMatchObject({ status: 503, code: 'busy' })
  first.finish()
  expect(await first.done).toBe(6)
  const third = start(9)
  await third.arrive()
  third.finish()
  expect(await third.done).toBe(9)
})
