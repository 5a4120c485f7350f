import * as queries from './queries.ts'
import * as readers from './readers.ts'

/** Finds the appointments that confirmations of a practice ask about. */
export const findAskedAppointments = queries.findAskedAppointments

/** Counts the confirmations of a practice by status, of all time. */
export const countConfirmations = queries.countConfirmationsByStatus

/** Reads the questions about appointments of a practice, with their answers. */
export const askedConfirmations = readers.askedConfirmations

/** Reads the offers of freed slots of a practice. */
export const madeOffers = readers.madeOffers

/** Reads the questions about satisfaction of a practice, with their answers. */
export const askedSurveys = readers.askedSurveys
