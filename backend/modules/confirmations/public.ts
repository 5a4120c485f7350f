import * as queries from './queries.ts'

/** Counts the confirmations of a practice by status, of all time. */
export const countConfirmations = queries.countConfirmationsByStatus
