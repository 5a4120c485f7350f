import { formatName } from '#web/ui/format.ts'
import { Button, Text } from '@fluentui/react-components'
import { useState } from 'react'
import type { NotMoved } from '#contracts/appointment-series.ts'
import type { Appointment } from '#contracts/appointments.ts'
import { ApiProblem } from '#web/api/call.ts'
import { DialogFrame } from '#web/ui/dialog-frame.tsx'
import { useNotify } from '#web/ui/toasts.tsx'
import { useUpdateAppointment } from '#web/entities/appointments/update-appointment.ts'
import type { SeriesChange } from './series-api.ts'
import { describeNotMoved } from './series-conflicts.tsx'
import { parseSlotTaken } from '../booking/appointment-form.ts'

/** A series change that succeeded in part: the request, the number of changed appointments, and the unchanged ones. */
export type PartialSeriesChange = {
  patient: Appointment['patient']
  change: SeriesChange
  changedCount: number
  notMoved: readonly NotMoved[]
}

type PartialSeriesDialogProps = { zone: string; partial: PartialSeriesChange; onClose: () => void }

/** Lists the appointments that were not changed, with the reasons, and retries them. */
export function PartialSeriesDialog({ zone, partial, onClose }: PartialSeriesDialogProps) {
  const notify = useNotify()
  const change = useUpdateAppointment()
  const [{ changedCount, notMoved }, setProgress] = useState({
    changedCount: partial.changedCount,
    notMoved: partial.notMoved,
  })
  const [pending, setPending] = useState(false)
  const isSingle = notMoved.length === 1
  const isTaken = notMoved.some(({ reason }) => reason === 'taken')

  async function retry(allowOverlap: boolean): Promise<void> {
    if (pending) return
    setPending(true)
    const remaining: NotMoved[] = []
    for (const item of notMoved) {
      // Without a new time in the request, an appointment that another user has moved stays there.
      const time = partial.change.appointmentDate === undefined ? {} : { appointmentDate: item.start }
      const body = { ...partial.change, ...time, allowOverlap }
      try {
        await change.mutateAsync({ appointmentId: item.appointmentId, body })
      } catch (error) {
        const conflict = parseSlotTaken(error)?.conflict ?? null
        const isConflict = error instanceof ApiProblem && error.status === 409
        const reason = conflict ? 'taken' : isConflict ? 'changed-meanwhile' : 'failed'
        remaining.push({ ...item, reason, conflict })
      }
    }
    setPending(false)
    setProgress({ changedCount: changedCount + notMoved.length - remaining.length, notMoved: remaining })
    if (remaining.length > 0) return
    notify({ title: 'Appointments updated', body: formatName(partial.patient) })
    onClose()
  }

  return (
    <DialogFrame
      title={`${notMoved.length} of ${changedCount + notMoved.length} appointments ${isSingle ? 'was not changed' : 'were not changed'}`}
      modalType="alert"
      pending={pending}
      closeLabel={isSingle ? 'Leave it unchanged' : 'Leave them unchanged'}
      actions={
        <>
          {isTaken && (
            <Button disabledFocusable={pending} onClick={() => void retry(true)}>
              Save anyway
            </Button>
          )}
          <Button appearance="primary" disabledFocusable={pending} onClick={() => void retry(false)}>
            {pending ? 'Saving...' : 'Try again'}
          </Button>
        </>
      }
      fluidActions
      onClose={onClose}
    >
      <Text>
        {changedCount === 0
          ? `None of the appointments with ${formatName(partial.patient)} were changed.`
          : `The other ${changedCount} with ${formatName(partial.patient)} ${changedCount === 1 ? 'was' : 'were'} changed.`}
      </Text>
      <ul aria-live="polite">
        {notMoved.map((item) => (
          <li key={item.appointmentId}>
            <Text>{describeNotMoved(item, zone)}</Text>
          </li>
        ))}
      </ul>
    </DialogFrame>
  )
}
