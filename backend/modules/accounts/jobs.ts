import { subDays } from 'date-fns/subDays'
import { z } from 'zod'
import { defineJob } from '#modules/module.ts'
import { deleteExpiredAttempts } from './attempts.ts'

/** What nobody needs any more after a day: abandoned sessions, and tries that count against nobody. */
export const purgeExpiredSessions = defineJob({
  name: 'forget-sessions-and-tries',
  data: z.strictObject({}),
  schedule: '23 3 * * *',
  async run({ sessions, pool, clock }) {
    await sessions.deleteIdle(subDays(clock(), 1))
    await deleteExpiredAttempts(pool, clock())
  },
})
