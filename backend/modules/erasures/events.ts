import { z } from 'zod'
import { PatientId } from '#contracts/values/ids.ts'
import { event } from '#eventstore/event.ts'

const patientId = PatientId

/** The irrevocable erasure of a patient's data: who requested it and why, and its completion. */
export const ErasureEvent = z.discriminatedUnion('type', [
  event('ErasureRequested', {
    patientId,
    /** The operating-system account of the operator. */
    requestedBy: z.string().min(1),
    /** The reason for auditors, stored unencrypted, so the operator is asked not to name the patient. */
    reason: z.string().min(1),
  }),
  /** The patient's key and every copy of the data that it encrypted are destroyed. */
  event('ErasureCompleted', { patientId }),
])
export type ErasureEvent = z.infer<typeof ErasureEvent>
