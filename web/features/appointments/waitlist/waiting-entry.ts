import type { WaitlistEntry } from '#contracts/waitlist.ts'

/**
 * Returns the waitlist entry that another appointment of a patient can fulfil, one of the same type if there is one; undefined without
 * any. An entry that asks for an earlier time of an existing appointment is fulfilled by moving that one.
 */
export function findWaitingEntry(
  entries: readonly WaitlistEntry[],
  patientId: string | undefined,
  type: string,
): WaitlistEntry | undefined {
  const own = entries.filter((entry) => entry.patientId === patientId && entry.appointmentId === null)
  return own.find((entry) => entry.type === type) ?? own[0]
}

/** Returns the waitlist entry that asks for an earlier time of an appointment; undefined without one. */
export const findEarlierWish = (entries: readonly WaitlistEntry[], appointmentId: string): WaitlistEntry | undefined =>
  entries.find((entry) => entry.appointmentId === appointmentId)
