import { subDays } from 'date-fns/subDays'
import { z } from 'zod'
import { defineJob } from '#modules/module.ts'
import { deleteExpiredAttempts } from './attempts.ts'

/** Deletes data that expires within a day: abandoned sessions and expired attempts. */
export const purgeExpiredSessions = defineJob({
  name: 'forget-sessions-and-tries',
  data: z.strictObject({}),
  schedule: '23 3 * * *',
  async run({ sessions, pool, clock }) {
    await sessions.deleteIdle(subDays(clock(), 1))
    await deleteExpiredAttempts(pool, clock())
  },
})
