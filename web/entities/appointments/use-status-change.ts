import type { AppointmentStatus } from '#contracts/values/appointments.ts'
import { errorMessage } from '#web/api/call.ts'
import { useNotify } from '#web/ui/toasts.tsx'
import { useUpdateAppointment } from './update-appointment.ts'

/** Returns the function that changes the status of an appointment and shows the result, and whether it is running. */
export function useStatusChange(): {
  setStatus: (appointmentId: string, patientName: string, status: AppointmentStatus) => void
  isPending: boolean
} {
  const notify = useNotify()
  const { mutate, isPending } = useUpdateAppointment()
  return {
    setStatus: (appointmentId, patientName, status) =>
      mutate(
        { appointmentId, body: { status } },
        {
          onSuccess: () => notify({ title: 'Appointment updated', body: patientName }),
          onError: (error) =>
            notify({ title: 'Failed to update appointment', body: errorMessage(error), intent: 'error' }),
        },
      ),
    isPending,
  }
}
