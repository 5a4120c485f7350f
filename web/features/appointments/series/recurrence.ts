import { formatTime } from '#web/ui/dates.ts'
import { type PlannedAppointment, Recurrence, type Resolution } from '#contracts/appointment-series.ts'
import type { FreeSlot } from '#contracts/appointments.ts'
import { formatWeekday, formatMediumDate } from '../calendar-dates.ts'

/** Recurrence of an appointment, as typed. `none` means that it does not repeat. */
export type RecurrenceValues = {
  unit: 'none' | 'day' | 'week' | 'month'
  every: string
  ends: 'count' | 'until'
  count: string
  until: string
}

/** Values for an appointment that does not repeat, with the defaults for one that does. */
export const noRecurrence: RecurrenceValues = { unit: 'none', every: '1', ends: 'count', count: '6', until: '' }

/** Error messages by input of the recurrence. */
export type RecurrenceErrors = Partial<Record<'every' | 'count' | 'until', string>>

/** Returns the recurrence for the request, or the errors in what was typed. */
export function parseRecurrence(values: RecurrenceValues): { recurrence: Recurrence | null; errors: RecurrenceErrors } {
  const { unit, every, ends, count, until } = values
  if (unit === 'none') return { recurrence: null, errors: {} }
  const errors: RecurrenceErrors = {}
  if (every.trim() === '') errors.every = 'Please enter a number'
  if (ends === 'count' && count.trim() === '') errors.count = 'Please enter a number'
  if (ends === 'until' && until === '') errors.until = 'Please enter a date'
  const typed = { every: Number(every), unit, ...(ends === 'count' ? { count: Number(count) } : { until }) }
  const checked = Recurrence.safeParse(typed)
  for (const { path, message } of checked.error?.issues ?? []) errors[path[0] as 'every'] ??= message
  return checked.success && Object.keys(errors).length === 0
    ? { recurrence: checked.data, errors }
    : { recurrence: null, errors }
}

/** Returns the input that shows an error of the server: `until` for "recurrence.until". */
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

/** Formats a recurrence: "Every 2 weeks on Tuesday at 9:00 AM". Date and time are those of the first appointment. */
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

/** Resolution of one appointment in a series whose time is taken. */
export type ConflictResolution = { action: 'skip' } | { action: 'overlap' } | { action: 'move'; slot: FreeSlot }
/** Resolutions by the appointment's index in the series. */
export type ConflictResolutions = ReadonlyMap<number, ConflictResolution>

/** Returns the appointments whose time is taken and that have no resolution. */
export const findUnresolved = (
  appointments: readonly PlannedAppointment[],
  resolutions: ConflictResolutions,
): PlannedAppointment[] => appointments.filter(({ index, conflict }) => conflict && !resolutions.has(index))

/** Returns the resolutions for the request. */
export const toResolutionsBody = (resolutions: ConflictResolutions): Resolution[] =>
  [...resolutions].map(([index, resolution]) =>
    resolution.action === 'move'
      ? { index, action: 'move', to: resolution.slot.start }
      : { index, action: resolution.action },
  )

/** Returns the free slots for one appointment to which no other appointment in the series was moved. */
export function findRemainingSlots(
  { index, freeSlots }: PlannedAppointment,
  resolutions: ConflictResolutions,
): FreeSlot[] {
  const others = [...resolutions].flatMap(([otherIndex, resolution]) =>
    otherIndex !== index && resolution.action === 'move' ? [resolution.slot] : [],
  )
  return freeSlots.filter((slot) => !others.some((other) => slot.start < other.end && other.start < slot.end))
}

/** Resolves all remaining conflicts at once: by the nearest free slot each, by skipping, or by overlapping. */
export function resolveAll(
  appointments: readonly PlannedAppointment[],
  resolutions: ConflictResolutions,
  action: ConflictResolution['action'],
): ConflictResolutions {
  const next = new Map(resolutions)
  const distance = (a: string, b: string) => Math.abs(Date.parse(a) - Date.parse(b))
  for (const appointment of findUnresolved(appointments, resolutions)) {
    if (action !== 'move') next.set(appointment.index, { action })
    else {
      const [slot] = findRemainingSlots(appointment, next).toSorted(
        (a, b) => distance(a.start, appointment.start) - distance(b.start, appointment.start),
      )
      if (slot) next.set(appointment.index, { action: 'move', slot })
    }
  }
  return next
}

/** Returns the number of appointments and the day of the last one. */
export function computeOutcome(
  appointments: readonly PlannedAppointment[],
  resolutions: ConflictResolutions,
): { count: number; last: string } {
  const days = appointments.flatMap(({ index, localDate }) => {
    const resolution = resolutions.get(index)
    if (resolution?.action === 'skip') return []
    return [resolution?.action === 'move' ? resolution.slot.localDate : localDate]
  })
  return { count: days.length, last: days.toSorted().at(-1) ?? '' }
}

/** Formats an outcome: "6 appointments, last on Jan 12, 2027". */
export const describeOutcome = ({ count, last }: { count: number; last: string }): string =>
  count === 0
    ? 'no appointments'
    : `${count === 1 ? '1 appointment' : `${count} appointments`}, last on ${formatMediumDate(last)}`
