import { z } from 'zod'
import { Appointment, FreeSlot, SlotConflict } from './appointments.ts'
import { endpoint } from './endpoint.ts'
import { AppointmentId, PatientId, ProviderId, SeriesId } from './values/ids.ts'
import { optionalText } from './values/text.ts'
import {
  AppointmentType,
  CalendarDay,
  Duration,
  defaultDuration,
  Instant,
  AppointmentTime,
} from './values/appointments.ts'

/** The longest row of appointments. */
export const maxSeriesAppointments = 52

/** Every n days, weeks or months, at the same time on the practice's clocks. */
export const Recurrence = z.strictObject({
  every: z.number().int('Whole numbers only').min(1, 'At least 1').max(52, 'At most 52'),
  unit: z.enum(['day', 'week', 'month'], { error: 'Please choose days, weeks or months' }),
  /** Until this day (inclusive), or a number of appointments, the first one included; exactly one of them. */
  until: CalendarDay.optional(),
  count: z
    .number()
    .int('Whole numbers only')
    .min(2, 'At least 2 appointments')
    .max(maxSeriesAppointments, 'At most 52 appointments')
    .optional(),
})
export type Recurrence = z.output<typeof Recurrence>

const plan = {
  patientId: PatientId,
  providerId: ProviderId.optional(),
  /** Of the first appointment. */
  appointmentDate: AppointmentTime,
  duration: Duration.default(defaultDuration),
  recurrence: Recurrence.refine(({ until, count }) => (until === undefined) !== (count === undefined), {
    path: ['count'],
    error: 'Please choose an end: a date or a number of appointments',
  }),
}

/**
 * One appointment of a row as it would be. `index` counts from 0. In a month without that day it is the month's last day, and a time
 * that the clocks skip becomes the next valid one: `moved`.
 */
export const PlannedAppointment = z.object({
  index: z.number(),
  start: z.string(),
  end: z.string(),
  localDate: z.string(),
  localTime: z.string(),
  moved: z.boolean(),
  /** Who has the slot; null when it is free. */
  conflict: SlotConflict.nullable(),
  /** The three nearest free slots, where there is a conflict. */
  freeSlots: z.array(FreeSlot),
})
export type PlannedAppointment = z.infer<typeof PlannedAppointment>

/** What to do about one appointment: another time, not at all, or together with the other one. */
export const Resolution = z.discriminatedUnion('do', [
  z.strictObject({
    index: z
      .number()
      .int()
      .min(0)
      .max(maxSeriesAppointments - 1),
    do: z.literal('move'),
    to: AppointmentTime,
  }),
  z.strictObject({
    index: z
      .number()
      .int()
      .min(0)
      .max(maxSeriesAppointments - 1),
    do: z.literal('skip'),
  }),
  z.strictObject({
    index: z
      .number()
      .int()
      .min(0)
      .max(maxSeriesAppointments - 1),
    do: z.literal('overlap'),
  }),
])
export type Resolution = z.output<typeof Resolution>

const Resolutions = z
  .array(Resolution)
  .max(maxSeriesAppointments)
  .default([])
  .refine((all) => new Set(all.map(({ index }) => index)).size === all.length, 'One answer for each appointment')

/** The appointments of a row and what is in their way. Nothing is booked. 422 when there would be fewer than 2 or more than 52. */
export const previewSeries = endpoint({
  method: 'POST',
  path: '/api/appointments/series/preview',
  access: { permission: 'scheduling' },
  body: z.strictObject({ ...plan, resolutions: Resolutions }),
  reply: z.object({ appointments: z.array(PlannedAppointment) }),
})

/** An appointment of a row for which somebody else was faster; the others stand. */
export const NotBooked = z.object({ index: z.number(), start: z.string(), conflict: SlotConflict.nullable() })

/**
 * Books the row. 409 `series-conflicts` with `appointments` (PlannedAppointment) while a conflict has no answer: nothing is booked then.
 * With `attempt`, which the caller makes up for each wish, the same call once more, after no answer came, books nothing twice: it
 * books what is missing of that row and answers how the row is by now.
 */
export const bookSeries = endpoint({
  method: 'POST',
  path: '/api/appointments/series',
  access: { permission: 'scheduling' },
  body: z.strictObject({
    ...plan,
    type: AppointmentType,
    reason: optionalText(500).default(null),
    notes: optionalText(5_000).default(null),
    resolutions: Resolutions,
    attempt: z.uuid().optional(),
  }),
  reply: z.object({ seriesId: SeriesId, appointments: z.array(Appointment), notBooked: z.array(NotBooked) }),
  status: 201,
})

/** Every appointment of a row in order of time, also those that are over, cancelled or off their day's list. */
export const listSeries = endpoint({
  method: 'GET',
  path: '/api/appointments/series/:seriesId',
  access: { permission: 'scheduling' },
  params: z.object({ seriesId: SeriesId }),
  reply: z.array(Appointment),
})

/** Which appointments of a row: this one and those after it that are still to come, or all that are still to come. */
export const SeriesScope = z.enum(['following', 'all'], { error: 'Please choose which appointments' })
export type SeriesScope = z.infer<typeof SeriesScope>

/**
 * An appointment of a row that stays as it was: the slot it should have got is taken (`conflict` says by whom, where that is known),
 * somebody changed it meanwhile, or the change of it failed.
 */
export const NotMoved = z.object({
  appointmentId: AppointmentId,
  start: z.string(),
  because: z.enum(['taken', 'changed-meanwhile', 'failed']),
  conflict: SlotConflict.nullable(),
})
export type NotMoved = z.infer<typeof NotMoved>

/** An appointment as it was when the change was asked for. */
const Seen = z.strictObject({
  appointmentId: AppointmentId,
  revision: z.number().int().min(0),
  appointmentDate: Instant,
})

/**
 * Changes several appointments of a row; "this one" is an ordinary change of the appointment. A new date and time is that of
 * `appointmentId`; the others move by as many days and to the same time of day. Appointments that are over or cancelled stay.
 * 409 `series-conflicts` with `conflicts` (NotMoved) unless `allowOverlap`: nothing is changed then. With `seen` an appointment that
 * somebody else changed is left alone, and the same call once more, after no answer came, does only what is still to do.
 */
export const changeSeries = endpoint({
  method: 'PATCH',
  path: '/api/appointments/series/:seriesId',
  access: { permission: 'scheduling' },
  params: z.object({ seriesId: SeriesId }),
  body: z.strictObject({
    appointmentId: AppointmentId,
    scope: SeriesScope,
    providerId: ProviderId.optional(),
    appointmentDate: AppointmentTime.optional(),
    duration: Duration.optional(),
    type: AppointmentType.optional(),
    reason: optionalText(500).optional(),
    notes: optionalText(5_000).optional(),
    allowOverlap: z.boolean().default(false),
    seen: z.array(Seen).max(maxSeriesAppointments).default([]),
  }),
  reply: z.object({ appointments: z.array(Appointment), notMoved: z.array(NotMoved) }),
})

/** Cancels several appointments of a row; once more goes on with those that failed. `listed` keeps them on their days, struck through. */
export const cancelSeries = endpoint({
  method: 'POST',
  path: '/api/appointments/series/:seriesId/cancel',
  access: { permission: 'scheduling' },
  params: z.object({ seriesId: SeriesId }),
  body: z.strictObject({ appointmentId: AppointmentId, scope: SeriesScope, listed: z.boolean().default(false) }),
  reply: z.object({ cancelled: z.array(AppointmentId), notCancelled: z.array(AppointmentId) }),
})
