import { z } from 'zod'
import { ProviderId, ReferralId } from '#contracts/values/ids.ts'
import { ReferralUrgency } from '#contracts/values/referrals.ts'
import { phi } from '#eventstore/event.ts'
import { defineRecordEvents } from '#modules/records/events.ts'

const optionalText = () => phi(z.string().nullable())

/** The history of a request to a specialist. */
export const referralEvents = defineRecordEvents({
  names: { created: 'ReferralCreated', changed: 'ReferralChanged' },
  id: { field: 'referralId', schema: ReferralId },
  patient: 'required',
  statusField: 'referralStatus',
  fields: {
    referringProviderId: ProviderId.nullable(),
    specialtyType: phi(z.string()),
    reasonForReferral: phi(z.string()),
    urgencyLevel: ReferralUrgency,
    insuranceProvider: optionalText(),
    coveredSpecialists: phi(z.array(z.string())),
    selectedSpecialistInfo: optionalText(),
    appointmentDate: phi(z.iso.date().nullable()),
    followUpRequired: z.boolean(),
    notes: optionalText(),
  },
  initialStatus: 'pending',
  transitions: {
    ReferralSent: { from: ['pending'], to: 'sent', data: { selectedSpecialistInfo: phi(z.string()) } },
    ReferralScheduled: { from: ['pending', 'sent'], to: 'scheduled', data: { appointmentDate: phi(z.iso.date()) } },
    ReferralCompleted: { from: ['sent', 'scheduled'], to: 'completed', data: { reportReceivedOn: phi(z.iso.date()) } },
    ReferralCancelled: { from: ['pending', 'sent', 'scheduled'], to: 'cancelled', data: {} },
    ReferralReopened: { from: ['cancelled', 'completed'], to: 'pending', data: {} },
  },
})

export const ReferralEvent = referralEvents.schema
export type ReferralEvent = z.infer<typeof ReferralEvent>
