import type { Appointment } from '#contracts/appointments.ts'
import type { WaitlistEntry } from '#contracts/waitlist.ts'
import { defaultDuration } from '#contracts/values/appointments.ts'
import type { SchedulingContext } from '../scheduling-context.ts'
import type { BookingPrefill } from './booking-prefill.ts'

/** A booking with what is known of it. */
type NextBooking = { date: string; time: undefined; providerId: string; prefill: BookingPrefill }

/** Returns whether the patient of an appointment may need another one: it took place, or did not. */
export const isBookedAgain = ({ status }: Pick<Appointment, 'status'>): boolean =>
  status === 'completed' || status === 'cancelled' || status === 'no-show'

/**
 * Returns the booking that follows an appointment, from today on with the same provider. After one that did not take place, it is for
 * the same; after one that did, its type is still to be chosen.
 */
export function bookAgain(
  { patientId, patient, providerId, status, type, duration, reason }: Appointment,
  { today, activeProviders }: Pick<SchedulingContext, 'today' | 'activeProviders'>,
): NextBooking {
  const isSame = status !== 'completed'
  const provider = activeProviders.find(({ id }) => id === providerId) ?? activeProviders[0]
  return {
    date: today,
    time: undefined,
    providerId: provider?.id ?? '',
    prefill: {
      patient: { ...patient, id: patientId, dateOfBirth: null },
      type: isSame ? type : '',
      duration: String(isSame ? duration : defaultDuration),
      reason: (isSame && reason) || '',
      notes: '',
    },
  }
}

/** Returns the booking for a waitlist entry: on the first day that suits, with the provider whom the patient wants, if any. */
export function bookEntry(
  { patientId, patient, providerId, type, duration, earliest }: WaitlistEntry,
  { today, activeProviders }: Pick<SchedulingContext, 'today' | 'activeProviders'>,
): NextBooking {
  const provider = activeProviders.find(({ id }) => id === providerId) ?? activeProviders[0]
  return {
    date: earliest !== null && earliest > today ? earliest : today,
    time: undefined,
    providerId: provider?.id ?? '',
    prefill: {
      patient: { ...patient, id: patientId, dateOfBirth: null },
      type,
      duration: String(duration),
      reason: '',
      notes: '',
    },
  }
}
