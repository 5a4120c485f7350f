import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { AppointmentId, PatientId } from './values/ids.ts'
import { AppointmentType } from './values/appointments.ts'

const patient = z.object({ firstName: z.string(), lastName: z.string() })

/**
 * A sample record that the practice has worked on (`edited`), or that something of its own needs (`in-use`): a patient for
 * whom it booked an appointment or who is on its waitlist. Day and time are on the practice's clocks.
 */
export const EditedSample = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('patient'), id: PatientId, patient, why: z.enum(['edited', 'in-use']) }),
  z.object({
    kind: z.literal('appointment'),
    id: AppointmentId,
    patient,
    why: z.literal('edited'),
    type: AppointmentType,
    localDate: z.string(),
    localTime: z.string(),
  }),
])
export type EditedSample = z.infer<typeof EditedSample>

/**
 * What there is of the sample practice. `being-seeded` and `being-removed` pass by themselves within seconds; `none` is a
 * practice that never had any, `removed` one that is rid of it.
 */
export const SampleData = z.object({
  state: z.enum(['none', 'being-seeded', 'there', 'being-removed', 'removed']),
  patients: z.number(),
  appointments: z.number(),
  edited: z.array(EditedSample),
})
export type SampleData = z.infer<typeof SampleData>

/** What becomes of the edited ones: kept as records of the practice's own, or removed with the rest. */
export const EditedChoice = z.enum(['keep', 'remove'], { error: 'Please choose whether to keep them' })
export type EditedChoice = z.infer<typeof EditedChoice>

export const getSampleData = endpoint({
  method: 'GET',
  path: '/api/sample-data',
  access: { permission: 'settings' },
  reply: SampleData,
})

/**
 * Takes the sample practice away; what the practice entered itself stays. 409 `sample-edited` with `edited` when there are
 * edited ones and nothing is said about them. Once more does nothing.
 */
export const removeSampleData = endpoint({
  method: 'DELETE',
  path: '/api/sample-data',
  access: { permission: 'settings' },
  query: z.strictObject({ edited: EditedChoice.optional() }),
  reply: SampleData,
})
