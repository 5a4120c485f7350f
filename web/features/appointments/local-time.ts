import { type LocalDateTime, toLocalDateTime as convert } from '#contracts/values/calendar.ts'

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
export const toLocalDateTime = (zone: string, instant: Date | string): LocalDateTime => convert(instant, zone)
