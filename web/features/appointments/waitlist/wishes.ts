import type { Appointment } from '#contracts/appointments.ts'
import type { AppointmentType } from '#contracts/values/appointments.ts'
import type { AppointmentId, ProviderId } from '#contracts/values/ids.ts'
import type { WaitlistEntry, WaitlistEntryChange } from '#contracts/waitlist.ts'

/** The inputs of a waitlist entry; empty texts where nothing was chosen. Dates are YYYY-MM-DD. */
export type WishValues = {
  type: string
  providerId: string
  /** The appointment that the patient wants earlier. */
  appointmentId: string
  earliest: string
  latest: string
  notes: string
}

/** An appointment that a patient may want earlier. */
export type OwnAppointment = Pick<Appointment, 'id' | 'type' | 'duration' | 'localDate' | 'localTime'>

type Durations = Readonly<Record<AppointmentType, { duration: number }>> | undefined

export const blankWishes: WishValues = {
  type: '',
  providerId: '',
  appointmentId: '',
  earliest: '',
  latest: '',
  notes: '',
}

/** Returns whether the patient of an appointment can wait for an earlier one. */
export const mayBecomeEarlier = (
  { status, appointmentDate, patientDeceased }: Pick<Appointment, 'status' | 'appointmentDate' | 'patientDeceased'>,
  now: Date,
): boolean =>
  (status === 'scheduled' || status === 'confirmed') && appointmentDate > now.toISOString() && !patientDeceased

/** Returns the inputs for an earlier time of an appointment, with the same provider. */
export const toEarlierWishes = ({ id, type, providerId }: Appointment): WishValues => ({
  ...blankWishes,
  type,
  providerId,
  appointmentId: id,
})

/** Returns the inputs of an entry. */
export const toWishValues = (entry: WaitlistEntry): WishValues => ({
  type: entry.type,
  providerId: entry.providerId ?? '',
  appointmentId: entry.appointmentId ?? '',
  earliest: entry.earliest ?? '',
  latest: entry.latest ?? '',
  notes: entry.notes ?? '',
})

/**
 * Returns the slot that the inputs ask for. It lasts as long as the appointment that is to be earlier, or as the practice plans for the
 * type; `duration` is missing while that is not known.
 */
export function toWishes(values: WishValues, own: readonly OwnAppointment[], durations: Durations) {
  const type = values.type as AppointmentType
  const duration = own.find(({ id }) => id === values.appointmentId)?.duration ?? durations?.[type].duration
  return {
    type,
    ...(duration === undefined ? {} : { duration }),
    providerId: (values.providerId || null) as ProviderId | null,
    appointmentId: (values.appointmentId || null) as AppointmentId | null,
    earliest: values.earliest || null,
    latest: values.latest || null,
    notes: values.notes.trim() || null,
  }
}

/** Returns what the inputs change of an entry. Its duration stays while its type and its appointment do. */
export function toWishChange(
  entry: WaitlistEntry,
  values: WishValues,
  own: readonly OwnAppointment[],
  durations: Durations,
): WaitlistEntryChange {
  const { duration, ...wishes } = toWishes(values, own, durations)
  const isOther = wishes.type !== entry.type || wishes.appointmentId !== entry.appointmentId
  const changed = Object.entries(wishes).filter(([field, value]) => entry[field as keyof typeof wishes] !== value)
  return { ...Object.fromEntries(changed), ...(isOther && duration !== undefined ? { duration } : {}) }
}
