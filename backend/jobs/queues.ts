import type { ClientBase } from 'pg'
import type { ConnectionOptions, Queue } from 'pg-boss'
import type { AnyJob } from './job.ts'

/** Where pg-boss puts a copy of every job that is out of tries. */
export const deadLetterQueue = 'given-up'

const secondsPerDay = 86_400
const secondsPerYear = 365 * secondsPerDay

/** How often, how long and how far apart. */
export const queueOptions = {
  job: ({ retry = {}, expireSeconds = 300 }: AnyJob<never>): Omit<Queue, 'name'> => ({
    retryLimit: retry.limit ?? 12,
    retryDelay: 1,
    retryBackoff: true,
    retryDelayMax: retry.maxDelaySeconds ?? 300,
    expireInSeconds: expireSeconds,
    // What waits is never thrown away; what was done is known for a month, so that nothing is put down twice.
    retentionSeconds: 10 * secondsPerYear,
    deleteAfterSeconds: 30 * secondsPerDay,
    deadLetter: deadLetterQueue,
    notify: true,
  }),
  /** Never given up themselves. */
  deadLetter: {
    retryLimit: 1_000_000,
    retryDelay: 1,
    retryBackoff: true,
    retryDelayMax: 60,
    retentionSeconds: 10 * secondsPerYear,
    deleteAfterSeconds: 30 * secondsPerDay,
    heartbeatSeconds: 15,
    notify: true,
  } satisfies Omit<Queue, 'name'>,
}

/** Lets pg-boss write through a connection one has, in the transaction that is open there. */
export const useTransactionOf = (client: ClientBase): ConnectionOptions => ({
  db: { executeSql: async (text, values) => await client.query(text, values) },
})

/** What a failed job left behind: a kind of ours, or a sentence of pg-boss itself, as of one that took too long. */
export function readErrorKind(output: object | null): string {
  const { kind, message, value } = (output ?? {}) as {
    kind?: unknown
    message?: unknown
    value?: { message?: unknown }
  }
  const found = kind ?? value?.message ?? message ?? 'unknown'
  return typeof found === 'string' ? found : 'unknown'
}
