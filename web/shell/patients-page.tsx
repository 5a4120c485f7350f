import type { QueryClient } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import type { CurrentUser } from '#contracts/accounts.ts'
import type { Patient } from '#contracts/patients.ts'
import { useHasPermission } from '#web/entities/accounts/current-user.ts'
import { practiceQuery } from '#web/entities/practices/practice-query.ts'
import { patientsQuery } from '#web/features/patients/api.ts'
import { PatientsScreen } from '#web/features/patients/list/patients-screen.tsx'

const PatientAppointments = lazy(async () => {
  const { PatientAppointments: component } = await import('#web/features/appointments/patient/patient-appointments.tsx')
  return { default: component }
})

/** Loads the first page of the patients. */
export const loadPatients = (queries: QueryClient, _: CurrentUser, practiceId: string): Promise<unknown> =>
  Promise.all([queries.prefetchQuery(practiceQuery(practiceId)), queries.prefetchQuery(patientsQuery({}))])

/** The patients with their appointments: two features that do not know each other. */
export function PatientsPage() {
  const canSchedule = useHasPermission('scheduling')
  const renderAppointments = (patient: Patient) => (
    <Suspense>
      <PatientAppointments patient={patient} />
    </Suspense>
  )
  return <PatientsScreen renderAppointments={canSchedule ? renderAppointments : null} />
}
