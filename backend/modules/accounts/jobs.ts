import { subDays } from 'date-fns/subDays'
import { z } from 'zod'
import { deleteExpiredIdempotencyKeys } from '#http/idempotency-store.ts'
import { deleteExpiredAttempts } from '#http/rate-limiter.ts'
import { deleteExpiredUsage } from '#http/usage-store.ts'
import { defineJob } from '#modules/module.ts'
import { deleteUndecidedChanges } from './passwords/password-changes.ts'
import { createPasskeyStore } from './passkeys/passkey-store.ts'
import { createFactorStore } from './two-factor/factor-store.ts'
import { forgetNetworks } from './sessions/known-networks.ts'

/**
 * Deletes data that has expired: abandoned sessions, attempts, the usage of idle practices, passwords of changes that
 * were never decided, and what devices were asked to sign.
 */
export const purgeExpiredSessions = defineJob({
  name: 'forget-sessions-and-tries',
  data: z.strictObject({}),
  schedule: '23 3 * * *',
  async run(services) {
    const { sessions, pool, clock } = services
    await sessions.deleteIdle(subDays(clock(), 1))
    await deleteExpiredAttempts(pool, clock())
    await forgetNetworks(pool, clock())
    await deleteExpiredUsage(pool, clock())
    await deleteUndecidedChanges(pool, clock())
    await createPasskeyStore(pool).deleteExpiredChallenges(clock())
    await createFactorStore(services).removeUnproven(subDays(clock(), 1))
  },
})

/** Deletes the replies to requests with idempotency keys a day after the requests. */
export const purgeIdempotencyKeys = defineJob({
  name: 'forget-idempotency-keys',
  data: z.strictObject({}),
  schedule: '41 * * * *',
  run: ({ pool, clock }) => deleteExpiredIdempotencyKeys(pool, clock()),
})
