import type { Recorded } from '#eventstore/event.ts'
import type { AppointmentEvent } from '#modules/appointments/events.ts'
import type { CallLogEvent } from '#modules/call-logs/events.ts'
import type { ClinicalDocumentEvent } from '#modules/clinical-documentation/events.ts'
import type { FormEvent } from '#modules/forms/events.ts'
import type { InsuranceEvent } from '#modules/insurance/events.ts'
import type { PatientCommunicationEvent } from '#modules/patient-communications/events.ts'
import { patientDetailEvents, type PatientEvent } from '#modules/patients/events.ts'
import type { PriorAuthorizationEvent } from '#modules/prior-authorizations/events.ts'
import type { ReferralEvent } from '#modules/referrals/events.ts'
import type { MedicationAdministrationEvent } from '#modules/medication-administrations/events.ts'
import type { VitalSignsEvent } from '#modules/vital-signs/events.ts'
import type { WaitlistEvent } from '#modules/waitlist/events.ts'
import { defineProjection, mapEvents } from '#projections/projection.ts'

type SampleRow = {
  id: string
  practice_id: string
  kind: 'patient' | 'appointment'
  patient_id: string
  /** False for a patient whom the practice has kept; the row then stays until the patient is removed. */
  sample: boolean
  /** True once a user has edited it; edits by our own processes do not count. */
  edited: boolean
  /** Appointments, waitlist entries, forms and other records of the practice's own that refer to this patient. */
  own_references: number
  revision: number
}
type Row = SampleRow | null
type FormAssigned = Extract<FormEvent, { type: 'FormAssigned' }>
/** The first events of records, of which there are no samples. */
const recordCreations = [
  'InsuranceVerificationRequested',
  'PriorAuthorizationDrafted',
  'CallLogged',
  'ClinicalDocumentDrafted',
  'ReferralCreated',
  'PatientCommunicationNoted',
  'VitalSignsRecorded',
  'MedicationGiven',
] as const
type RecordCreated = Extract<
  | InsuranceEvent
  | PriorAuthorizationEvent
  | CallLogEvent
  | ClinicalDocumentEvent
  | ReferralEvent
  | PatientCommunicationEvent
  | VitalSignsEvent
  | MedicationAdministrationEvent,
  { type: (typeof recordCreations)[number] }
>
type Event = PatientEvent | AppointmentEvent | WaitlistEvent | FormAssigned | RecordCreated

function createRow({ data, metadata }: Recorded<PatientEvent | AppointmentEvent>, row: Partial<SampleRow>): Row {
  const { sample, practiceId } = metadata
  if (!sample || practiceId === null) return null
  const { patientId } = data
  const patient = { id: patientId, practice_id: practiceId, kind: 'patient' as const, patient_id: patientId }
  return { ...patient, sample, edited: false, own_references: 0, revision: 0, ...row }
}

const updateRow = (row: Row, { metadata, revision }: Recorded, changes: Partial<SampleRow> = {}): Row =>
  row && { ...row, ...changes, edited: row.edited || metadata.actor.kind === 'user', revision: Number(revision) }

const update = (row: Row, event: Recorded): Row => updateRow(row, event)

const addReferences = (row: Row, count: number): Row => row && { ...row, own_references: row.own_references + count }

/**
 * The sample patients and appointments, and how many of the practice's own records refer to each patient: a patient in use
 * may be kept when the sample data is removed.
 */
export const sampleRecords = defineProjection<Event, SampleRow>({
  name: 'sample_records',
  version: 7,
  isMetadataOnly: true,
  columns: {
    id: 'uuid',
    practice_id: 'uuid',
    kind: 'text',
    patient_id: 'uuid',
    sample: 'bool',
    edited: 'bool',
    own_references: 'int4',
    revision: 'int8',
  },
  key: 'id',
  indexes: ['(practice_id)'],
  rowOf(event) {
    switch (event.type) {
      case 'PatientAddedToWaitlist':
      case 'PatientRemovedFromWaitlist':
      case 'PatientReturnedToWaitlist':
      case 'FormAssigned':
      case 'InsuranceVerificationRequested':
      case 'PriorAuthorizationDrafted':
      case 'CallLogged':
      case 'ClinicalDocumentDrafted':
      case 'ReferralCreated':
      case 'PatientCommunicationNoted':
      case 'VitalSignsRecorded':
      case 'MedicationGiven':
        return event.data.patientId
      case 'AppointmentBooked':
        return event.metadata.sample ? event.data.appointmentId : event.data.patientId
      case 'SampleAppointmentKept':
        return [event.data.appointmentId, event.data.patientId]
      default:
        return 'appointmentId' in event.data ? event.data.appointmentId : event.data.patientId
    }
  },
  on: {
    PatientRegistered: (_, event) => createRow(event, {}),
    PatientDemographicsCorrected: update,
    PatientContactChanged: update,
    ...mapEvents(patientDetailEvents, update),
    PatientDeathRecorded: update,
    PatientDeathCorrected: update,
    PatientRemoved: () => null,
    SamplePatientKept: (row, event) => updateRow(row, event, { sample: false }),
    AppointmentBooked: (row, event) =>
      event.metadata.sample
        ? createRow(event, { id: event.data.appointmentId, kind: 'appointment' })
        : addReferences(row, 1),
    AppointmentRescheduled: update,
    AppointmentDetailsChanged: update,
    AppointmentStatusChanged: update,
    AppointmentCompleted: update,
    AppointmentCancelled: update,
    AppointmentRemovedFromDayList: update,
    AppointmentRemoved: () => null,
    SampleAppointmentKept: (row, { data }, key) => (key === data.patientId ? addReferences(row, 1) : null),
    PatientAddedToWaitlist: (row) => addReferences(row, 1),
    PatientRemovedFromWaitlist: (row) => addReferences(row, -1),
    PatientReturnedToWaitlist: (row) => addReferences(row, 1),
    WaitlistEntryChanged: 'ignore',
    FormAssigned: (row, { metadata }) => (metadata.sample ? row : addReferences(row, 1)),
    ...mapEvents(recordCreations, (row: Row) => addReferences(row, 1)),
  },
})
