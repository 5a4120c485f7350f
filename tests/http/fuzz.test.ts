import { randomUUID } from 'node:crypto'
import Router from '@koa/router'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { endpoint, type Endpoint } from '#contracts/endpoint.ts'
import { ProviderId } from '#contracts/values/ids.ts'
import { loadContracts } from '#http/api-docs/contracts.ts'
import { serve } from '#http/serve.ts'
import { modules } from '#main/modules.ts'
import type { Module } from '#modules/module.ts'
import { providerDecider } from '#modules/providers/decider.ts'
import { cases, itLong } from '#tests/support/long.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { type FuzzReport, runFuzz } from '#tests/stress/fuzz/run-fuzz.ts'

const failing = endpoint({ method: 'GET', path: '/api/planted/failing', access: 'public', reply: z.null() })
const leaking = endpoint({ method: 'GET', path: '/api/planted/leaking', access: 'member', reply: z.array(z.string()) })
const forgetting = endpoint({ method: 'POST', path: '/api/planted/forgetting', access: 'member', reply: z.any() })
const repeating = endpoint({
  method: 'POST',
  path: '/api/planted/repeating',
  access: 'member',
  isSecret: true,
  reply: z.any(),
})
const trespassing = endpoint({
  method: 'POST',
  path: '/api/planted/providers/:providerId',
  access: 'member',
  params: z.object({ providerId: ProviderId }),
  reply: z.null(),
})

/** A module with defects that the fuzzer must report. */
const planted: Module = {
  name: 'planted',
  events: [],
  routes({ pool, bus }) {
    const router = new Router()
    serve(router, failing, () => Promise.reject(new Error('planted')))
    serve(router, leaking, async () => {
      const { rows } = await pool.query<{ name: string }>('select name from read.practices')
      return rows.map(({ name }) => name)
    })
    router.post(forgetting.path, (ctx) => {
      ctx.body = { id: randomUUID() }
    })
    serve(router, repeating, async ({ caller: { practiceId } }, { commandContext }) => {
      const providerId = ProviderId.parse(randomUUID())
      const details = { name: 'Planted', title: null, colour: 'teal' } as const
      const command = { type: 'Add', providerId, practiceId, userId: null, details, timezone: 'UTC' } as const
      await bus.execute(providerDecider, providerId, command, commandContext)
      return { providerId }
    })
    serve(router, trespassing, async ({ params: { providerId } }, { commandContext }) => {
      const { state } = await bus.load(providerDecider, providerId)
      if (!state.exists) return null
      const change = { title: 'Dr.' }
      const checks = { upcomingAppointmentCount: 0, hasOtherActiveProviders: true }
      const command = { type: 'Change', practiceId: state.practiceId, change, ...checks } as const
      await bus.execute(providerDecider, providerId, command, commandContext)
      return null
    })
    return router
  },
}

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ modules: [...modules, planted] })
})
afterAll(() => app.dispose())

const fuzz = (endpoints: readonly Endpoint[], requests: number) =>
  runFuzz({ url: app.url, pool: app.services.pool, endpoints, requests, seed: 14 })

it(
  'gets no failure from random requests, and sees nothing of another practice (a short `npm run stress -- --fuzz`)',
  { timeout: 600_000 },
  async () => {
    const { endpoints } = await loadContracts()
    const requests = cases(150, 10_000)
    const report = await fuzz(
      endpoints.map(({ value }) => value),
      requests,
    )
    expect(report.problems).toEqual([])
    expect(report.requests).toBe(requests)
    // Requests of every depth: accepted, and refused for lack of a session, by role, by id and by shape.
    expect([...report.counts.keys()]).toEqual(expect.arrayContaining(['200', '201', '401', '403', '404', '422']))
  },
)

describe('reports an endpoint that', () => {
  let report: FuzzReport
  beforeAll(async () => {
    report = await fuzz([failing, leaking, forgetting, trespassing], 240)
  })

  it.each([
    ['fails', /^500 .*\/api\/planted\/failing/s],
    ['shows another practice', /^a foreign row: .*\/api\/planted\/leaking/],
    ['carries out a repetition again', /^repeated with another result: .*\/api\/planted\/forgetting/],
    ['carries out a double click twice', /^done twice at once: .*\/api\/planted\/forgetting/],
    [
      'accepts a used key with another request',
      /^a key was accepted with another request: .*\/api\/planted\/forgetting/,
    ],
    ['accepts the id of another practice', /^204 for a foreign record: .*\/api\/planted\/providers/],
    ['writes into a stream of another practice', /^foreign events: provider-/],
  ])('%s', (_defect, problem) => {
    expect(report.problems.filter((found) => problem.test(found))).not.toEqual([])
  })

  itLong('writes again, when its replies are not kept', async () => {
    const { problems } = await fuzz([repeating], 120)
    expect(problems).toEqual(expect.arrayContaining([expect.stringMatching(/^repeated with another result/)]))
    expect(problems).toEqual(expect.arrayContaining([expect.stringMatching(/^done twice at once/)]))
  })

  it('accepts nothing', () => {
    expect(report.neverAccepted).toEqual(['GET /api/planted/failing'])
  })
})
