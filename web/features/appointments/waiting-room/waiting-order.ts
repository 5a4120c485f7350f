import type { Appointment } from '#contracts/appointments.ts'
import type { AppointmentStatus } from '#contracts/values/appointments.ts'

/** Returns the whole minutes since an instant; 0 when the local clock is behind. */
export const getMinutesSince = (instant: string, now: Date): number =>
  Math.max(0, Math.floor((now.getTime() - Date.parse(instant)) / 60_000))

/** Returns the appointments of waiting patients: emergencies first, then by waiting time. */
export const sortWaiting = (appointments: readonly Appointment[]): Appointment[] =>
  appointments
    .filter(({ status }) => status === 'waiting')
    .toSorted(
      (a, b) =>
        Number(b.type === 'emergency') - Number(a.type === 'emergency') || a.statusSince.localeCompare(b.statusSince),
    )

/** Returns whether an appointment with this status is still to come or under way. */
export const isOpen = (status: AppointmentStatus): boolean => !['completed', 'cancelled', 'no-show'].includes(status)
