import { z } from 'zod'
import { canCheckIndexes, checkPages } from '#database/damaged-pages.ts'
import { defineJob } from '#modules/module.ts'

/** Reads all stored pages every night: a damaged one is otherwise found only when a request needs it. */
export const checkStoredPages = defineJob({
  name: 'check-stored-pages',
  data: z.strictObject({}),
  schedule: '41 2 * * *',
  expireSeconds: 4 * 3_600,
  concurrency: 1,
  async run({ pool, logger }, _data, { signal }) {
    for (const { table, index, pages } of await checkPages(pool, { signal }))
      logger.error({ table, index, pages: pages.slice(0, 100), count: pages.length }, 'stored pages are damaged')
    if (!(await canCheckIndexes(pool)))
      logger.warn('indexes are not checked: the extension amcheck is missing, see docs/operations/health-runbook.md')
  },
})
