import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { checkPages } from '#database/damaged-pages.ts'
import { getErrorKind } from '#runtime/error-kind.ts'

/** A read that is repeated meets the same page again and again. */
const pauseMs = 60_000

/**
 * Returns a function to be called when a read has met a damaged page: it checks all pages, so that health names the damage at
 * once and not after the next night. Checks one at a time, and at most once a minute.
 */
export function watchDamage(pool: Pool, logger: Logger): () => void {
  let lastAt = -Infinity
  return () => {
    if (performance.now() - lastAt < pauseMs) return
    lastAt = performance.now()
    checkPages(pool).then(
      (damaged) => logger.error({ damaged }, 'stored pages are damaged'),
      (error: unknown) => logger.error({ kind: getErrorKind(error) }, 'stored pages cannot be checked'),
    )
  }
}
