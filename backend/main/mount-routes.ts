import type { App } from '#http/app.ts'
import { createIdempotencyStore } from '#http/idempotency-store.ts'
import { createWriteRunner } from '#http/run-write.ts'
import { createSessionMiddleware } from '#http/session.ts'
import { createRefusalRecorder } from '#modules/audit/refusal-recorder.ts'
import { createFindSession } from '#modules/accounts/queries.ts'
import type { Services } from '#modules/module.ts'
import type { Mailer } from '#mail/mailer.ts'
import type { DiskMonitor } from '#runtime/disk-space.ts'
import type { StopSteps } from './stop-steps.ts'

type Parts = {
  app: App
  services: Services
  mailer: Mailer
  disk: DiskMonitor
  secure: boolean
  sessionSecret: string
}

/** Serves the routes of all modules. */
export function mountRoutes({ app, services, mailer, disk, secure, sessionSecret }: Parts, stopSteps: StopSteps): void {
  const { pool, relaxedPool, clock, logger, keyedHash, quotas, timeouts, modules } = services
  const refusals = createRefusalRecorder(services)
  stopSteps.add(refusals.stop)
  const idempotencyStore = createIdempotencyStore({ pool: relaxedPool, keyedHash, clock })
  stopSteps.add(idempotencyStore.settle)
  app.mountRoutes({
    refusesWrites: disk.refusesWrites,
    requestMs: timeouts.requestMs,
    quotas,
    session: (koa) =>
      createSessionMiddleware(koa, {
        pool,
        find: createFindSession(pool, mailer),
        clock,
        secure,
        secret: sessionSecret,
        verifyStreams: app.verifyStreams,
      }),
    runWrite: createWriteRunner({ store: idempotencyStore, logger }),
    routers: modules.flatMap(({ routes }) => (routes ? [routes(services)] : [])),
    onRefusal: refusals.record,
  })
}
