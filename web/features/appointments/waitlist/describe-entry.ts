import { toLocalDateTime } from '#contracts/values/calendar.ts'
import type { WaitlistEntry } from '#contracts/waitlist.ts'
import { appointmentTypeLabels } from '#web/entities/appointments/appointment-type-labels.ts'
import { formatMediumDate } from '../calendar-dates.ts'
import { findProviderName, type SchedulingContext } from '../scheduling-context.ts'

/** Describes the days that suit, "Mar 3, 2031 to Mar 7, 2031"; null for any. */
export function describeDays({ earliest, latest }: Pick<WaitlistEntry, 'earliest' | 'latest'>): string | null {
  if (earliest !== null && latest !== null)
    return earliest === latest
      ? formatMediumDate(earliest)
      : `${formatMediumDate(earliest)} to ${formatMediumDate(latest)}`
  if (earliest !== null) return `from ${formatMediumDate(earliest)}`
  return latest === null ? null : `until ${formatMediumDate(latest)}`
}

/** Names the provider whom a patient wants, and says when this provider takes no more patients. */
export function describeWantedProvider(context: Pick<SchedulingContext, 'allProviders'>, providerId: string): string {
  const name = findProviderName(context, providerId)
  const isInactive = context.allProviders.some(({ id, active }) => id === providerId && !active)
  return isInactive ? `${name} (not active)` : name
}

type Describing = Pick<SchedulingContext, 'timeZone' | 'allProviders'>

/** Describes the slot that a patient waits for on one line: type, provider if there are several, days, and their own appointment. */
export function describeWishes(
  { type, providerId, earliest, latest, appointmentDate }: WaitlistEntry,
  context: Describing,
): string {
  const hasSeveral = context.allProviders.length > 1
  const own =
    appointmentDate === null ? null : formatMediumDate(toLocalDateTime(appointmentDate, context.timeZone).date)
  return [
    appointmentTypeLabels[type],
    providerId !== null && hasSeveral && describeWantedProvider(context, providerId),
    describeDays({ earliest, latest }),
    own && `earlier than ${own}`,
  ]
    .filter(Boolean)
    .join(', ')
}
