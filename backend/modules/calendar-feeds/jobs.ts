import { z } from 'zod'
import { defineJob } from '#modules/module.ts'
import { endAllFeedsWithoutRight, endFeedsJob } from './end-feeds.ts'

/** Ends feeds soon after their creator lost the permission, so that they do not work again should it be granted again. */
export const endFeeds = defineJob({
  name: endFeedsJob,
  data: z.strictObject({}),
  schedule: '* * * * *',
  run: (services, _, { signal }) => endAllFeedsWithoutRight(services, signal),
})
