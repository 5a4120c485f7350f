import { gzipSync } from 'node:zlib'
import { healthy } from '#tests/support/healthy.ts'
import type { Server } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import Router from '@koa/router'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { endpoint } from '#contracts/endpoint.ts'
import { createApp } from '#http/app.ts'
import { serve } from '#http/serve.ts'
import { type ApiResponse, type Client, createClient } from '#tests/support/client.ts'
import { waitUntil } from '#tests/support/wait-until.ts'
import { runUntracked } from '#tests/support/run-untracked.ts'

const upload = endpoint({
  method: 'POST',
  path: '/api/upload',
  access: 'signed-in',
  body: z.strictObject({ csv: z.string() }),
  bodyLimit: 3 * 1024 * 1024,
  reply: z.object({ length: z.number() }),
})

const megabytes = (count: number) => JSON.stringify({ csv: 'x'.repeat(count * 1024 * 1024) })
const json = { 'content-type': 'application/json' }

describe('large requests sent at the same time', () => {
  let server: Server
  let client: Client
  const running: string[] = []
  let maxPerSender = 0
  let maxInTotal = 0
  let started = 0
  /** Requests whose head the server has read. */
  let arrived = 0
  let open = Promise.withResolvers<void>()

  beforeAll(async () => {
    const app = createApp({
      logger: pino({ level: 'silent' }),
      health: async () => healthy,
      webFolder: '/nowhere',
      trustedProxies: 0,
    })
    const router = new Router()
    serve(router, upload, async ({ body, caller: { userId } }) => {
      started++
      running.push(userId)
      maxPerSender = Math.max(maxPerSender, running.filter((each) => each === userId).length)
      maxInTotal = Math.max(maxInTotal, running.length)
      await open.promise
      await new Promise((resolve) => setTimeout(resolve, 20))
      running.splice(running.indexOf(userId), 1)
      return { length: body.csv.length }
    })
    app.mountRoutes({
      session: () => async (ctx, next) => {
        ctx.state.caller = { userId: ctx.get('X-Sender'), practiceId: null, role: 'staff', isOwner: false }
        // On a busy machine a body takes longer to read than the caller is trusted without a second look.
        ctx.state.findCallerAgain = async () => ctx.state.caller
        await next()
      },
      requestMs: 60_000,
      runWrite: runUntracked,
      routers: [router],
    })
    server = app.koa.listen(0, '127.0.0.1')
    server.on('request', () => arrived++)
    await new Promise((resolve) => server.once('listening', resolve))
    client = createClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  })
  afterAll(() => server.close())
  beforeEach(() => {
    maxPerSender = 0
    maxInTotal = 0
    started = 0
    arrived = 0
    open = Promise.withResolvers<void>()
  })

  /** Sends the head of a large request and a few bytes of its body. */
  function startUpload(sender: string) {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write(`POST ${upload.path} HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\n`)
    socket.write(`X-Sender: ${sender}\r\nContent-Length: 3000000\r\n\r\n{"csv":"`)
    return socket
  }

  const send = (sender: string, body: string | Buffer, headers = {}) =>
    client.sendRaw('POST', upload.path, body, { ...json, 'x-sender': sender, ...headers })

  it('are read one at a time per sender, and refused beyond the queue limit', async () => {
    const answers = Array.from({ length: 9 }, () => send('ada', megabytes(2)))
    const refused: ApiResponse[] = []
    for (const answer of answers) void answer.then((one) => refused.push(one))
    await waitUntil(() => refused.length === 4 && started === 1)
    expect(refused.map(({ status, problem }) => [status, problem.code])).toEqual(
      refused.map(() => [429, 'one-at-a-time']),
    )
    open.resolve()
    const statuses = (await Promise.all(answers)).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([200, 200, 200, 200, 200, 429, 429, 429, 429])
    expect(maxPerSender).toBe(1)
  })

  it('are processed two at a time over all senders', async () => {
    const senders = Array.from({ length: 8 }, (_, index) => `sender-${index}`)
    const sent = senders.map((sender) => send(sender, megabytes(2)))
    await waitUntil(() => running.length === 2)
    open.resolve()
    const answers = await Promise.all(sent)
    expect(answers.map(({ status }) => status)).toEqual(senders.map(() => 200))
    expect(maxInTotal).toBe(2)
  })

  it('are refused without unpacking when they are compressed', async () => {
    const compressed = gzipSync(megabytes(2))
    expect(await send('bob', compressed, { 'content-encoding': 'gzip' })).toMatchObject({
      status: 415,
      problem: { code: 'compressed' },
    })
  })

  it('take no place before their body is complete: those that arrive slowly delay no other sender', async () => {
    const slow = Array.from({ length: 40 }, (_, index) => startUpload(`slow-${index}`))
    await waitUntil(() => arrived === 40)
    open.resolve()
    expect((await send('prompt', megabytes(2))).status).toBe(200)
    for (const socket of slow) socket.destroy()
  })

  it('do not queue when they are small', async () => {
    const answers = Array.from({ length: 9 }, () => send('eve', '{"csv":"x"}'))
    await expect.poll(() => started).toBe(9)
    open.resolve()
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(answers.map(() => 200))
  })

  it('free their place in the queue when they are aborted', async () => {
    const cut = new AbortController()
    const first = send('zoe', megabytes(2))
    await expect.poll(() => started).toBe(1)
    const second = fetch(client.url + upload.path, {
      method: 'POST',
      headers: { ...json, 'x-sender': 'zoe' },
      body: megabytes(2),
      signal: cut.signal,
    })
    await waitUntil(() => arrived === 2)
    cut.abort()
    await expect(second).rejects.toThrow('aborted')
    const third = send('zoe', megabytes(2))
    open.resolve()
    expect([(await first).status, (await third).status]).toEqual([200, 200])
  })
})
