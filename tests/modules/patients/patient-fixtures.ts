import { emptyPatientFields, type PatientFields } from '#contracts/patients.ts'
import { ImportId, PatientId, PracticeId, UserId } from '#contracts/values/ids.ts'
import type { PatientEvent } from '#modules/patients/events.ts'

type Of<Type> = Extract<PatientEvent, { type: Type }>

export const patientId = PatientId.parse('018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0001')
export const practiceId = PracticeId.parse('018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0002')
export const otherPracticeId = PracticeId.parse('018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0003')
export const importId = ImportId.parse('018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0004')
export const userId = UserId.parse('018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0005')
export const today = '2026-11-20'

/** Grace Hopper, with every field filled in but the date of death. */
export const grace: PatientFields = {
  ...emptyPatientFields,
  firstName: 'Grace',
  lastName: 'Hopper',
  dateOfBirth: '1996-02-24',
  gender: 'female',
  email: 'grace.hopper@navy.example',
  phone: '+16175550123',
  address: '1 Harbor Street, Boston',
  emergencyContact: { name: 'Mary Murray', relationship: 'Mother', phone: '(617) 555-0188' },
  insuranceInfo: { provider: 'Aetna', policyNumber: 'A-1', groupNumber: null, memberName: 'Grace Hopper' },
  medicalHistory: 'Asthma',
  allergies: ['Penicillin'],
  allergiesStatus: 'listed',
  medications: [{ name: 'Albuterol', dosage: '90 mcg', frequency: 'as needed' }],
  notes: 'Prefers mornings',
}

export const registered = (over: Partial<Of<'PatientRegistered'>['data']> = {}): Of<'PatientRegistered'> => ({
  type: 'PatientRegistered',
  data: { patientId, practiceId, ...grace, importId: null, importRow: null, ...over },
})

export const removed = (over: Partial<Of<'PatientRemoved'>['data']> = {}): Of<'PatientRemoved'> => ({
  type: 'PatientRemoved',
  data: { patientId, reason: 'deleted', firstName: 'Grace', lastName: 'Hopper', ...over },
})
