import { gzipSync } from 'node:zlib'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Router from '@koa/router'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { endpoint } from '#contracts/endpoint.ts'
import { createApp } from '#http/app.ts'
import { serve } from '#http/serve.ts'
import { type ApiResponse, type Client, createClient } from '#tests/support/client.ts'
import { waitUntil } from '#tests/support/until.ts'

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

describe('files that are sent at the same moment', () => {
  let server: Server
  let client: Client
  const inside: string[] = []
  let mostOfOne = 0
  let mostOfAll = 0
  let taken = 0
  /** Requests of which the server has the head. */
  let arrived = 0
  let open = Promise.withResolvers<void>()

  beforeAll(async () => {
    const services = { database: 'ok', eventStore: 'ok', jobs: 'ok' } as const
    const app = createApp({
      logger: pino({ level: 'silent' }),
      health: async () => ({ status: 'ok', version: '1', services, projections: [], deadLetters: 0 }),
      webFolder: '/nowhere',
      trustProxy: false,
    })
    const router = new Router()
    serve(router, upload, async ({ body, caller: { userId } }) => {
      taken++
      inside.push(userId)
      mostOfOne = Math.max(mostOfOne, inside.filter((each) => each === userId).length)
      mostOfAll = Math.max(mostOfAll, inside.length)
      await open.promise
      await new Promise((resolve) => setTimeout(resolve, 20))
      inside.splice(inside.indexOf(userId), 1)
      return { length: body.csv.length }
    })
    app.mountRoutes({
      session: () => async (ctx, next) => {
        ctx.state.caller = { userId: ctx.get('X-Sender'), practiceId: null, role: 'staff', isOwner: false }
        await next()
      },
      routers: [router],
    })
    server = app.koa.listen(0, '127.0.0.1')
    server.on('request', () => arrived++)
    await new Promise((resolve) => server.once('listening', resolve))
    client = createClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  })
  afterAll(() => server.close())
  beforeEach(() => {
    mostOfOne = 0
    mostOfAll = 0
    taken = 0
    arrived = 0
    open = Promise.withResolvers<void>()
  })

  const send = (sender: string, body: string | Buffer, headers = {}) =>
    client.sendRaw('POST', upload.path, body, { ...json, 'x-sender': sender, ...headers })

  it('come in one after the other of one sender, and are turned away when there is no end to them', async () => {
    const answers = Array.from({ length: 9 }, () => send('ada', megabytes(2)))
    const away: ApiResponse[] = []
    for (const answer of answers) void answer.then((one) => away.push(one))
    await waitUntil(() => away.length === 4 && taken === 1)
    expect(away.map(({ status, problem }) => [status, problem.code])).toEqual(away.map(() => [429, 'one-at-a-time']))
    open.resolve()
    const statuses = (await Promise.all(answers)).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([200, 200, 200, 200, 200, 429, 429, 429, 429])
    expect(mostOfOne).toBe(1)
  })

  it('are worked on two at a time, whoever sends them', async () => {
    const senders = Array.from({ length: 8 }, (_, index) => `sender-${index}`)
    const sent = senders.map((sender) => send(sender, megabytes(2)))
    await waitUntil(() => inside.length === 2)
    open.resolve()
    const answers = await Promise.all(sent)
    expect(answers.map(({ status }) => status)).toEqual(senders.map(() => 200))
    expect(mostOfAll).toBe(2)
  })

  it('count as large when they are packed', async () => {
    open.resolve()
    const packed = gzipSync(megabytes(2))
    const answers = await Promise.all(
      Array.from({ length: 3 }, () => send('bob', packed, { 'content-encoding': 'gzip' })),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(mostOfOne).toBe(1)
  })

  it('do not wait when they are small', async () => {
    const answers = Array.from({ length: 9 }, () => send('eve', '{"csv":"x"}'))
    await expect.poll(() => taken).toBe(9)
    open.resolve()
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(answers.map(() => 200))
  })

  it('leave their place to the next when one is cut off', async () => {
    const cut = new AbortController()
    const first = send('zoe', megabytes(2))
    await expect.poll(() => taken).toBe(1)
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
