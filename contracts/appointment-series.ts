import { z } from 'zod'
import { Appointment, Cancellations, FreeSlot, SlotConflict, withholdFees } from './appointments.ts'
import { endpoint } from './endpoint.ts'
import { AppointmentId, PatientId, ProviderId, SeriesId } from './values/ids.ts'
import { optionalText } from './values/text.ts'
import {
  AppointmentType,
  CalendarDay,
  ConfirmedConcerns,
  Duration,
  defaultDuration,
  Instant,
  AppointmentTime,
} from './values/appointments.ts'

/** The maximum number of appointments in a series. */
export const maxSeriesAppointments = 52

/** A recurrence: every n days, weeks or months at the same local time of the practice. */
export const Recurrence = z.strictObject({
  every: z.number().int('Whole numbers only').min(1, 'At least 1').max(52, 'At most 52'),
  unit: z.enum(['day', 'week', 'month'], { error: 'Please choose days, weeks or months' }),
  /** The last day (inclusive). Exactly one of `until` and `count` is given. */
  until: CalendarDay.optional(),
  /** The number of appointments, the first one included. */
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
  /** The start of the first appointment. */
  appointmentDate: AppointmentTime,
  duration: Duration.default(defaultDuration),
  recurrence: Recurrence.refine(({ until, count }) => (until === undefined) !== (count === undefined), {
    path: ['count'],
    error: 'Please choose an end: a date or a number of appointments',
  }),
}

/**
 * A planned appointment of a series. `index` counts from 0. `isAdjusted`: its month has no such day, so it is on the last day
 * of the month, or a clock change skips its time, so it has the next valid one.
 */
export const PlannedAppointment = z.object({
  index: z.number(),
  start: z.string(),
  end: z.string(),
  localDate: z.string(),
  localTime: z.string(),
  isAdjusted: z.boolean(),
  /** The appointment that holds the slot; null when it is free. */
  conflict: SlotConflict.nullable(),
  /** The three nearest free slots when there is a conflict; else empty. */
  freeSlots: z.array(FreeSlot),
})
export type PlannedAppointment = z.infer<typeof PlannedAppointment>

const AppointmentIndex = z
  .number()
  .int()
  .min(0)
  .max(maxSeriesAppointments - 1)

/** The resolution of one conflict: another time, no appointment, or an overlap. */
export const Resolution = z.discriminatedUnion('action', [
  z.strictObject({
    index: AppointmentIndex,
    action: z.literal('move'),
    to: AppointmentTime,
  }),
  z.strictObject({
    index: AppointmentIndex,
    action: z.literal('skip'),
  }),
  z.strictObject({
    index: AppointmentIndex,
    action: z.literal('overlap'),
  }),
])
export type Resolution = z.output<typeof Resolution>

const Resolutions = z
  .array(Resolution)
  .max(maxSeriesAppointments)
  .default([])
  .refine((all) => new Set(all.map(({ index }) => index)).size === all.length, 'One resolution for each appointment')

/** Previews the appointments of a series and their conflicts. Books nothing. 422 for fewer than 2 or more than 52. */
export const previewSeries = endpoint({
  method: 'POST',
  path: '/api/appointments/series/preview',
  access: { permission: 'scheduling' },
  readsOnly: true,
  body: z.strictObject({ ...plan, resolutions: Resolutions }),
  reply: z.object({ appointments: z.array(PlannedAppointment) }),
})

/** An appointment of a series whose slot was taken before it could be booked. */
export const NotBooked = z.object({ index: z.number(), start: z.string(), conflict: SlotConflict.nullable() })

const withholdSeriesFees = <Reply extends { appointments: readonly Appointment[] }>(
  reply: Reply,
  may: Parameters<typeof withholdFees>[1],
) => ({ ...reply, appointments: withholdFees(reply.appointments, may) })

/**
 * Books a series. 409 `confirm-appointment` (see ConfirmationRequired) if `confirmed` leaves out a concern; 409
 * `series-conflicts` with `appointments` (PlannedAppointment) while a conflict is unresolved; nothing is booked then. A
 * repetition with the same body and `idempotencyKey` (a UUID created by the client) books only what is missing and returns
 * the whole series.
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
    confirmed: ConfirmedConcerns,
    idempotencyKey: z.uuid().optional(),
  }),
  reply: z.object({ seriesId: SeriesId, appointments: z.array(Appointment), notBooked: z.array(NotBooked) }),
  withhold: withholdSeriesFees,
  status: 201,
})

/** Lists every appointment of a series in order of time, also past and cancelled ones and those that no day list shows. */
export const listSeries = endpoint({
  method: 'GET',
  path: '/api/appointments/series/:seriesId',
  access: { permission: 'scheduling' },
  params: z.object({ seriesId: SeriesId }),
  reply: z.array(Appointment),
  withhold: withholdFees,
})

/** The scope of a change: the selected appointment with the upcoming ones after it, or all upcoming ones. */
export const SeriesScope = z.enum(['following', 'all'], { error: 'Please choose which appointments' })
export type SeriesScope = z.infer<typeof SeriesScope>

/**
 * An appointment of a series that was not changed: its new slot is taken (`conflict`, where known), another user changed it,
 * or the change failed.
 */
export const NotMoved = z.object({
  appointmentId: AppointmentId,
  start: z.string(),
  reason: z.enum(['taken', 'changed-meanwhile', 'failed']),
  conflict: SlotConflict.nullable(),
})
export type NotMoved = z.infer<typeof NotMoved>

/** An appointment as the user saw it when requesting the change. */
const ExpectedRevision = z.strictObject({
  appointmentId: AppointmentId,
  revision: z.number().int().min(0),
  appointmentDate: Instant,
})

/**
 * Changes several appointments of a series (for a single one: changeAppointment). `appointmentDate` is the new start of
 * `appointmentId`; the others move by as many days, to the same local time. Past and cancelled appointments stay. 409
 * `series-conflicts` with `conflicts` (NotMoved) unless `allowOverlap`, and 409 `confirm-appointment` as for bookSeries;
 * nothing is changed then. With `expectedRevisions`, appointments that another user changed are left alone, and a repetition
 * changes only those that are still to be changed.
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
    confirmed: ConfirmedConcerns,
    expectedRevisions: z.array(ExpectedRevision).max(maxSeriesAppointments).default([]),
  }),
  reply: z.object({ appointments: z.array(Appointment), notMoved: z.array(NotMoved) }),
  withhold: withholdSeriesFees,
})

/** Cancels several appointments of a series; a repetition cancels the rest. `keepOnDayList` keeps them visible, struck through. */
export const cancelSeries = endpoint({
  method: 'POST',
  path: '/api/appointments/series/:seriesId/cancel',
  access: { permission: 'scheduling' },
  params: z.object({ seriesId: SeriesId }),
  body: z.strictObject({ appointmentId: AppointmentId, scope: SeriesScope, keepOnDayList: z.boolean().default(false) }),
  reply: Cancellations,
})
