import type { AppointmentStatus } from '#contracts/values/appointments.ts'

const closedStatuses: readonly AppointmentStatus[] = ['completed', 'cancelled', 'no-show']

/** Returns whether an appointment is over; otherwise it is upcoming or in progress. */
export const isClosed = (status: AppointmentStatus): boolean => closedStatuses.includes(status)
