import type { ClientBase } from 'pg'
import type { ConnectionOptions, Queue } from 'pg-boss'
import type { AnyJob } from './job.ts'

/** Where pg-boss puts a copy of every job that is out of tries. */
export const givenUpQueue = 'given-up'

const day = 86_400
const year = 365 * day

/** How often, how long and how far apart. */
export const optionsOf = {
  job: ({ retry = {}, expireSeconds = 300 }: AnyJob<never>): Omit<Queue, 'name'> => ({
    retryLimit: retry.limit ?? 12,
    retryDelay: 1,
    retryBackoff: true,
    retryDelayMax: retry.longestPauseSeconds ?? 300,
    expireInSeconds: expireSeconds,
    // What waits is never thrown away; what was done is known for a month, so that nothing is put down twice.
    retentionSeconds: 10 * year,
    deleteAfterSeconds: 30 * day,
    deadLetter: givenUpQueue,
    notify: true,
  }),
  /** Never given up themselves. */
  givenUp: {
    retryLimit: 1_000_000,
    retryDelay: 1,
    retryBackoff: true,
    retryDelayMax: 60,
    retentionSeconds: 10 * year,
    deleteAfterSeconds: 30 * day,
    heartbeatSeconds: 15,
    notify: true,
  } satisfies Omit<Queue, 'name'>,
}

/** Lets pg-boss write through a connection one has, in the transaction that is open there. */
export const requestedOn = (client: ClientBase): ConnectionOptions => ({
  db: { executeSql: async (text, values) => await client.query(text, values) },
})

/** What a failed job left behind: a kind of ours, or a sentence of pg-boss itself, as of one that took too long. */
export function errorOf(output: object | null): string {
  const { kind, message, value } = (output ?? {}) as {
    kind?: unknown
    message?: unknown
    value?: { message?: unknown }
  }
  const found = kind ?? value?.message ?? message ?? 'unknown'
  return typeof found === 'string' ? found : 'unknown'
}
