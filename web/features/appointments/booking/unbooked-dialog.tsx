import { formatName } from '#web/ui/format.ts'
import { formatTime } from '#web/ui/dates.ts'
import { Button, makeStyles, Text } from '@fluentui/react-components'
import { DialogFrame } from '#web/ui/dialog-frame.tsx'
import type { UnbookedAppointments } from './booking-prefill.ts'
import { formatMediumDate, formatShortWeekday } from '../calendar-dates.ts'

const useStyles = makeStyles({
  list: { listStyleType: 'none', margin: '12px 0 0', padding: 0, display: 'grid', rowGap: '10px' },
  item: { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr) auto', columnGap: '12px', alignItems: 'center' },
})

type UnbookedDialogProps = {
  unbooked: UnbookedAppointments
  onBook: (date: string, time: string) => void
  onClose: () => void
}

/** Lists the appointments in a series whose time was taken while it was booked, each with a button to rebook it. */
export function UnbookedDialog({
  unbooked: { prefill, bookedCount, unbookedTimes },
  onBook,
  onClose,
}: UnbookedDialogProps) {
  const styles = useStyles()
  return (
    <DialogFrame
      title={
        unbookedTimes.length === 1
          ? '1 appointment is not booked'
          : `${unbookedTimes.length} appointments are not booked`
      }
      modalType="alert"
      closeLabel="Close"
      onClose={onClose}
    >
      <Text>
        {`Another user just booked this time. The other ${bookedCount} with ${formatName(prefill.patient)} are booked.`}
      </Text>
      <ul className={styles.list}>
        {unbookedTimes.map(({ date, time }) => {
          const label = `${formatShortWeekday(date)}, ${formatMediumDate(date)}, ${formatTime(time)}`
          return (
            <li key={date + time} className={styles.item}>
              <Text weight="semibold">{label}</Text>
              <Button aria-label={`Find another time instead of ${label}`} onClick={() => onBook(date, time)}>
                Find another time
              </Button>
            </li>
          )
        })}
      </ul>
    </DialogFrame>
  )
}
