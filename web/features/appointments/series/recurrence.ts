import { type PlannedAppointment, Recurrence, type Resolution } from '#contracts/appointment-series.ts'
import type { FreeSlot } from '#contracts/appointments.ts'
import { formatTime } from '../local-time.ts'
import { formatWeekday, formatMediumDate } from '../calendar-dates.ts'

/** How often an appointment repeats, as it is typed. `none`: it does not. */
export type RecurrenceValues = {
  unit: 'none' | 'day' | 'week' | 'month'
  every: string
  ends: 'count' | 'until'
  count: string
  until: string
}

/** An appointment that does not repeat, and what is proposed once it does. */
export const noRecurrence: RecurrenceValues = { unit: 'none', every: '1', ends: 'count', count: '6', until: '' }

/** What is said beside a field of the repetition. */
export type RecurrenceErrors = Partial<Record<'every' | 'count' | 'until', string>>

/** What is sent for a repetition, or what is wrong with it. */
export function parseRecurrence(values: RecurrenceValues): { recurrence: Recurrence | null; faults: RecurrenceErrors } {
  const { unit, every, ends, count, until } = values
  if (unit === 'none') return { recurrence: null, faults: {} }
  const faults: RecurrenceErrors = {}
  if (every.trim() === '') faults.every = 'Please enter a number'
  if (ends === 'count' && count.trim() === '') faults.count = 'Please enter a number'
  if (ends === 'until' && until === '') faults.until = 'Please enter a date'
  const typed = { every: Number(every), unit, ...(ends === 'count' ? { count: Number(count) } : { until }) }
  const checked = Recurrence.safeParse(typed)
  for (const { path, message } of checked.error?.issues ?? []) faults[path[0] as 'every'] ??= message
  return checked.success && Object.keys(faults).length === 0
    ? { recurrence: checked.data, faults }
    : { recurrence: null, faults }
}

/** Where the form shows what the server says of a repetition: "recurrence.until" is the field `until`. */
export const toRecurrenceField = (path: string, ends: RecurrenceValues['ends']): keyof RecurrenceErrors | null => {
  const [, field] = /^recurrence(?:\.(\w+))?$/.exec(path) ?? [null]
  if (!path.startsWith('recurrence')) return null
  if (field === 'every') return 'every'
  return ends
}

const ordinal = (n: number) => {
  const tail = n % 100 >= 11 && n % 100 <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th')
  return `${n}${tail}`
}

/** "Every 2 weeks on Tuesday at 9:00 AM": date and time are those of the first appointment. */
export function describeRecurrence(
  { every, unit }: Pick<Recurrence, 'every' | 'unit'>,
  date: string,
  time: string,
): string {
  const often = every === 1 ? `Every ${unit}` : `Every ${every} ${unit}s`
  const on =
    unit === 'week' ? ` on ${formatWeekday(date)}` : unit === 'month' ? ` on the ${ordinal(Number(date.slice(8)))}` : ''
  return `${often}${on} at ${formatTime(time)}`
}

/** What is decided about one appointment of a row that somebody is in the way of. */
export type ConflictResolution = { action: 'skip' } | { action: 'overlap' } | { action: 'move'; slot: FreeSlot }
/** By the appointment's place in the row, from 0. */
export type ConflictResolutions = ReadonlyMap<number, ConflictResolution>

/** Those that somebody is in the way of and that nothing is decided about. */
export const findUnresolved = (
  appointments: readonly PlannedAppointment[],
  decisions: ConflictResolutions,
): PlannedAppointment[] => appointments.filter(({ index, conflict }) => conflict && !decisions.has(index))

/** What is sent of the decisions. */
export const toResolutionsBody = (decisions: ConflictResolutions): Resolution[] =>
  [...decisions].map(([index, decision]) =>
    decision.action === 'move'
      ? { index, action: 'move', to: decision.slot.start }
      : { index, action: decision.action },
  )

/** The free times for one appointment that no other appointment of the row has been moved to. */
export function findRemainingSlots(
  { index, freeSlots }: PlannedAppointment,
  decisions: ConflictResolutions,
): FreeSlot[] {
  const others = [...decisions].flatMap(([of, decision]) =>
    of !== index && decision.action === 'move' ? [decision.slot] : [],
  )
  return freeSlots.filter((slot) => !others.some((other) => slot.start < other.end && other.start < slot.end))
}

/** Decides about all that are left at once: each to its nearest free time, left out, or beside the other appointment. */
export function resolveAll(
  appointments: readonly PlannedAppointment[],
  decisions: ConflictResolutions,
  how: ConflictResolution['action'],
): ConflictResolutions {
  const next = new Map(decisions)
  const distance = (a: string, b: string) => Math.abs(Date.parse(a) - Date.parse(b))
  for (const appointment of findUnresolved(appointments, decisions)) {
    if (how !== 'move') next.set(appointment.index, { action: how })
    else {
      const [slot] = findRemainingSlots(appointment, next).toSorted(
        (a, b) => distance(a.start, appointment.start) - distance(b.start, appointment.start),
      )
      if (slot) next.set(appointment.index, { action: 'move', slot })
    }
  }
  return next
}

/** How many appointments there will be, and the day of the last one. */
export function computeOutcome(
  appointments: readonly PlannedAppointment[],
  decisions: ConflictResolutions,
): { count: number; last: string } {
  const days = appointments.flatMap(({ index, localDate }) => {
    const decision = decisions.get(index)
    if (decision?.action === 'skip') return []
    return [decision?.action === 'move' ? decision.slot.localDate : localDate]
  })
  return { count: days.length, last: days.toSorted().at(-1) ?? '' }
}

/** "6 appointments, last on Jan 12, 2027" */
export const describeOutcome = ({ count, last }: { count: number; last: string }): string =>
  count === 0
    ? 'no appointments'
    : `${count === 1 ? '1 appointment' : `${count} appointments`}, last on ${formatMediumDate(last)}`
