import { z } from 'zod'
import { ImportId, PatientId, PracticeId } from '#contracts/values/ids.ts'
import { eventAbout, phi } from '#eventstore/event.ts'

const patientId = PatientId
/** Declares events whose `phi(…)` fields are encrypted with the data key of their patient. */
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
/** `listed` exactly when there are allergies. Events before its introduction lack it. */
const allergiesStatus = phi(z.enum(['unknown', 'none-known', 'listed']))
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
  allergiesStatus: allergiesStatus.optional(),
  medications,
  notes,
  deceasedOn,
}

/**
 * The events of a patient's record. Phones are E.164, dates YYYY-MM-DD. After erasure every `phi(…)` field reads null,
 * whatever its type says.
 */
export const PatientEvent = z.discriminatedUnion('type', [
  patientEvent('PatientRegistered', {
    patientId,
    practiceId: PracticeId,
    ...recordFields,
    /** The import that created the patient, and the row of its file (the heading is row 1). */
    importId: ImportId.nullable(),
    importRow: z.number().int().positive().nullable(),
  }),
  /** A change of name, birth date or gender, with the changed fields before and after. */
  patientEvent('PatientDemographicsCorrected', {
    patientId,
    from: z.strictObject(demographics).partial(),
    to: z.strictObject(demographics).partial(),
  }),
  /** A change of contact data, with the changed fields before and after. */
  patientEvent('PatientContactChanged', {
    patientId,
    from: z.strictObject(contact).partial(),
    to: z.strictObject(contact).partial(),
  }),
  patientEvent('PatientEmergencyContactChanged', { patientId, emergencyContact }),
  patientEvent('PatientInsuranceChanged', { patientId, insuranceInfo }),
  patientEvent('PatientMedicalHistoryChanged', { patientId, medicalHistory }),
  /** `knownMedications` are those of the chart at that moment, to which a check compares; earlier events lack them. */
  patientEvent('PatientAllergiesChanged', {
    patientId,
    allergies,
    allergiesStatus: allergiesStatus.optional(),
    knownMedications: medications.optional(),
  }),
  /** `knownAllergies` are those of the chart at that moment; earlier events lack them. */
  patientEvent('PatientMedicationsChanged', { patientId, medications, knownAllergies: allergies.optional() }),
  patientEvent('PatientNotesChanged', { patientId, notes }),
  patientEvent('PatientDeathRecorded', { patientId, deceasedOn: phi(z.iso.date()) }),
  /** A correction of the date of death; `to` is null when the patient is alive. */
  patientEvent('PatientDeathCorrected', { patientId, from: phi(z.iso.date()), to: phi(date) }),
  /** The patient was removed. Contains the name, because the projection of name words counts it down. */
  patientEvent('PatientRemoved', {
    patientId,
    reason: z.enum(['deleted', 'import-undone', 'erased', 'sample-removed']),
    firstName: phi(name),
    lastName: phi(name),
  }),
  /** The sample patient now belongs to the practice. */
  patientEvent('SamplePatientKept', { patientId }),
])
export type PatientEvent = z.infer<typeof PatientEvent>

/** The fields of the record whose changes have a separate event, with that event. */
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
