import { TZDate } from '@date-fns/tz'

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

/** What calendar and clocks of a time zone show at an instant. */
export function toLocalDateTime(zone: string, instant: Date | string): { date: string; time: string } {
  const at = new TZDate(new Date(instant).getTime(), zone)
  return {
    date: `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`,
    time: `${two(at.getHours())}:${two(at.getMinutes())}`,
  }
}

/** The instant at which a day begins in a time zone; some days have 23 or 25 hours. */
export function getStartOfDay(date: string, zone: string): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number)
  return new Date(new TZDate(year, month - 1, day, zone).getTime()).toISOString()
}
