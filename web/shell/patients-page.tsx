import type { QueryClient } from '@tanstack/react-query'
import { type ComponentType, lazy, Suspense } from 'react'
import type { CurrentUser } from '#contracts/accounts.ts'
import type { Patient } from '#contracts/patients.ts'
import { checkFeatureAccess, showsSampleData } from '#contracts/values/tiers.ts'
import { useCurrentUser } from '#web/entities/accounts/current-user.ts'
import { practiceQuery } from '#web/entities/practices/practice-query.ts'
import { patientsQuery } from '#web/features/patients/api.ts'
import type { PatientSections } from '#web/features/patients/details/patient-sections.ts'
import { PatientsScreen } from '#web/features/patients/list/patients-screen.tsx'

type SectionProps = { patient: Patient }

const PatientAppointments = lazy<ComponentType<SectionProps>>(async () => ({
  default: (await import('#web/features/appointments/patient/patient-appointments.tsx')).PatientAppointments,
}))
const PatientForms = lazy<ComponentType<SectionProps>>(async () => ({
  default: (await import('#web/features/forms/chart/patient-forms.tsx')).PatientForms,
}))
const PatientVerifications = lazy<ComponentType<SectionProps>>(async () => ({
  default: (await import('#web/features/insurance/chart/patient-verifications.tsx')).PatientVerifications,
}))
const PatientRecords = lazy<ComponentType<SectionProps>>(async () => ({
  default: (await import('#web/features/automation/chart/patient-records.tsx')).PatientRecords,
}))

const PatientVitalSigns = lazy<ComponentType<SectionProps>>(async () => ({
  default: (await import('#web/features/automation/vital-signs/patient-vital-signs.tsx')).PatientVitalSigns,
}))

/** Loads the first page of the patients. */
export const loadPatients = (queries: QueryClient, _: CurrentUser, practiceId: string): Promise<unknown> =>
  Promise.all([queries.prefetchQuery(practiceQuery(practiceId)), queries.prefetchQuery(patientsQuery({}))])

/** Returns what other features show about a patient to a user; null where the role or the plan does not include it. */
function toSections(user: CurrentUser | null | undefined): PatientSections {
  const render = (isShown: boolean | undefined, Content: ComponentType<SectionProps>) =>
    isShown
      ? (patient: Patient) => (
          <Suspense>
            <Content key={patient.id} patient={patient} />
          </Suspense>
        )
      : null
  const may = (permission: CurrentUser['permissions'][number]) => user?.permissions.includes(permission)
  const canVerify = user && checkFeatureAccess(user, 'insurance-verification') === 'open'
  const hasHub = user ? !showsSampleData(user) : false
  return {
    appointments: render(may('scheduling'), PatientAppointments),
    forms: render(may('patients:read'), PatientForms),
    verifications: render(Boolean(canVerify) && may('insurance'), PatientVerifications),
    // Demo users have the roadmap in place of the hub.
    records: render(hasHub, PatientRecords),
    vitalSigns: render(hasHub && may('clinical:read'), PatientVitalSigns),
  }
}

/** The patients, with what other features show about each: features do not know each other. */
export function PatientsPage() {
  return <PatientsScreen sections={toSections(useCurrentUser())} />
}
