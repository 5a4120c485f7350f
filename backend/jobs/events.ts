import { z } from 'zod'
import { event } from '#eventstore/event.ts'

/** Operators' decisions about dead letters, in the stream `job-<id>`. */
export const JobEvent = z.discriminatedUnion('type', [
  /** The job will not run again. */
  event('JobDropped', {
    jobId: z.uuid(),
    job: z.string().min(1),
    /** The kind of error of the last attempt. */
    error: z.string().min(1),
    attempts: z.number().int().min(1),
    /** The operator's account on the machine. */
    by: z.string().min(1),
    /** The reason, for auditors. The help text asks to name no patient. */
    why: z.string().min(1),
  }),
])
export type JobEvent = z.infer<typeof JobEvent>
