import * as queries from './queries.ts'

/** Finds the working hours of a practice, with its holidays and days off between two local dates (both included). */
export const findWorkCalendar = queries.findWorkCalendar
