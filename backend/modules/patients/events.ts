import { z } from 'zod'
import { ImportId, PatientId, PracticeId } from '#contracts/values/ids.ts'
import { eventAbout, phi } from '#eventstore/event.ts'

const patientId = PatientId
/** What these events say is sealed with the key of the patient they are about. */
const patientEvent = eventAbout('patientId')
const name = z.string().min(1)
const text = z.string().nullable()
/** YYYY-MM-DD. */
const date = z.iso.date().nullable()
const gender = z.enum(['female', 'male', 'other', 'unknown']).nullable()

const contact = { email: phi(text), phone: phi(text), address: phi(text) }
const demographics = { firstName: phi(name), lastName: phi(name), dateOfBirth: phi(date), gender: phi(gender) }

const emergencyContact = phi(z.strictObject({ name, relationship: text, phone: text }).nullable())
const insuranceInfo = phi(
  z.strictObject({ provider: name, policyNumber: text, groupNumber: text, memberName: text }).nullable(),
)
const medicalHistory = phi(text)
const allergies = phi(z.array(name))
const medications = phi(z.array(z.strictObject({ name, dosage: text, frequency: text })))
const notes = phi(text)
const deceasedOn = phi(date)

/** The fields of a record, as a registration records them. A field added later is optional: older events lack it. */
export const recordFields = {
  ...demographics,
  ...contact,
  emergencyContact,
  insuranceInfo,
  medicalHistory,
  allergies,
  medications,
  notes,
  deceasedOn,
}

/**
 * Everything that can have happened to the record of one patient. Phones are E.164, dates YYYY-MM-DD. Once a patient was
 * erased, every `phi(…)` field reads null, whatever its type says.
 */
export const PatientEvent = z.discriminatedUnion('type', [
  patientEvent('PatientRegistered', {
    patientId,
    practiceId: PracticeId,
    ...recordFields,
    /** The import that brought the patient, and the row of its file (the heading is row 1). */
    importId: ImportId.nullable(),
    importRow: z.number().int().positive().nullable(),
  }),
  /** Name, birth date or gender were wrong or have changed; only the fields concerned, as they were and as they are. */
  patientEvent('PatientDemographicsCorrected', {
    patientId,
    from: z.strictObject(demographics).partial(),
    to: z.strictObject(demographics).partial(),
  }),
  /** How the patient is reached; only the fields concerned, as they were and as they are. */
  patientEvent('PatientContactChanged', {
    patientId,
    from: z.strictObject(contact).partial(),
    to: z.strictObject(contact).partial(),
  }),
  patientEvent('PatientEmergencyContactChanged', { patientId, emergencyContact }),
  patientEvent('PatientInsuranceChanged', { patientId, insuranceInfo }),
  patientEvent('PatientMedicalHistoryChanged', { patientId, medicalHistory }),
  patientEvent('PatientAllergiesChanged', { patientId, allergies }),
  patientEvent('PatientMedicationsChanged', { patientId, medications }),
  patientEvent('PatientNotesChanged', { patientId, notes }),
  patientEvent('PatientDeathRecorded', { patientId, deceasedOn: phi(z.iso.date()) }),
  /** The date was wrong, or, with `to` null, the patient is alive. */
  patientEvent('PatientDeathCorrected', { patientId, from: phi(z.iso.date()), to: phi(date) }),
  /** Taken out of the practice's list. Carries the name, because the list of known name words is counted. */
  patientEvent('PatientRemoved', {
    patientId,
    reason: z.enum(['deleted', 'import-undone', 'erased', 'sample-removed']),
    firstName: phi(name),
    lastName: phi(name),
  }),
  /** Came with the sample practice, and belongs to the practice from now on. */
  patientEvent('SamplePatientKept', { patientId }),
])
export type PatientEvent = z.infer<typeof PatientEvent>

/** The fields of the record that have an event of their own, with the event that records a change. */
export const patientDetails = {
  emergencyContact: 'PatientEmergencyContactChanged',
  insuranceInfo: 'PatientInsuranceChanged',
  medicalHistory: 'PatientMedicalHistoryChanged',
  allergies: 'PatientAllergiesChanged',
  medications: 'PatientMedicationsChanged',
  notes: 'PatientNotesChanged',
} as const satisfies Readonly<Record<string, PatientEvent['type']>>

/** The types of these events: projections that do not show the whole record handle all of them alike. */
export const patientDetailEvents = Object.values(patientDetails)
