import type { ClientBase } from 'pg'
import type { ConnectionOptions, Queue } from 'pg-boss'
import { statement } from '#database/prepared.ts'
import type { AnyJob } from './job.ts'

/** The queue to which pg-boss copies every job without attempts left. */
export const deadLetterQueue = 'dead-letter'

const secondsPerDay = 86_400
/** Waiting jobs are never deleted. */
const retentionSeconds = 10 * 365 * secondsPerDay
/**
 * Completed jobs are kept for a week, so that their ids are not enqueued again: a payment provider repeats a message for three days.
 * pg-boss counts all of them every few seconds.
 */
const deleteAfterSeconds = 7 * secondsPerDay

/** Retries, time-outs and retention of the queues. */
export const queueOptions = {
  job: ({ retry = {}, expireSeconds = 300, isGathered = false }: AnyJob<never>): Omit<Queue, 'name'> => ({
    retryLimit: retry.limit ?? 12,
    retryDelay: 1,
    retryBackoff: true,
    retryDelayMax: retry.maxDelaySeconds ?? 300,
    expireInSeconds: expireSeconds,
    retentionSeconds,
    deleteAfterSeconds,
    deadLetter: deadLetterQueue,
    notify: !isGathered,
  }),
  /** Options with practically unlimited retries: a dead letter must not be lost. */
  deadLetter: {
    retryLimit: 1_000_000,
    retryDelay: 1,
    retryBackoff: true,
    retryDelayMax: 60,
    retentionSeconds,
    deleteAfterSeconds,
    heartbeatSeconds: 15,
    notify: true,
  } satisfies Omit<Queue, 'name'>,
}

/** Makes pg-boss write on this connection, within its open transaction. */
export const useTransactionOf = (client: ClientBase): ConnectionOptions => ({
  // Named: parsing and planning an insert of pg-boss takes three times as long as the rest of it.
  db: { executeSql: async (text, values = []) => await client.query(statement(text, values)) },
})

/** Returns the error of a failed job: our error kind, or a message of pg-boss itself, such as for a time-out. */
export function readErrorKind(output: object | null): string {
  const { kind, message, value } = (output ?? {}) as {
    kind?: unknown
    message?: unknown
    value?: { message?: unknown }
  }
  const found = kind ?? value?.message ?? message ?? 'unknown'
  return typeof found === 'string' ? found : 'unknown'
}
