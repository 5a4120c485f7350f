import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Router from '@koa/router'
import type Koa from 'koa'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { endpoint } from '#contracts/endpoint.ts'
import { productionTimeouts } from '#database/timeouts.ts'
import { createApp } from '#http/app.ts'
import type { IdempotencyStore } from '#http/idempotency-store.ts'
import { createWriteRunner } from '#http/run-write.ts'
import { serve } from '#http/serve.ts'
import { createSessionMiddleware, type FindSession } from '#http/session.ts'
import { healthy } from '#tests/support/healthy.ts'

const save = endpoint({
  method: 'POST',
  path: '/api/save',
  access: 'signed-in',
  body: z.strictObject({}),
  reply: z.object({ saved: z.literal(true) }),
})

const stages = ['session', 'key', 'handler', 'result'] as const
type Stage = (typeof stages)[number]

const secret = 'a secret of the test, at least 32 characters'
const caller = { userId: 'u', role: 'owner', practiceId: 'p', isOwner: true, sessionId: 's' }

/**
 * The HTTP layer with the time-outs of production, by a clock that only the test moves. Each stage of a write takes as long as
 * its delay; Infinity: it never ends.
 */
describe('a write is answered by its one deadline', () => {
  let server: Server
  let delays: Record<Stage, number>
  let reached: Stage[]
  /** Stages that are waiting for the clock. */
  let waiting: number
  /** The time of the clock when the server has written its answer. */
  let answeredAt: number | undefined
  let cookie = ''

  const take = async <Result>(stage: Stage, result: Result): Promise<Result> => {
    reached.push(stage)
    const delayMs = delays[stage]
    if (delayMs === 0) return result
    waiting++
    await new Promise((resolve) => (delayMs === Infinity ? undefined : setTimeout(resolve, delayMs)))
    waiting--
    return result
  }

  const keys: IdempotencyStore = {
    start: () => take('key', { status: 'started' as const, intentId: 'i', isFirstAttempt: true, isRepetition: false }),
    complete: () => take('result', undefined),
    end: () => take('result', undefined),
    deriveIntentId: () => 'i',
    settle: async () => undefined,
  }
  const find = (() => take('session', { caller, lastSeenAt: new Date() })) as unknown as FindSession

  beforeEach(async () => {
    delays = { session: 0, key: 0, handler: 0, result: 0 }
    reached = []
    waiting = 0
    answeredAt = undefined
    const logger = pino({ level: 'silent' })
    const app = createApp({ logger, health: async () => healthy, webFolder: '/nowhere', trustedProxies: 0 })
    const router = new Router()
    serve(router, save, () => take('handler', { saved: true as const }))
    const session = (koa: Koa) =>
      createSessionMiddleware(koa, {
        pool: null as never,
        find,
        clock: () => new Date(),
        secure: false,
        secret,
        verifyStreams: () => undefined,
      })
    const { requestMs } = productionTimeouts
    app.mountRoutes({ session, requestMs, runWrite: createWriteRunner({ store: keys, logger }), routers: [router] })
    cookie = signCookie(app.koa)
    server = app.koa.listen(0, '127.0.0.1')
    server.on('request', (_, response) => response.on('prefinish', () => (answeredAt = performance.now())))
    await once(server, 'listening')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  })
  afterEach(() => {
    vi.useRealTimers()
    server.closeAllConnections()
    server.close()
  })

  const signCookie = ({ keys: signer }: Koa) => {
    const value = 'everchart.sid=key'
    return `${value}; everchart.sid.sig=${(signer as { sign(text: string): string }).sign(value)}`
  }

  /** Sends a write and moves the clock until it is answered. Returns the answer, and the milliseconds that it took. */
  async function send(key = true) {
    const began = performance.now()
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${save.path}`
    const headers = { 'content-type': 'application/json', cookie, ...(key ? { 'idempotency-key': 'k' } : {}) }
    const answering = fetch(url, { method: 'POST', body: '{}', headers })
    while (answeredAt === undefined) {
      // Lets everything run that does not wait for the clock.
      for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
      if (waiting > 0) await vi.advanceTimersByTimeAsync(10)
    }
    const ms = answeredAt - began
    const response = await answering
    return { status: response.status, body: (await response.json()) as { code?: string; message?: string }, ms }
  }

  it('when nothing is stuck', async () => {
    expect(await send()).toMatchObject({ status: 200, body: { saved: true } })
    expect(reached).toEqual(stages)
  })

  it.each([
    ['session', 503, 'store-unavailable'],
    ['key', 503, 'too-slow'],
    ['handler', 503, 'too-slow'],
  ] as const)('when its %s never ends', async (stage, status, code) => {
    delays[stage] = Infinity
    const answer = await send()
    expect(answer).toMatchObject({ status, body: { code } })
    expect(answer.ms).toBeLessThan(5_000)
    expect(reached.filter((each) => each !== 'result').at(-1)).toBe(stage)
  })

  it('with its result, when that cannot be recorded', async () => {
    delays.result = Infinity
    const answer = await send()
    expect(answer).toMatchObject({ status: 200, body: { saved: true } })
    expect(answer.ms).toBeLessThan(5_000)
  })

  it('when each stage takes long and none takes too long', async () => {
    for (const stage of stages) delays[stage] = 2_000
    const answer = await send()
    expect(answer).toMatchObject({ status: 503, body: { code: 'too-slow' } })
    expect(answer.ms).toBeLessThan(5_000)
    expect(reached).toContain('handler')
  })

  it('also without an idempotency key', async () => {
    Object.assign(delays, { session: 2_000, handler: Infinity })
    const answer = await send(false)
    expect(answer).toMatchObject({ status: 503, body: { code: 'too-slow' } })
    expect(answer.ms).toBeLessThan(5_000)
  })
})

describe('the time-outs of production', () => {
  it('end an append before its request, so that its outcome is known', () => {
    const { eventStoreMs, requestMs } = productionTimeouts
    // An append that waits for a connection first.
    expect(1.5 * eventStoreMs).toBeLessThan(requestMs)
    expect(requestMs).toBeLessThanOrEqual(4_500)
  })
})
