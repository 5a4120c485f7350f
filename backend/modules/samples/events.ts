import { z } from 'zod'
import { PracticeId } from '#contracts/values/ids.ts'
import { event } from '#eventstore/event.ts'

const practiceId = PracticeId

/** All records of the sample practice were written. */
export const SamplePracticeSeeded = event('SamplePracticeSeeded', {
  practiceId,
  patients: z.number().int().min(0),
  appointments: z.number().int().min(0),
})

/** No record of the practice is marked as a sample anymore. */
export const SamplePracticeRemoved = event('SamplePracticeRemoved', { practiceId })

/** The sample practice of a demo user as a whole. Its patients and appointments have their own events, marked `sample`. */
export const SampleEvent = z.discriminatedUnion('type', [
  /** All contents are derived from these parameters: dated around `at` (an ISO instant in UTC) in the time zone (IANA). */
  event('SamplePracticePlanned', {
    practiceId,
    at: z.iso.datetime(),
    timezone: z.string().min(1),
    seed: z.number().int(),
  }),
  SamplePracticeSeeded,
  /** `edited`: what happens to sample records that a user edited, or to which the practice's own records refer. */
  event('SampleRemovalRequested', { practiceId, edited: z.enum(['keep', 'remove']) }),
  SamplePracticeRemoved,
])
export type SampleEvent = z.infer<typeof SampleEvent>
