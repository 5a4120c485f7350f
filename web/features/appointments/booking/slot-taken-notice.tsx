import { Button, makeStyles, Text, tokens } from '@fluentui/react-components'
import { ClockAlarmRegular } from '@fluentui/react-icons'
import { useEffect, useRef } from 'react'
import type { FreeSlot } from '#contracts/appointments.ts'
import { Notice } from '#web/ui/notice.tsx'
import { formatTime } from '../local-time.ts'
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
  anyway: {
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

type SlotTakenNoticeProps = {
  /** HH:mm, as all times here, on the practice's clocks. */
  time: string
  until: string
  provider: string | null
  /** Null for those who may not see patients. */
  patient: string | null
  free: readonly Pick<FreeSlot, 'localDate' | 'localTime'>[]
  today: string
  /** The server said so just now; otherwise it is seen before anything is sent. */
  refused: boolean
  /** What did not happen then. */
  refusedWords?: string
  anyway: string
  pending: boolean
  onChoose: (slot: Pick<FreeSlot, 'localDate' | 'localTime'>, button: HTMLButtonElement) => void
  onAnyway: () => void
}

/** Somebody else is there then: who, until when, what is free instead, and the way to book all the same. */
export function SlotTakenNotice(props: SlotTakenNoticeProps) {
  const {
    time,
    until,
    provider,
    patient,
    free,
    today,
    refused,
    refusedWords = 'Nothing was booked.',
    anyway,
    pending,
    onChoose,
    onAnyway,
  } = props
  const styles = useStyles()
  const top = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (refused) top.current?.focus()
  }, [refused])
  const whom = patient ?? 'somebody else'
  const sees = provider
    ? `${provider} sees ${whom} until ${formatTime(until)}.`
    : `${whom} is there until ${formatTime(until)}.`
  return (
    <div ref={top} tabIndex={-1} className={styles.root}>
      <Notice
        tone="waiting"
        icon={ClockAlarmRegular}
        title={refused ? `${formatTime(time)} has just been taken` : `${formatTime(time)} is taken`}
        role="alert"
      >
        <Text>
          {sees}
          {refused && ` ${refusedWords}`}
        </Text>
        {free.length > 0 && (
          <div className={styles.choices}>
            <Text className={styles.label}>Nearest free</Text>
            {free.map((slot) => (
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
        <div className={styles.anyway}>
          <Button size="small" appearance="outline" disabledFocusable={pending} onClick={onAnyway}>
            {anyway}
          </Button>
          <Text className={styles.label}>Both appointments stay, marked as an overlap.</Text>
        </div>
      </Notice>
    </div>
  )
}
