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
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Appointment } from '#contracts/appointments.ts'
import type { WaitlistEntry } from '#contracts/waitlist.ts'
import { wordsOf } from '#web/app/call.ts'
import { useFocusReturn } from '#web/app/focus-return.ts'
import { useNotify } from '#web/app/toasts.tsx'
import { TwoLines } from '#web/app/words.tsx'
import { useBook, useChangeVisit } from './api.ts'
import { clock, localIn } from './clock.ts'
import { nearDay, plainDay } from './days.ts'
import type { Desk } from './desk.ts'
import { candidatesQuery } from './waitlist-api.ts'
import { typeWords } from '#web/app/visit-types.ts'
import { nameOf } from './words.ts'

const useStyles = makeStyles({
  list: { listStyleType: 'none', margin: '12px 0 0', padding: 0, display: 'grid', rowGap: '10px' },
  row: { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr) auto', columnGap: '12px', alignItems: 'center' },
})

type FreedDialogProps = { desk: Desk; freed: Appointment; onClose: () => void }

/** A time has become free: the three of the waitlist who fit best, one press to book each. Closes when nobody does. */
export function FreedDialog({ desk, freed, onClose }: FreedDialogProps) {
  useFocusReturn()
  const styles = useStyles()
  const notify = useNotify()
  const queries = useQueryClient()
  const { data, error } = useQuery(candidatesQuery(freed))
  const book = useBook()
  const change = useChangeVisit()
  const pending = book.isPending || change.isPending
  const nobody = error !== null || data?.length === 0
  useEffect(() => {
    if (nobody) onClose()
  }, [nobody, onClose])
  if (!data || nobody) return null

  const options = {
    onSuccess: (visit: Appointment) => {
      notify({ title: 'Appointment scheduled', body: `${nameOf(visit.patient)}, ${clock(visit.localTime)}` })
      void queries.invalidateQueries({ queryKey: ['waitlist'] })
      onClose()
    },
    onError: (failure: Error) =>
      notify({ title: 'Failed to schedule appointment', body: wordsOf(failure), intent: 'error' }),
  }
  const take = ({ id, patientId, appointmentId, type, duration }: WaitlistEntry) => {
    const place = { providerId: freed.providerId, appointmentDate: freed.appointmentDate, waitlistEntryId: id }
    // Who has a later visit comes earlier instead; a second visit is not what they waited for.
    if (appointmentId) change.mutate({ appointmentId, body: place }, options)
    else book.mutate({ ...place, patientId, type, duration }, options)
  }
  return (
    <Dialog open onOpenChange={(_, { open }) => !open && !pending && onClose()}>
      <DialogSurface>
        <DialogBody>
          <DialogTitle>{`${nearDay(freed.localDate, desk.today)}, ${clock(freed.localTime)} is free now`}</DialogTitle>
          <DialogContent>
            <Text>These patients wait for an earlier time. Call them first: no message is sent.</Text>
            <ul className={styles.list}>
              {data.map((entry) => (
                <li key={entry.id} className={styles.row}>
                  <TwoLines
                    strong
                    top={nameOf(entry.patient)}
                    bottom={`${typeWords[entry.type]}, ${entry.duration} min, waiting since ${plainDay(localIn(desk.zone, entry.waitingSince).date)}`}
                  />
                  <Button
                    disabledFocusable={pending}
                    aria-label={`Book ${nameOf(entry.patient)}`}
                    onClick={() => take(entry)}
                  >
                    Book
                  </Button>
                </li>
              ))}
            </ul>
          </DialogContent>
          <DialogActions>
            <Button onClick={onClose}>Leave it free</Button>
          </DialogActions>
        </DialogBody>
      </DialogSurface>
    </Dialog>
  )
}
