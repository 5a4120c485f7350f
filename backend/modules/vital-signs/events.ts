import { z } from 'zod'
import { AppointmentId, VitalSignsId } from '#contracts/values/ids.ts'
import { phi } from '#eventstore/event.ts'
import { defineRecordEvents } from '#modules/records/events.ts'

const measured = () => phi(z.number().nullable())

/** The history of one measurement of a patient's vital signs. The units are those of `contracts/values/vital-signs.ts`. */
export const vitalSignsEvents = defineRecordEvents({
  names: { created: 'VitalSignsRecorded', changed: 'VitalSignsCorrected' },
  id: { field: 'vitalSignsId', schema: VitalSignsId },
  patient: 'required',
  statusField: 'vitalSignsStatus',
  fields: {
    appointmentId: AppointmentId.nullable(),
    measuredAt: z.iso.datetime(),
    systolicPressure: measured(),
    diastolicPressure: measured(),
    heartRate: measured(),
    respiratoryRate: measured(),
    temperature: measured(),
    oxygenSaturation: measured(),
    weight: measured(),
    height: measured(),
    painScore: measured(),
    notes: phi(z.string().nullable()),
  },
  initialStatus: 'recorded',
  transitions: {
    /** They are of another patient, or were never measured. */
    VitalSignsRetracted: { from: ['recorded'], to: 'entered-in-error', data: {} },
    /** They were right after all. */
    VitalSignsReinstated: { from: ['entered-in-error'], to: 'recorded', data: {} },
  },
})

export const VitalSignsEvent = vitalSignsEvents.schema
export type VitalSignsEvent = z.infer<typeof VitalSignsEvent>
