import { z } from 'zod'
import { FormId } from '#contracts/values/ids.ts'
import { phi } from '#eventstore/event.ts'
import { defineRecordEvents } from '#modules/records/events.ts'
import { patientId, practiceId } from '#tests/modules/patients/patient-fixtures.ts'

/** A record as a noun would declare it, with a field of every type that the ground knows. */
export const referralEvents = defineRecordEvents({
  names: { created: 'ReferralCreated', changed: 'ReferralChanged' },
  id: { field: 'referralId', schema: FormId },
  patient: 'required',
  statusField: 'referralStatus',
  fields: {
    specialtyType: phi(z.string()),
    urgency: z.enum(['routine', 'urgent']),
    formId: FormId.nullable(),
    neededBy: phi(z.iso.date().nullable()),
  },
  initialStatus: 'pending',
  transitions: {
    ReferralSent: { from: ['pending'], to: 'sent', data: { specialist: phi(z.string()) } },
    ReferralCancelled: { from: ['pending', 'sent'], to: 'cancelled', data: {} },
  },
})

export const referralId = FormId.parse('018f3b1e-7b1a-4c3e-9a53-0d6f1f1f00a1')
export const subject = { referralId, practiceId, patientId }
export const fields = { specialtyType: 'Cardiology', urgency: 'routine', formId: null, neededBy: '2026-12-01' } as const
