import { toLocalDateTime } from '#contracts/values/calendar.ts'
import { formatTime } from '#web/ui/dates.ts'
import { Button, makeStyles, Text } from '@fluentui/react-components'
import { QuestionCircleRegular } from '@fluentui/react-icons/svg/question-circle'
import { useEffect, useRef } from 'react'
import { Notice } from '#web/ui/notice.tsx'
import { formatMediumDate, formatShortWeekday } from '../calendar-dates.ts'
import type { Concerns } from './use-confirmation.ts'

const useStyles = makeStyles({
  root: { gridColumn: '1 / -1', ':focus': { outline: 'none' } },
  list: { margin: '4px 0', paddingLeft: '18px' },
})

/** Times that a question about a series names; the others are only counted. */
const maxNamedTimes = 4

type Describe = { patientName: string; zone: string }
type TimeConcern = Exclude<Concerns[number]['concern'], 'patient-deceased'>

/** The words for one date, and for several. */
const predicates: Record<TimeConcern, { one: string; several: string }> = {
  'in-the-past': { one: 'is in the past', several: 'are in the past' },
  'not-a-working-day': { one: 'is not a working day', several: 'are not working days' },
  holiday: { one: 'is a holiday', several: 'are holidays' },
  'provider-day-off': { one: 'is a day off of the provider', several: 'are days off of the provider' },
  'outside-working-hours': { one: 'is outside the working hours', several: 'are outside the working hours' },
  'in-a-break': { one: 'is in a break', several: 'are in a break' },
}

/** The concerns about a time of day, whose reason is a range of times. */
const hoursConcerns: readonly string[] = ['outside-working-hours', 'in-a-break']
const namesTime = (concern: string) => concern === 'in-the-past' || hoursConcerns.includes(concern)

/** Formats a reason: "Thanksgiving", or "8:00 AM to 12:00 PM" for "08:00-12:00". */
const formatReason = (concern: string, reason: string): string =>
  hoursConcerns.includes(concern)
    ? reason
        .split('-')
        .map((time) => formatTime(time === '24:00' ? '00:00' : time))
        .join(' to ')
    : reason

/** Describes a concern: "Sun, Nov 22, 2026 is not a working day.", "Thu, Nov 26, 2026 is a holiday (Thanksgiving)." */
export function describeConcern({ concern, starts, reasons = [] }: Concerns[number], about: Describe): string {
  if (concern === 'patient-deceased') return `${about.patientName} is recorded as deceased.`
  const dates = starts.map((start, index) => {
    const { date, time } = toLocalDateTime(start, about.zone)
    const day = `${formatShortWeekday(date)}, ${formatMediumDate(date)}`
    const reason = reasons[index]
    return {
      name: namesTime(concern) ? `${day}, ${formatTime(time)}` : day,
      reason: reason ? ` (${formatReason(concern, reason)})` : '',
    }
  })
  const { one, several } = predicates[concern]
  const [only] = dates
  if (dates.length === 1 && only) return `${only.name} ${one}${only.reason}.`
  const others = dates.length - maxNamedTimes
  const named = dates.slice(0, maxNamedTimes).map(({ name, reason }) => `${name}${reason}`)
  const listed = [...named, ...(others > 0 ? [`and ${others} more`] : [])].join('; ')
  return `${dates.length} dates ${several}: ${listed}.`
}

type ConfirmNoticeProps = Describe & {
  concerns: Concerns
  /** Label of the button that books all the same. */
  confirmLabel: string
  pending: boolean
  onConfirm: () => void
}

/** Asks before an appointment is booked or moved for a deceased patient, into the past or outside the working time. */
export function ConfirmNotice({ concerns, confirmLabel, pending, onConfirm, ...describe }: ConfirmNoticeProps) {
  const styles = useStyles()
  const top = useRef<HTMLDivElement>(null)
  useEffect(() => top.current?.focus(), [])
  const [only, ...others] = concerns.map((concern) => describeConcern(concern, describe))
  return (
    <div ref={top} tabIndex={-1} className={styles.root}>
      <Notice
        tone="warning"
        icon={QuestionCircleRegular}
        title="Is this right?"
        role="alert"
        actions={
          <Button size="small" appearance="outline" disabledFocusable={pending} onClick={onConfirm}>
            {confirmLabel}
          </Button>
        }
      >
        {others.length === 0 ? (
          <Text>{only}</Text>
        ) : (
          <ul className={styles.list}>
            {[only, ...others].map((sentence) => (
              <li key={sentence}>
                <Text>{sentence}</Text>
              </li>
            ))}
          </ul>
        )}
      </Notice>
    </div>
  )
}
