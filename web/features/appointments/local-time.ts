import { TZDate } from '@date-fns/tz'

/** Returns the minutes after midnight of a local time, HH:mm. */
export function parseMinutes(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

const pad = (n: number) => String(n).padStart(2, '0')

/** Formats minutes after midnight as HH:mm; values outside a day wrap around. */
export function toTimeString(minutes: number): string {
  const within = ((minutes % 1440) + 1440) % 1440
  return `${pad(Math.floor(within / 60))}:${pad(within % 60)}`
}

/** Formats a local time: "2:30 PM" for "14:30". */
export function formatTime(time: string): string {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return `${hours % 12 || 12}:${pad(minutes)} ${hours < 12 ? 'AM' : 'PM'}`
}

/** Returns the local date and time of an instant in a time zone. */
export function toLocalDateTime(zone: string, instant: Date | string): { date: string; time: string } {
  const local = new TZDate(new Date(instant).getTime(), zone)
  return {
    date: `${local.getFullYear()}-${pad(local.getMonth() + 1)}-${pad(local.getDate())}`,
    time: `${pad(local.getHours())}:${pad(local.getMinutes())}`,
  }
}

/** Returns the instant at which a day starts in a time zone; some days have 23 or 25 hours. */
export function getStartOfDay(date: string, zone: string): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number)
  return new Date(new TZDate(year, month - 1, day, zone).getTime()).toISOString()
}
