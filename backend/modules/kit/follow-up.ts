import { addSeconds } from 'date-fns/addSeconds'
import type { Recorded } from '#eventstore/event.ts'
import { type JobRequest, toCause } from '#process-managers/process-manager.ts'

/** Delay in seconds. By then the request that wrote the event has usually done the work, and the job does nothing. */
export const followUpDelaySeconds = 10

/** Retries of a job that completes what an event requires: for hours, because nothing else completes it. */
export const followUpRetry = { limit: 50, maxDelaySeconds: 300 } as const

/** The number of such jobs that a worker takes at once: most of them find their work done. */
export const followUpBatchSize = 20

/** Requests a job that completes what an event requires, in case the request that wrote the event was interrupted. */
export const followUp = (
  event: Recorded,
  job: string,
  data: object,
  delaySeconds = followUpDelaySeconds,
): JobRequest[] => [
  {
    job,
    data: { ...data, cause: toCause(event) },
    startAfter: addSeconds(event.metadata.at, delaySeconds).toISOString(),
  },
]

/** Returns no requests for unedited sample data: the samples module completes its own work (docs/decisions/0014). */
export const unlessSample = (event: Recorded, requests: JobRequest[]): JobRequest[] =>
  event.metadata.sample ? [] : requests
