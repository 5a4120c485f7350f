import { type LocalDateTime, toLocalDateTime as convert } from '#contracts/values/calendar.ts'

/** Minutes after midnight of a time on the practice's clocks, HH:mm. */
export function parseMinutes(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

const two = (n: number) => String(n).padStart(2, '0')

/** HH:mm so many minutes after midnight; after midnight it begins anew. */
export function toTimeString(minutes: number): string {
  const within = ((minutes % 1440) + 1440) % 1440
  return `${two(Math.floor(within / 60))}:${two(within % 60)}`
}

/** "14:30" as staff read it: "2:30 PM". */
export function formatTime(time: string): string {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return `${hours % 12 || 12}:${two(minutes)} ${hours < 12 ? 'AM' : 'PM'}`
}

/** Returns the date and the time that clocks in a time zone show at an instant. */
export const toLocalDateTime = (zone: string, instant: Date | string): LocalDateTime => convert(instant, zone)
