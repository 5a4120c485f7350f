import type { Logger } from 'pino'
import type { DatabasePool } from 'slonik'
import { createUptimeLog } from '#database/uptime-log.ts'
import { createVendorLog } from '#database/vendor-log.ts'
import type { Timeouts } from '#database/timeouts.ts'
import { createCommandBus } from '#eventstore/command-bus.ts'
import { createId } from '#eventstore/create-id.ts'
import { createSessionStore } from '#http/session.ts'
import type { WriteQuotas } from '#http/write-quotas.ts'
import type { JobEngine } from '#jobs/engine.ts'
import { createMail } from '#mail/deliveries.ts'
import type { Mailer } from '#mail/mailer.ts'
import type { Module, Services } from '#modules/module.ts'
import type { ProjectionRunner } from '#projections/runner/runner.ts'
import { timeStep } from '#runtime/step-times.ts'
import { createSms } from '#sms/deliveries.ts'
import type { TextSender } from '#sms/sms.ts'
import type { Pools } from './open-pools.ts'
import type { Stores } from './open-stores.ts'
import { checkServices } from './service-checks.ts'

type Parts = {
  pools: Pools
  stores: Stores
  db: DatabasePool
  jobs: JobEngine<Services>
  projectionRunner: ProjectionRunner
  quotas: WriteQuotas
  mailer: Mailer
  sms: TextSender
  modules: readonly Module[]
  settings: Services['settings']
  keyedHash: Services['keyedHash']
  timeouts: Timeouts
  verifyStreams: Parameters<typeof createSessionStore>[0]['verifyStreams']
  clock: () => Date
  logger: Logger
}

/** Creates what modules get from the application. */
export function createServices({
  pools,
  stores,
  projectionRunner,
  mailer,
  sms,
  verifyStreams,
  ...parts
}: Parts): Services {
  const { pool, relaxedPool } = pools
  const { raw, store, keyStore, isUpToDate } = stores
  const { clock, logger, jobs, quotas } = parts
  const { waitUntilCaughtUp, getReadPosition } = projectionRunner
  const vendors = createVendorLog({ pool: relaxedPool, clock, logger })
  const mail = createMail({ pool, mailer, clock, onOutcome: (error) => void vendors.record('email', error) })
  const check = () => checkServices({ pool, store, mail, areJobsAlive: jobs.isAlive, isUpToDate })
  return {
    ...parts,
    bus: createCommandBus({
      store,
      clock,
      waitUntilCaughtUp: (types, position) => timeStep('catch-up', () => waitUntilCaughtUp(types, position)),
      onAppended: quotas.recordEvents,
    }),
    store,
    readStored: raw.read,
    keyStore,
    pool,
    relaxedPool,
    mail,
    sms: createSms({ pool, sender: sms, clock, onOutcome: (error) => void vendors.record('sms', error) }),
    vendors,
    uptime: createUptimeLog({
      pool: relaxedPool,
      clock,
      logger,
      isWorking: async () => {
        const { database, eventStore } = await check()
        return database && eventStore
      },
    }),
    checkServices: check,
    sessions: createSessionStore({ pool, clock, verifyStreams }),
    newId: createId,
    waitUntilCaughtUp,
    getReadPosition,
  }
}
