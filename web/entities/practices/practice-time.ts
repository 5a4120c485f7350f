import { useQuery } from '@tanstack/react-query'
import { toLocalDate, toLocalDateTime } from '#contracts/values/calendar.ts'
import { useCurrentUser } from '#web/entities/accounts/current-user.ts'
import { formatDate, formatDateTime, formatLocalDate, formatTime, getToday } from '#web/ui/dates.ts'
import { useNow } from '#web/ui/use-now.ts'
import { practiceQuery } from './practice-query.ts'

/** A time zone (IANA); undefined for that of the browser. */
type Zone = string | undefined

/** Returns the time zone of the practice, in which its days are planned; undefined until it is known, and for visitors. */
export function usePracticeZone(): Zone {
  const practiceId = useCurrentUser()?.practiceId ?? null
  const { data: practice } = useQuery({ ...practiceQuery(practiceId ?? ''), enabled: practiceId !== null })
  return practice?.timezone
}

/** Returns today's date in a time zone, YYYY-MM-DD. */
export const getTodayIn = (zone: Zone, now: Date): string =>
  zone === undefined ? getToday(now) : toLocalDate(now, zone)

/** Formats the date of an instant in a time zone, "Mar 14, 2026". */
export const formatDateIn = (zone: Zone, instant: string): string =>
  zone === undefined ? formatLocalDate(instant) : formatDate(toLocalDate(instant, zone))

/** Formats an instant in a time zone: "Today, 10:42 AM", "Mar 14, 2026, 10:42 AM". */
export function formatDateTimeIn(zone: Zone, instant: string, now: Date): string {
  if (zone === undefined) return formatDateTime(instant, now)
  const { date, time } = toLocalDateTime(instant, zone)
  return `${date === toLocalDate(now, zone) ? 'Today' : formatDate(date)}, ${formatTime(time)}`
}

/** Formats an instant with its date, or as of today. */
export type FormatInstant = (instant: string) => string

/** Returns a function that formats instants in the time zone of the practice, as of now. */
export function useFormatInstant(): FormatInstant {
  const zone = usePracticeZone()
  const now = useNow(60_000)
  return (instant) => formatDateTimeIn(zone, instant, now)
}

/** Returns a function that formats the dates of instants in the time zone of the practice. */
export function useFormatDay(): FormatInstant {
  const zone = usePracticeZone()
  return (instant) => formatDateIn(zone, instant)
}

/** Returns today's date in the time zone of the practice, YYYY-MM-DD. */
export const usePracticeToday = (): string => getTodayIn(usePracticeZone(), useNow(60_000))

/** The two ways to format an instant: with its time, and its date alone. */
export type PracticeTimes = { formatInstant: FormatInstant; formatDay: FormatInstant }

/** Returns both ways to format instants in the time zone of the practice. */
export const usePracticeTimes = (): PracticeTimes => ({ formatInstant: useFormatInstant(), formatDay: useFormatDay() })
