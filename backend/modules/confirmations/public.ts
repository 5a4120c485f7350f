import * as queries from './queries.ts'

/** Finds the appointments that confirmations of a practice ask about. */
export const findAskedAppointments = queries.findAskedAppointments

/** Counts the confirmations of a practice by status, of all time. */
export const countConfirmations = queries.countConfirmationsByStatus
