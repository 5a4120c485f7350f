import type { Closure } from '#contracts/working-hours.ts'
import { formatDate } from '#web/ui/dates.ts'
import { formatNumber } from '#web/ui/format.ts'

/** A holiday closes the practice, days off concern one provider. */
export type ClosureKind = 'holiday' | 'day-off'

export const closureLabels = {
  holiday: {
    title: 'Holidays',
    note: 'The practice is closed',
    subject: 'the holidays',
    add: 'Add holiday',
    dialog: 'Add Holiday',
    added: 'Holiday added',
    removed: 'Holiday removed',
    empty: 'No holidays ahead',
    hint: 'Add the days on which the practice is closed.',
  },
  'day-off': {
    title: 'Days off',
    note: 'By provider',
    subject: 'the days off',
    add: 'Add days off',
    dialog: 'Add Days Off',
    added: 'Days off added',
    removed: 'Days off removed',
    empty: 'No days off ahead',
    hint: 'Add the days on which a provider sees no patients.',
  },
} as const

/** Formats the dates of a closure: "Nov 26, 2026" or "Dec 24, 2026 to Jan 1, 2027". */
export const formatDates = ({ from, until }: Pick<Closure, 'from' | 'until'>): string =>
  from === until ? formatDate(from) : `${formatDate(from)} to ${formatDate(until)}`

/** Describes the appointments that are booked on the days of a closure. */
export const describeBooked = (appointments: number): string =>
  appointments === 1 ? '1 appointment is booked' : `${formatNumber(appointments)} appointments are booked`
