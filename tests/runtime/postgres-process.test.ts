import { expect, it } from 'vitest'
import { extractReason } from '#runtime/postgres-process.ts'

it('names the reason of an end once, and not what PostgreSQL answered to clients', () => {
  const log = [
    '2026-11-22 10:00:00.000 UTC [11] LOG:  database system was interrupted',
    '2026-11-22 10:00:00.100 UTC [12] FATAL:  the database system is starting up',
    '2026-11-22 10:00:00.200 UTC [11] FATAL:  could not write to file "pg_wal/xlogtemp.11": No space left on device',
    '2026-11-22 10:00:00.300 UTC [13] FATAL:  the database system is not yet accepting connections',
    '2026-11-22 10:00:00.400 UTC [14] FATAL:  could not write to file "pg_wal/xlogtemp.11": No space left on device',
    '2026-11-22 10:00:00.500 UTC [15] FATAL:  the database system is in recovery mode',
  ]
  expect(extractReason(log.join('\n'))).toBe('could not write to file "pg_wal/xlogtemp.11": No space left on device')
  expect(extractReason(log[1] ?? '')).toBe('')
})
