import { lazy, Suspense } from 'react'
import { PatientsScreen } from '#web/features/patients/list/patients-screen.tsx'

const PatientAppointments = lazy(async () => {
  const { PatientAppointments: component } = await import('#web/features/appointments/patient/patient-appointments.tsx')
  return { default: component }
})

/** The patients with their appointments: two features that do not know each other. */
export function PatientsPage() {
  return (
    <PatientsScreen
      renderAppointments={(patient) => (
        <Suspense>
          <PatientAppointments patient={patient} />
        </Suspense>
      )}
    />
  )
}
