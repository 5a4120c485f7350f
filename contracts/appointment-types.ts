import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { AppointmentType, Duration } from './values/appointments.ts'
import { Colour } from './values/colours.ts'
import { Cents, Money } from './values/money.ts'

/** The settings of an appointment type. */
const AppointmentTypeSettings = z.object({
  /** The duration, in minutes, that the screens propose for a new appointment. */
  duration: z.number(),
  /** The fee of an appointment that is completed from now on. */
  fee: Money,
  /** The color that marks the type on screen; null for none. */
  colour: Colour.nullable(),
})

/** The appointment types of a practice. `revision` is null until one is changed. */
export const AppointmentTypeSchedule = z.object({
  types: z.record(AppointmentType, AppointmentTypeSettings),
  revision: z.number().nullable(),
})
export type AppointmentTypeSchedule = z.infer<typeof AppointmentTypeSchedule>

/** Gets the duration, fee and color of every type of appointment. */
export const getAppointmentTypes = endpoint({
  method: 'GET',
  path: '/api/appointment-types',
  access: { permission: 'settings' },
  reply: AppointmentTypeSchedule,
})

/** One of the `changes` of the problem `changed-meanwhile`: a setting that another user has changed, such as `consultation.fee`. */
export const AppointmentTypeConflict = z.object({
  field: z.string(),
  value: z.unknown(),
  by: z.string().nullable(),
  at: z.string(),
})
export type AppointmentTypeConflict = z.infer<typeof AppointmentTypeConflict>

/**
 * Changes settings of appointment types; `fee` is in cents. Appointments that are booked keep their duration, and completed ones
 * their fee. `revision` is the one that the user saw, null when nothing had been changed; 409 `changed-meanwhile` with `changes`
 * when it is stale.
 */
export const changeAppointmentTypes = endpoint({
  method: 'PATCH',
  path: '/api/appointment-types',
  access: { permission: 'settings' },
  body: z.strictObject({
    types: z.partialRecord(
      AppointmentType,
      z.strictObject({ duration: Duration, fee: Cents, colour: Colour.nullable() }).partial(),
    ),
    revision: z.number().int().min(0).nullable().optional(),
  }),
  reply: AppointmentTypeSchedule,
})
