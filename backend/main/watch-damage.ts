import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { checkPages } from '#database/damaged-pages.ts'
import { getErrorKind } from '#runtime/error-kind.ts'

/** A read that is repeated meets the same page again and again. */
const pauseMs = 60_000

/**
 * Returns a function to be called when a read has met a damaged page: it checks all pages, so that health names the damage at
 * once and not after the next night. Checks one at a time, and pauses for a minute between two: a check reads everything.
 */
export function watchDamage(pool: Pool, logger: Logger): () => void {
  let lastAt = -Infinity
  let isChecking = false

  async function check(): Promise<void> {
    try {
      logger.error({ damaged: await checkPages(pool) }, 'stored pages are damaged')
    } catch (error) {
      logger.error({ kind: getErrorKind(error) }, 'stored pages cannot be checked')
    }
    lastAt = performance.now()
    isChecking = false
  }

  return () => {
    if (isChecking || performance.now() - lastAt < pauseMs) return
    isChecking = true
    void check()
  }
}
