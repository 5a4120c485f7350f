/** The days on which a practice works as long as it has not configured its own: Monday to Friday. Sunday is 0. */
const defaultWorkingDays: readonly number[] = [1, 2, 3, 4, 5]

/** Returns whether a practice works on a local date, YYYY-MM-DD. */
export const isWorkingDay = (date: string): boolean =>
  defaultWorkingDays.includes(new Date(`${date}T00:00:00.000Z`).getUTCDay())
