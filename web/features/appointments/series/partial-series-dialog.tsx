import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  Text,
} from '@fluentui/react-components'
import { useState } from 'react'
import type { NotMoved } from '#contracts/appointment-series.ts'
import type { Appointment } from '#contracts/appointments.ts'
import { ApiProblem } from '#web/api/call.ts'
import { useFocusReturn } from '#web/ui/use-focus-return.ts'
import { useNotify } from '#web/ui/toasts.tsx'
import { useUpdateAppointment } from '../api.ts'
import type { SeriesChange } from './series-api.ts'
import { describeNotMoved } from './series-conflicts.tsx'
import { parseSlotTaken } from '../booking/appointment-form.ts'
import { formatName } from '../labels.ts'

/** A row that was changed in part: what was asked for, how many are changed, and which are not. */
export type PartialSeriesChange = {
  patient: Appointment['patient']
  change: SeriesChange
  changedCount: number
  notMoved: readonly NotMoved[]
}

type LeftDialogProps = { zone: string; left: PartialSeriesChange; onClose: () => void }

/** Tells which appointments of a row stay as they were and why, and tries those again. */
export function PartialSeriesDialog({ zone, left, onClose }: LeftDialogProps) {
  useFocusReturn()
  const notify = useNotify()
  const change = useUpdateAppointment()
  const [{ changedCount: changed, notMoved }, setLeft] = useState(left)
  const [pending, setPending] = useState(false)
  const one = notMoved.length === 1
  const isTaken = notMoved.some(({ reason }) => reason === 'taken')

  async function again(allowOverlap: boolean): Promise<void> {
    if (pending) return
    setPending(true)
    const still: NotMoved[] = []
    for (const each of notMoved) {
      // Who only gets other words stays where somebody else may have moved them.
      const to = left.change.appointmentDate === undefined ? {} : { appointmentDate: each.start }
      const body = { ...left.change, ...to, allowOverlap }
      try {
        await change.mutateAsync({ appointmentId: each.appointmentId, body })
      } catch (error) {
        const conflict = parseSlotTaken(error)?.conflict ?? null
        const isMeanwhile = error instanceof ApiProblem && error.status === 409
        const reason = conflict ? 'taken' : isMeanwhile ? 'changed-meanwhile' : 'failed'
        still.push({ ...each, reason, conflict })
      }
    }
    setPending(false)
    setLeft((now) => ({ ...now, changedCount: now.changedCount + notMoved.length - still.length, notMoved: still }))
    if (still.length > 0) return
    notify({ title: 'Appointments updated', body: formatName(left.patient) })
    onClose()
  }

  return (
    <Dialog open modalType="alert" onOpenChange={(_, { open }) => !open && !pending && onClose()}>
      <DialogSurface>
        <DialogBody>
          <DialogTitle>{`${notMoved.length} of ${changed + notMoved.length} appointments ${one ? 'stays as it was' : 'stay as they were'}`}</DialogTitle>
          <DialogContent>
            <Text>
              {changed === 0
                ? `None of ${formatName(left.patient)} was changed.`
                : `The other ${changed} of ${formatName(left.patient)} ${changed === 1 ? 'is' : 'are'} changed.`}
            </Text>
            <ul aria-live="polite">
              {notMoved.map((each) => (
                <li key={each.appointmentId}>
                  <Text>{describeNotMoved(each, zone)}</Text>
                </li>
              ))}
            </ul>
          </DialogContent>
          <DialogActions fluid>
            <Button onClick={onClose} disabledFocusable={pending}>
              {one ? 'Leave it' : 'Leave them'}
            </Button>
            {isTaken && (
              <Button disabledFocusable={pending} onClick={() => void again(true)}>
                Save anyway
              </Button>
            )}
            <Button appearance="primary" disabledFocusable={pending} onClick={() => void again(false)}>
              {pending ? 'Saving...' : 'Try again'}
            </Button>
          </DialogActions>
        </DialogBody>
      </DialogSurface>
    </Dialog>
  )
}
