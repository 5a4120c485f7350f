import { formatTime } from '#web/ui/dates.ts'
import { Button, makeStyles, Text, tokens } from '@fluentui/react-components'
import { ClockAlarmRegular } from '@fluentui/react-icons/svg/clock-alarm'
import { useEffect, useRef } from 'react'
import type { FreeSlot } from '#contracts/appointments.ts'
import { Notice } from '#web/ui/notice.tsx'
import { formatRelativeDay } from '../calendar-dates.ts'

const useStyles = makeStyles({
  root: { gridColumn: '1 / -1', ':focus': { outline: 'none' } },
  choices: {
    display: 'flex',
    flexWrap: 'wrap',
    columnGap: '8px',
    rowGap: '8px',
    marginTop: '8px',
    alignItems: 'center',
  },
  label: { color: tokens.colorNeutralForeground2, fontSize: tokens.fontSizeBase200 },
  choice: { minWidth: 0 },
  overlap: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    columnGap: '10px',
    rowGap: '4px',
    marginTop: '10px',
    paddingTop: '10px',
    borderTop: `1px solid ${tokens.colorStatusWarningBorder1}`,
  },
})

export type SlotTakenNoticeProps = {
  /** HH:mm in the practice's time zone, as `until`. */
  time: string
  until: string
  provider: string | null
  /** Null for users who may not see patients. */
  patient: string | null
  freeSlots: readonly Pick<FreeSlot, 'localDate' | 'localTime'>[]
  today: string
  /** The server has refused the slot; otherwise the conflict is known before anything is sent. */
  isRefused: boolean
  /** Sentence that follows a refusal. */
  refusedText?: string
  /** Label of the button that accepts the overlap. */
  overlapLabel: string
  pending: boolean
  onChoose: (slot: Pick<FreeSlot, 'localDate' | 'localTime'>, button: HTMLButtonElement) => void
  onOverlap: () => void
}

/** Says who has a slot and until when, offers the nearest free slots, and a button to accept the overlap. */
export function SlotTakenNotice(props: SlotTakenNoticeProps) {
  const {
    time,
    until,
    provider,
    patient,
    freeSlots,
    today,
    isRefused,
    refusedText = 'Nothing was booked.',
    overlapLabel,
    pending,
    onChoose,
    onOverlap,
  } = props
  const styles = useStyles()
  const top = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isRefused) top.current?.focus()
  }, [isRefused])
  const other = patient ?? 'another patient'
  const conflict = provider
    ? `${provider} sees ${other} until ${formatTime(until)}.`
    : `${other} is booked until ${formatTime(until)}.`
  return (
    <div ref={top} tabIndex={-1} className={styles.root}>
      <Notice
        tone="warning"
        icon={ClockAlarmRegular}
        title={isRefused ? `${formatTime(time)} has just been taken` : `${formatTime(time)} is taken`}
        role="alert"
      >
        <Text>
          {conflict}
          {isRefused && ` ${refusedText}`}
        </Text>
        {freeSlots.length > 0 && (
          <div className={styles.choices}>
            <Text className={styles.label}>Nearest free</Text>
            {freeSlots.map((slot) => (
              <Button
                key={slot.localDate + slot.localTime}
                size="small"
                className={styles.choice}
                onClick={({ currentTarget }) => onChoose(slot, currentTarget as HTMLButtonElement)}
              >
                {formatRelativeDay(slot.localDate, today)}, {formatTime(slot.localTime)}
              </Button>
            ))}
          </div>
        )}
        <div className={styles.overlap}>
          <Button size="small" appearance="outline" disabledFocusable={pending} onClick={onOverlap}>
            {overlapLabel}
          </Button>
          <Text className={styles.label}>Both appointments stay, marked as an overlap.</Text>
        </div>
      </Notice>
    </div>
  )
}
