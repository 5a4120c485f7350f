import { z } from 'zod'
import { AdministrationId, AppointmentId, ProviderId } from '#contracts/values/ids.ts'
import { AdministrationKind, AdministrationRoute } from '#contracts/values/medication-administrations.ts'
import { phi } from '#eventstore/event.ts'
import { defineRecordEvents } from '#modules/records/events.ts'

const optionalText = () => phi(z.string().nullable())

/** The history of a medication or a vaccine that was given to a patient. */
export const administrationEvents = defineRecordEvents({
  names: { created: 'MedicationGiven', changed: 'MedicationAdministrationCorrected' },
  id: { field: 'administrationId', schema: AdministrationId },
  patient: 'required',
  statusField: 'administrationStatus',
  fields: {
    kind: AdministrationKind,
    medication: phi(z.string()),
    dose: phi(z.string()),
    route: AdministrationRoute,
    site: optionalText(),
    manufacturer: optionalText(),
    lotNumber: optionalText(),
    expiresOn: phi(z.iso.date().nullable()),
    administeredAt: z.iso.datetime(),
    appointmentId: AppointmentId.nullable(),
    orderedBy: ProviderId.nullable(),
    despiteAllergy: z.boolean(),
    reaction: optionalText(),
    notes: optionalText(),
  },
  initialStatus: 'given',
  transitions: {
    /** An administration that was recorded for another patient, or that did not take place. */
    MedicationAdministrationRetracted: { from: ['given'], to: 'entered-in-error', data: {} },
    /** An administration that took place after all. */
    MedicationAdministrationReinstated: { from: ['entered-in-error'], to: 'given', data: {} },
  },
})

export const MedicationAdministrationEvent = administrationEvents.schema
export type MedicationAdministrationEvent = z.infer<typeof MedicationAdministrationEvent>
