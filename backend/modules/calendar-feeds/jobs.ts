import { z } from 'zod'
import { defineJob } from '#modules/module.ts'
import { endFeedsJob, endFeedsWithoutRight } from './end-feeds.ts'
import { findOpenFeeds } from './queries.ts'

/** Ends feeds soon after their creator lost the permission, so that they do not work again should it be granted again. */
export const endFeeds = defineJob({
  name: endFeedsJob,
  data: z.strictObject({}),
  schedule: '* * * * *',
  async run(services) {
    await endFeedsWithoutRight(services, await findOpenFeeds(services.db, services.clock()))
  },
})
