import { z } from 'zod'
import { event } from '#eventstore/event.ts'

/** What people have decided about jobs that were given up. In the stream `job-<id>`. */
export const JobEvent = z.discriminatedUnion('type', [
  /** The job will not be done. */
  event('JobDropped', {
    jobId: z.uuid(),
    job: z.string().min(1),
    /** The kind of error it ended with at last. */
    error: z.string().min(1),
    attempts: z.number().int().min(1),
    /** The account on the machine of whoever decided it. */
    by: z.string().min(1),
    /** For every auditor to read: whoever calls is told to name no patient. */
    why: z.string().min(1),
  }),
])
export type JobEvent = z.infer<typeof JobEvent>
