import { lazy, Suspense } from 'react'
import type { Patient } from '#contracts/patients.ts'
import { useHasPermission } from '#web/entities/accounts/current-user.ts'
import { PatientsScreen } from '#web/features/patients/list/patients-screen.tsx'

const PatientAppointments = lazy(async () => {
  const { PatientAppointments: component } = await import('#web/features/appointments/patient/patient-appointments.tsx')
  return { default: component }
})

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
