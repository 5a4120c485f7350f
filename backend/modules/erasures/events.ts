import { z } from 'zod'
import { PatientId } from '#contracts/values/ids.ts'
import { event } from '#eventstore/event.ts'

const patientId = PatientId

/** That what was known of a patient is made unreadable for ever: who decided it and why, and that it was done. */
export const ErasureEvent = z.discriminatedUnion('type', [
  event('ErasureDecided', {
    patientId,
    /** The account on the machine of whoever decided it. */
    by: z.string().min(1),
    /** For every auditor to read: whoever calls is told to name no patient. */
    why: z.string().min(1),
  }),
  /** The patient's key is gone, and every copy that was made of what it had sealed. */
  event('ErasureCarriedOut', { patientId }),
])
export type ErasureEvent = z.infer<typeof ErasureEvent>
