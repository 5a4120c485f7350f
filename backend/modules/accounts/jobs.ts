import { subDays } from 'date-fns/subDays'
import { z } from 'zod'
import { deleteExpiredIdempotencyKeys } from '#http/idempotency-store.ts'
import { deleteExpiredUsage } from '#http/usage-store.ts'
import { defineJob } from '#modules/module.ts'
import { deleteExpiredAttempts } from './attempts.ts'

/** Deletes data that expires within a day: abandoned sessions, expired attempts and the usage of idle practices. */
export const purgeExpiredSessions = defineJob({
  name: 'forget-sessions-and-tries',
  data: z.strictObject({}),
  schedule: '23 3 * * *',
  async run({ sessions, pool, clock }) {
    await sessions.deleteIdle(subDays(clock(), 1))
    await deleteExpiredAttempts(pool, clock())
    await deleteExpiredUsage(pool, clock())
  },
})

/** Deletes the replies to requests with idempotency keys a day after the requests. */
export const purgeIdempotencyKeys = defineJob({
  name: 'forget-idempotency-keys',
  data: z.strictObject({}),
  schedule: '41 * * * *',
  run: ({ pool, clock }) => deleteExpiredIdempotencyKeys(pool, clock()),
})
