import { Router } from '@koa/router'
import { listIntegrations, testIntegration } from '#contracts/integrations.ts'
import { getSystemStatus } from '#contracts/system-status.ts'
import { ProblemError } from '#http/problems.ts'
import { createRateLimiter, hourly, type Limit } from '#http/rate-limiter.ts'
import { serve } from '#http/serve.ts'
import type { Services } from '#modules/module.ts'
import { testDecider } from './decider.ts'
import { canTest, listStates, testVendor } from './integration-state.ts'
import { findSystemStatus } from './system-status.ts'

/** Tests of one practice. */
const testsPerPractice: Limit = {
  purpose: 'integration test',
  maxAttempts: 10,
  ...hourly,
  code: 'too-many-attempts',
  message: 'Too many tests.',
}

/** The endpoints for the state of the services outside of Everchart, and their tests. */
export function integrationRoutes(services: Services): Router {
  const { bus, relaxedPool, clock, keyedHash, newId } = services
  const router = new Router()
  const createUnavailable = () =>
    new ProblemError(503, 'unavailable', 'The test is not possible right now. Please try again soon.')
  const rateLimiter = createRateLimiter({ pool: relaxedPool, clock, keyedHash, createUnavailable })

  serve(router, listIntegrations, async () => ({ items: await listStates(services) }))

  serve(router, getSystemStatus, () => findSystemStatus(services))

  serve(router, testIntegration, async ({ caller: { practiceId, userId }, body: { name } }, { commandContext }) => {
    if (!canTest(services, name))
      throw new ProblemError(409, 'not-configured', 'This service is not set up in this installation.')
    const testId = newId('integration test')
    const { state: earlier } = await bus.load(testDecider, testId)
    if (earlier) return toReply(earlier)
    await rateLimiter.consume([{ limit: testsPerPractice, value: practiceId }])
    const start = performance.now()
    const error = await testVendor(services, name)
    const durationMs = Math.round(performance.now() - start)
    const test = { practiceId, userId, name, error, durationMs }
    const { state } = await bus.execute(testDecider, testId, { type: 'Record', test }, commandContext)
    return toReply(state ?? test)
  })

  return router
}

const toReply = ({ error, durationMs }: { error: string | null; durationMs: number }) => ({
  isWorking: error === null,
  error,
  durationMs,
})
