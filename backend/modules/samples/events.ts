import { z } from 'zod'
import { PracticeId } from '#contracts/values/ids.ts'
import { event } from '#eventstore/event.ts'

const practiceId = PracticeId

/** What happens to the sample practice of a demo user as a whole. Its patients and appointments have their own events, marked `sample`. */
export const SampleEvent = z.discriminatedUnion('type', [
  /** Everything else follows from this: dated around `at` (an ISO instant in UTC) on the clocks of `timezone` (IANA). */
  event('SamplePracticePlanned', {
    practiceId,
    at: z.iso.datetime(),
    timezone: z.string().min(1),
    seed: z.number().int(),
  }),
  event('SamplePracticeSeeded', {
    practiceId,
    patients: z.number().int().min(0),
    appointments: z.number().int().min(0),
  }),
  /** `edited`: what becomes of sample records that somebody has worked on or works with. */
  event('SampleRemovalAsked', { practiceId, edited: z.enum(['keep', 'remove']) }),
  /** Nothing is marked as a sample any more. */
  event('SamplePracticeRemoved', { practiceId }),
])
export type SampleEvent = z.infer<typeof SampleEvent>
