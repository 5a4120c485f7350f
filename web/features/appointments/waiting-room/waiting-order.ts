import type { Appointment } from '#contracts/appointments.ts'
import type { AppointmentStatus } from '#contracts/values/appointments.ts'

/** Whole minutes that have passed since an instant; a clock that is a little behind counts as none. */
export const getMinutesSince = (instant: string, now: Date): number =>
  Math.max(0, Math.floor((now.getTime() - Date.parse(instant)) / 60_000))

/** Who sits in the waiting room: emergencies first, then who has been there longest. */
export const sortWaiting = (appointments: readonly Appointment[]): Appointment[] =>
  appointments
    .filter(({ status }) => status === 'waiting')
    .toSorted(
      (a, b) =>
        Number(b.type === 'emergency') - Number(a.type === 'emergency') || a.statusSince.localeCompare(b.statusSince),
    )

/** Whether an appointment is still to come or under way. */
export const isOpen = (status: AppointmentStatus): boolean => !['completed', 'cancelled', 'no-show'].includes(status)
