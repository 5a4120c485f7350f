import { subDays } from 'date-fns/subDays'
import { z } from 'zod'
import { job } from '#modules/module.ts'
import { forgetOldAttempts } from './attempts.ts'

/** What nobody needs any more after a day: abandoned sessions, and tries that count against nobody. */
export const forgetTraces = job({
  name: 'forget-sessions-and-tries',
  data: z.strictObject({}),
  schedule: '23 3 * * *',
  async run({ sessions, pool, clock }) {
    await sessions.forgetIdle(subDays(clock(), 1))
    await forgetOldAttempts(pool, clock())
  },
})
