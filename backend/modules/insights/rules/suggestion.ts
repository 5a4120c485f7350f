import { format } from 'date-fns/format'
import { parseISO } from 'date-fns/parseISO'
import type { AiInsight, InsightBasis } from '#contracts/insights.ts'

/** A record that an insight is based on. `date` (YYYY-MM-DD) and `time` (HH:mm) are local to the practice. */
export type FoundRecord = {
  id: string
  firstName: string | null
  lastName: string | null
  date: string | null
  time: string | null
}

/** The records that a rule found: how many, and the first of them. `flagged` counts those that make it more urgent. */
export type FoundRecords = { total: number; flagged: number; first: readonly FoundRecord[] }

/** The insight of a rule, without its id. */
export type Suggestion = Pick<
  AiInsight,
  'type' | 'priority' | 'title' | 'message' | 'actionItems' | 'basedOn' | 'basedOnTotal'
>

/** Returns "1 patient has" or "3 patients have". */
export const countNoun = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`

const formatName = ({ firstName, lastName }: FoundRecord): string =>
  [firstName, lastName].filter(Boolean).join(' ') || 'Unnamed patient'

/** Returns "Wednesday, March 5" for a date, YYYY-MM-DD. */
export const formatDay = (date: string): string => format(parseISO(date), 'EEEE, MMMM d')

/** Returns the patients that an insight is based on. */
export const basedOnPatients = ({ first, total }: FoundRecords) => ({
  basedOn: first.map((record): InsightBasis => ({
    kind: 'patient',
    id: record.id,
    label: formatName(record),
    href: `/patients/${record.id}`,
  })),
  basedOnTotal: total,
})

/** Returns the forms that an insight is based on, by the names of their patients. */
export const basedOnForms = ({ first, total }: FoundRecords) => ({
  basedOn: first.map((record): InsightBasis => ({
    kind: 'form',
    id: record.id,
    label: formatName(record),
    href: `/forms/${record.id}`,
  })),
  basedOnTotal: total,
})

/** Returns the appointments that an insight is based on. */
export const basedOnAppointments = ({ first, total }: FoundRecords) => ({
  basedOn: first.map((record): InsightBasis => {
    const { id, date, time } = record
    const at = date && time ? `${format(parseISO(`${date}T${time}`), 'h:mm a')}, ` : ''
    return {
      kind: 'appointment',
      id,
      label: `${at}${formatName(record)}`,
      href: `/appointments?${new URLSearchParams({ ...(date ? { date } : {}), appointment: id })}`,
    }
  }),
  basedOnTotal: total,
})
