import type { Appointment } from '#contracts/appointments.ts'

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
