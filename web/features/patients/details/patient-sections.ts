import type { ReactNode } from 'react'
import type { Patient } from '#contracts/patients.ts'

type Render = ((patient: Patient) => ReactNode) | null

/** The parts of other features that the details of a patient show; null for users who may not see them. */
export type PatientSections = Readonly<
  Record<'appointments' | 'forms' | 'verifications' | 'records' | 'vitalSigns', Render>
>
