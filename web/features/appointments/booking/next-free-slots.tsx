import { formatTime } from '#web/ui/dates.ts'
import { makeStyles, Text, ToggleButton, tokens } from '@fluentui/react-components'
import type { FreeSlot } from '#contracts/appointments.ts'
import { formatRelativeDay } from '../calendar-dates.ts'

const useStyles = makeStyles({
  row: {
    gridColumn: '1 / -1',
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    columnGap: '8px',
    rowGap: '8px',
    marginTop: '-4px',
  },
  label: { color: tokens.colorNeutralForeground2, fontSize: tokens.fontSizeBase200 },
})

type NextFreeSlotsProps = {
  slots: readonly FreeSlot[]
  today: string
  chosen: { date: string; time: string }
  onChoose: (slot: FreeSlot) => void
}

/** Buttons that choose one of the next free slots. */
export function NextFreeSlots({ slots, today, chosen, onChoose }: NextFreeSlotsProps) {
  const styles = useStyles()
  if (slots.length === 0) return null
  return (
    <div className={styles.row} role="group" aria-label="Next free times">
      <Text className={styles.label}>Next free</Text>
      {slots.map((slot) => (
        <ToggleButton
          key={slot.start}
          size="small"
          checked={slot.localDate === chosen.date && slot.localTime === chosen.time}
          onClick={() => onChoose(slot)}
        >
          {formatRelativeDay(slot.localDate, today)}, {formatTime(slot.localTime)}
        </ToggleButton>
      ))}
    </div>
  )
}
