import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { AppointmentId, PatientId } from './values/ids.ts'
import { AppointmentType } from './values/appointments.ts'
import { PersonName } from './values/person-name.ts'

/**
 * A sample record that a user edited (`edited`), or to which the practice's own records refer (`in-use`): a patient with an
 * appointment or a waitlist entry of the practice. Date and time are in the practice's time zone.
 */
export const EditedSample = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('patient'), id: PatientId, patient: PersonName, reason: z.enum(['edited', 'in-use']) }),
  z.object({
    kind: z.literal('appointment'),
    id: AppointmentId,
    patient: PersonName,
    reason: z.literal('edited'),
    type: AppointmentType,
    localDate: z.string(),
    localTime: z.string(),
  }),
])
export type EditedSample = z.infer<typeof EditedSample>

/**
 * The sample data of a practice. `seeding` and `removing` last a few seconds; `none` is a practice that never had any.
 */
export const SampleData = z.object({
  state: z.enum(['none', 'seeding', 'seeded', 'removing', 'removed']),
  patients: z.number(),
  appointments: z.number(),
  edited: z.array(EditedSample),
})
export type SampleData = z.infer<typeof SampleData>

/** Keeps edited sample records as the practice's own, or removes them with the rest. */
export const EditedChoice = z.enum(['keep', 'remove'], { error: 'Please choose whether to keep them' })
export type EditedChoice = z.infer<typeof EditedChoice>

export const getSampleData = endpoint({
  method: 'GET',
  path: '/api/sample-data',
  access: { permission: 'settings' },
  reply: SampleData,
})

/**
 * Removes the sample data; the practice's own records stay. 409 `sample-edited` with `edited` when there are edited records
 * and the query does not choose. Idempotent.
 */
export const removeSampleData = endpoint({
  method: 'DELETE',
  path: '/api/sample-data',
  access: { permission: 'settings' },
  query: z.object({ edited: EditedChoice.optional() }),
  reply: SampleData,
})
