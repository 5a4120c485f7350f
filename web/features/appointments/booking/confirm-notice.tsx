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

/** Describes a concern: "Sun, Nov 22, 2026 is not a working day." */
export function describeConcern({ concern, starts }: Concerns[number], { patientName, zone }: Describe): string {
  if (concern === 'patient-deceased') return `${patientName} is recorded as deceased.`
  const local = starts.map((start) => toLocalDateTime(start, zone))
  const days = local.map(({ date }) => `${formatShortWeekday(date)}, ${formatMediumDate(date)}`)
  const names = concern === 'in-the-past' ? days.map((day, n) => `${day}, ${formatTime(local[n]?.time ?? '')}`) : days
  const [only = ''] = names
  if (names.length === 1) return `${only} ${concern === 'in-the-past' ? 'is in the past' : 'is not a working day'}.`
  const others = names.length - maxNamedTimes
  const listed = [...names.slice(0, maxNamedTimes), ...(others > 0 ? [`and ${others} more`] : [])].join('; ')
  return `${names.length} dates are ${concern === 'in-the-past' ? 'in the past' : 'not working days'}: ${listed}.`
}

type ConfirmNoticeProps = Describe & {
  concerns: Concerns
  /** Label of the button that books all the same. */
  confirmLabel: string
  pending: boolean
  onConfirm: () => void
}

/** Asks before an appointment is booked or moved for a deceased patient, into the past or to a day without work. */
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
