import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { CalendarDay, CalendarDays } from './values/appointments.ts'
import { ClosureId, ProviderId } from './values/ids.ts'
import { optionalLine } from './values/text.ts'
import { DayHours, Weekday } from './values/working-hours.ts'

const Period = z.object({ from: z.string(), until: z.string() })
const Hours = z.object({ opens: z.string(), closes: z.string(), breaks: z.array(Period) })

/**
 * Days on which the practice is closed (a holiday, `providerId` null) or a provider is off. Local dates of the practice, both
 * included. `name` is that of the holiday, or the reason for the days off, which may be null.
 */
export const Closure = z.object({
  id: ClosureId,
  providerId: ProviderId.nullable(),
  name: z.string().nullable(),
  from: z.string(),
  until: z.string(),
  revision: z.number(),
})
export type Closure = z.infer<typeof Closure>

/** The working hours by weekday, null for a closed day. `revision` is null, and the hours are the defaults, until they are set. */
export const WorkingHours = z.object({ hours: z.record(Weekday, Hours.nullable()), revision: z.number().nullable() })
export type WorkingHours = z.infer<typeof WorkingHours>

/** Gets the working hours, with the holidays and days off of a range of at most 62 days. */
export const getWorkingHours = endpoint({
  method: 'GET',
  path: '/api/working-hours',
  access: { permission: 'scheduling' },
  query: CalendarDays,
  reply: WorkingHours.extend({ closures: z.array(Closure) }),
})

/** Gets the working hours as they are set, to change them. */
export const getWeekHours = endpoint({
  method: 'GET',
  path: '/api/working-hours/week',
  access: { permission: 'settings' },
  reply: WorkingHours,
})

/**
 * Changes the working hours of some weekdays. `revision` is the one that the user saw, null when none were set; 409
 * `changed-meanwhile` with `changes` when it is stale.
 */
export const changeWorkingHours = endpoint({
  method: 'PATCH',
  path: '/api/working-hours',
  access: { permission: 'settings' },
  body: z.strictObject({
    hours: z.partialRecord(Weekday, DayHours.nullable()),
    revision: z.number().int().min(0).nullable().optional(),
  }),
  reply: WorkingHours,
})

/** One of the `changes` of the problem `changed-meanwhile`: a weekday whose hours another user has changed. */
export const WorkingHoursConflict = z.object({
  field: Weekday,
  value: z.unknown(),
  by: z.string().nullable(),
  at: z.string(),
})
export type WorkingHoursConflict = z.infer<typeof WorkingHoursConflict>

/** The longest closure, in days. */
const maxClosureDays = 366

const isInOrder = ({ from, until }: { from: string; until: string }) => from <= until
const orderError = { path: ['until'], error: 'Must not be before the first day' }
const isShort = ({ from, until }: { from: string; until: string }) =>
  Date.parse(until) - Date.parse(from) < maxClosureDays * 24 * 3_600_000
const lengthError = { path: ['until'], error: 'At most one year' }
const nameError = { path: ['name'], error: 'Please enter the name of the holiday' }

const name = optionalLine(80)

/** A holiday (`providerId` null), which needs a name, or days off of a provider. */
export const NewClosure = z
  .strictObject({
    providerId: ProviderId.nullable().default(null),
    name: name.default(null),
    from: CalendarDay,
    until: CalendarDay,
  })
  .refine(isInOrder, orderError)
  .refine(isShort, lengthError)
  .refine((closure) => closure.providerId !== null || closure.name !== null, nameError)
export type NewClosure = z.output<typeof NewClosure>

/** The fields of a closure that can be changed; all of them are sent, with the `revision` that the user saw. */
export const ClosureChange = z
  .strictObject({ name, from: CalendarDay, until: CalendarDay, revision: z.number().int().min(0).optional() })
  .refine(isInOrder, orderError)
  .refine(isShort, lengthError)
export type ClosureChange = z.output<typeof ClosureChange>

/**
 * A closure with the open appointments that are still booked on its days: their number, and the local date of the first one.
 * Nothing is cancelled by a closure.
 */
export const BookedClosure = Closure.extend({ appointments: z.number(), firstDate: z.string().nullable() })
export type BookedClosure = z.infer<typeof BookedClosure>

const params = z.object({ closureId: ClosureId })

/** Lists the holidays and days off that are not over, in order of their dates. */
export const listClosures = endpoint({
  method: 'GET',
  path: '/api/closures',
  access: { permission: 'settings' },
  reply: z.array(BookedClosure),
})

/** Adds a holiday or days off. 404 for a provider of another practice, 422 for days that are over. */
export const addClosure = endpoint({
  method: 'POST',
  path: '/api/closures',
  access: { permission: 'settings' },
  body: NewClosure,
  reply: BookedClosure,
  status: 201,
})

/** Changes the name and the dates. 409 `changed-meanwhile` with `changes` when `revision` is stale; 404 after its removal. */
export const changeClosure = endpoint({
  method: 'PATCH',
  path: '/api/closures/:closureId',
  access: { permission: 'settings' },
  params,
  body: ClosureChange,
  reply: BookedClosure,
})

/** Removes a holiday or days off; the days are working days again. */
export const removeClosure = endpoint({
  method: 'DELETE',
  path: '/api/closures/:closureId',
  access: { permission: 'settings' },
  params,
  reply: z.null(),
})

/** One of the `changes` of the problem `changed-meanwhile`: a field of a closure that another user has changed. */
export const ClosureFieldConflict = z.object({
  field: z.enum(['name', 'from', 'until']),
  value: z.unknown(),
  by: z.string().nullable(),
  at: z.string(),
})
export type ClosureFieldConflict = z.infer<typeof ClosureFieldConflict>
