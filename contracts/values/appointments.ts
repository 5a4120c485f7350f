import { z } from 'zod'

/** The type of an appointment (spec page 2, section 4.2). */
export const AppointmentType = z.enum(['consultation', 'follow-up', 'check-up', 'emergency', 'procedure'], {
  error: 'Please choose a type',
})
export type AppointmentType = z.infer<typeof AppointmentType>

/** The status of an appointment. `cancelled` is final: a new appointment is booked instead. */
export const AppointmentStatus = z.enum(
  ['scheduled', 'confirmed', 'waiting', 'in-progress', 'completed', 'cancelled', 'no-show'],
  { error: 'Please choose a status' },
)
export type AppointmentStatus = z.infer<typeof AppointmentStatus>

/** The statuses that the screens offer for a new appointment. One that never took place is only entered by other clients. */
export const FirstStatus = AppointmentStatus.exclude(['cancelled', 'no-show'])

/** A concern to confirm before an appointment is booked or moved: the patient or the date may be wrong. */
export const BookingConcern = z.enum([
  'patient-deceased',
  'in-the-past',
  'not-a-working-day',
  'holiday',
  'provider-day-off',
  'outside-working-hours',
  'in-a-break',
])
export type BookingConcern = z.infer<typeof BookingConcern>

/**
 * The concerns that a user has confirmed. Sent, even as an empty list, it asks for a refusal because of any other concern;
 * without it no concern refuses the request, because the calls of the specification know no questions.
 */
export const ConfirmedConcerns = z.array(BookingConcern).max(10).optional()

/** The start times that the practice offers, in its time zone (spec page 2, section 2.3). Other times remain possible. */
export const daySlots = [
  '09:00',
  '09:30',
  '10:00',
  '10:30',
  '11:00',
  '11:30',
  '14:00',
  '14:30',
  '15:00',
  '15:30',
  '16:00',
  '16:30',
  '17:00',
] as const

/** Durations in minutes. An appointment lasts at most eight hours, so it never touches more than two days. */
export const defaultDuration = 30
export const maxDuration = 480
export const Duration = z
  .number({ error: 'Please choose a duration' })
  .int('Whole minutes only')
  .min(5, 'At least 5 minutes')
  .max(maxDuration, 'At most 8 hours')

/** The maximum range of one list, in days. */
export const maxRangeDays = 62

/** Returns whether a date or time is in a year that lists can show: 2000 to 2099. */
export const isInSupportedYears = (time: string): boolean => time >= '2000' && time < '2100'

export const unsupportedYearMessage = 'Please enter a year from 2000 to 2099'

/** An ISO instant with Z or an offset. */
export const Instant = z.iso
  .datetime({ offset: true, error: 'Please enter a date and time' })
  .refine(isInSupportedYears, unsupportedYearMessage)
  .transform((time) => new Date(time).toISOString())

/**
 * The start of an appointment: an instant with Z or an offset or, without either, a local time of the practice
 * (`2026-03-08T09:30`). Seconds are dropped. The server refuses a time that a clock change skips, with the next valid one.
 */
export const AppointmentTime = z.iso
  .datetime({ offset: true, local: true, error: 'Please enter a date and time' })
  .refine(isInSupportedYears, unsupportedYearMessage)

/** A local date of the practice, YYYY-MM-DD. */
export const CalendarDay = z.iso
  .date({ error: 'Please enter a valid date' })
  .refine(isInSupportedYears, unsupportedYearMessage)

const dayMs = 24 * 3_600_000

/** At most 62 local dates of the practice, the first and the last of them. */
export const CalendarDays = z
  .object({ from: CalendarDay, until: CalendarDay })
  .refine(({ from, until }) => from <= until, { path: ['until'], error: 'Must not be before the start' })
  .refine(({ from, until }) => Date.parse(until) - Date.parse(from) < maxRangeDays * dayMs, {
    path: ['until'],
    error: `At most ${maxRangeDays} days at once`,
  })
