import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  makeStyles,
  Text,
} from '@fluentui/react-components'
import { useFocusReturn } from '#web/ui/use-focus-return.ts'
import type { UnbookedAppointments } from './book-dialog.tsx'
import { formatTime } from '../local-time.ts'
import { formatMediumDate, formatShortWeekday } from '../calendar-dates.ts'
import { formatName } from '../labels.ts'

const useStyles = makeStyles({
  list: { listStyleType: 'none', margin: '12px 0 0', padding: 0, display: 'grid', rowGap: '10px' },
  row: { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr) auto', columnGap: '12px', alignItems: 'center' },
})

type MissingDialogProps = {
  missing: UnbookedAppointments
  onBook: (date: string, time: string) => void
  onClose: () => void
}

/** Tells which appointments of a row are not booked because somebody else was faster, and the way to book each. */
export function UnbookedDialog({
  missing: { prefill: given, bookedCount: booked, unbookedTimes: times },
  onBook,
  onClose,
}: MissingDialogProps) {
  useFocusReturn()
  const styles = useStyles()
  return (
    <Dialog open modalType="alert" onOpenChange={(_, { open }) => !open && onClose()}>
      <DialogSurface>
        <DialogBody>
          <DialogTitle>
            {times.length === 1 ? '1 appointment is not booked' : `${times.length} appointments are not booked`}
          </DialogTitle>
          <DialogContent>
            <Text>
              {`Somebody else took the time in this very moment. The other ${booked} of ${formatName(given.patient)} are booked.`}
            </Text>
            <ul className={styles.list}>
              {times.map(({ date, time }) => {
                const words = `${formatShortWeekday(date)}, ${formatMediumDate(date)}, ${formatTime(time)}`
                return (
                  <li key={date + time} className={styles.row}>
                    <Text weight="semibold">{words}</Text>
                    <Button aria-label={`Find another time instead of ${words}`} onClick={() => onBook(date, time)}>
                      Find another time
                    </Button>
                  </li>
                )
              })}
            </ul>
          </DialogContent>
          <DialogActions>
            <Button onClick={onClose}>Close</Button>
          </DialogActions>
        </DialogBody>
      </DialogSurface>
    </Dialog>
  )
}
