import { Checkbox } from '@fluentui/react-components'
import { toLocalDateTime } from '#contracts/values/calendar.ts'
import type { WaitlistEntry } from '#contracts/waitlist.ts'
import { appointmentTypeLabels } from '#web/entities/appointments/appointment-type-labels.ts'
import { TwoLineCell } from '#web/ui/text.tsx'
import { formatMediumDate } from '../calendar-dates.ts'

type WaitingChoiceProps = {
  entry: WaitlistEntry
  /** Time zone of the practice. */
  zone: string
  isRemoved: boolean
  onChange: (isRemoved: boolean) => void
}

/** The choice whether a booking takes its patient off the waitlist. */
export function WaitingChoice({
  entry: { type, duration, waitingSince },
  zone,
  isRemoved,
  onChange,
}: WaitingChoiceProps) {
  const since = formatMediumDate(toLocalDateTime(waitingSince, zone).date)
  return (
    <Checkbox
      checked={isRemoved}
      onChange={(_, { checked }) => onChange(checked === true)}
      label={
        <TwoLineCell
          wrap
          top="Take the patient off the waitlist"
          bottom={`${appointmentTypeLabels[type]}, ${duration} min, waiting since ${since}`}
        />
      }
    />
  )
}
