import type { PickedPatient } from '#web/entities/patients/patient-picker.tsx'

/** Patient and details of an appointment that are known before the form opens. */
export type BookingPrefill = { patient: PickedPatient; type: string; duration: string; reason: string; notes: string }

/** Appointments of a series that are not booked, with local dates and times of the practice. */
export type UnbookedAppointments = {
  prefill: BookingPrefill
  providerId: string
  bookedCount: number
  unbookedTimes: readonly { date: string; time: string }[]
}
