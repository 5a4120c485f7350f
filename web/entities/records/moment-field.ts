import { findInstant, toLocalDateTime } from '#contracts/values/calendar.ts'
import { formatDateTimeIn } from '#web/entities/practices/practice-time.ts'
import type { RecordField } from './record-kind.ts'

/** Returns the input of an instant, which is typed as a date and a time in the practice's time zone (IANA). Empty means now. */
export const toMomentField = (name: string, label: string, zone: string): RecordField => ({
  name,
  label,
  kind: 'moment',
  hint: 'Leave empty for now',
  conversion: {
    toText(stored) {
      const { date, time } = toLocalDateTime(String(stored), zone)
      return `${date}T${time}`
    },
    toStored(text) {
      const [date = '', time = ''] = text.split('T')
      return findInstant(date, time.slice(0, 5), zone) ?? text
    },
    format: (stored) => formatDateTimeIn(zone, String(stored), new Date()),
  },
})
