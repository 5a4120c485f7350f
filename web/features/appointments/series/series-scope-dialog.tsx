import { formatName } from '#web/ui/format.ts'
import { formatTime } from '#web/ui/dates.ts'
import { Button, makeStyles } from '@fluentui/react-components'
import { useState } from 'react'
import type { Appointment } from '#contracts/appointments.ts'
import { errorMessage } from '#web/api/call.ts'
import { DialogFrame } from '#web/ui/dialog-frame.tsx'
import { ConfirmNotice } from '../booking/confirm-notice.tsx'
import { useConfirmation } from '../booking/use-confirmation.ts'
import { toTimeString } from '../local-time.ts'
import { type SchedulingContext, findProviderName } from '../scheduling-context.ts'
import type { PartialSeriesChange } from './partial-series-dialog.tsx'
import { SeriesMovePreview } from './series-move-preview.tsx'
import { SeriesScopeField } from './series-scope-field.tsx'
import { SeriesConflicts } from './series-conflicts.tsx'
import { type Placement, toPlacementChange } from '../day/placement.ts'
import { useSeriesChange } from './use-series-change.ts'

const useStyles = makeStyles({ content: { display: 'grid', rowGap: '12px' } })

/** An appointment in a series that was moved, resized or given to another provider on the timeline. */
export type SeriesMove = { appointment: Appointment; to: Placement }

type SeriesScopeDialogProps = {
  context: SchedulingContext
  move: SeriesMove
  /** Moves this appointment alone. */
  onMoveOne: () => Promise<void>
  onPartialChange: (partial: PartialSeriesChange) => void
  onClose: () => void
}

/** Asks which appointments in a series to move. Closing the dialog moves none. */
export function SeriesScopeDialog({
  context,
  move: { appointment, to },
  onMoveOne,
  onPartialChange,
  onClose,
}: SeriesScopeDialogProps) {
  const styles = useStyles()
  const series = useSeriesChange({ onPartialChange })
  const confirmation = useConfirmation(series.scope)
  const [failure, setFailure] = useState<string | null>(null)
  const [isSending, setIsSending] = useState(false)
  const { question } = confirmation
  const pending = series.isPending || isSending
  const { appointmentDate: newStart } = toPlacementChange(appointment, to)
  async function send(allowOverlap: boolean): Promise<void> {
    if (pending) return
    setFailure(null)
    setIsSending(true)
    if (series.scope === 'this') await onMoveOne()
    else {
      const confirmed = confirmation.getConfirmed(series.scope)
      const change = { ...toPlacementChange(appointment, to), confirmed }
      const error = await series.send(appointment, change, allowOverlap)
      if (error === null) onClose()
      else if (!confirmation.recordQuestion(error, series.scope, allowOverlap) && error !== 'conflicts')
        setFailure(errorMessage(error))
    }
    setIsSending(false)
  }

  return (
    <DialogFrame
      title={describeMove(appointment, to, context)}
      modalType="alert"
      pending={pending}
      failure={failure}
      closeLabel="Discard change"
      actions={
        <Button type="submit" appearance="primary" disabledFocusable={pending}>
          {pending ? 'Saving...' : 'Save'}
        </Button>
      }
      classNames={{ content: styles.content }}
      onSubmit={(event) => {
        event.preventDefault()
        void send(false)
      }}
      onClose={onClose}
    >
      <SeriesScopeField
        appointment={appointment}
        now={context.now}
        label="Which appointments to change?"
        scope={series.scope}
        onScope={(scope) => {
          setFailure(null)
          series.setScope(scope)
        }}
      />
      {newStart && (
        <SeriesMovePreview
          appointment={appointment}
          scope={series.scope}
          now={context.now}
          to={{ date: newStart.slice(0, 10), time: newStart.slice(11, 16) }}
          zone={context.timeZone}
        />
      )}
      {question && (
        <ConfirmNotice
          concerns={question.concerns}
          patientName={formatName(appointment.patient)}
          zone={context.timeZone}
          confirmLabel="Move anyway"
          pending={pending}
          onConfirm={() => {
            confirmation.accept(question)
            void send(question.allowOverlap)
          }}
        />
      )}
      {!question && series.conflicts && (
        <SeriesConflicts
          conflicts={series.conflicts}
          zone={context.timeZone}
          pending={pending}
          overlapLabel="Move anyway"
          onOverlap={() => void send(true)}
        />
      )}
    </DialogFrame>
  )
}

/** Returns the question: "Move Grace Hopper to 9:30 AM?" */
function describeMove(appointment: Appointment, to: Placement, context: SchedulingContext): string {
  const name = formatName(appointment.patient)
  const { appointmentDate, duration, providerId } = toPlacementChange(appointment, to)
  const provider = providerId && findProviderName(context, providerId)
  if (appointmentDate)
    return `Move ${name} to ${formatTime(toTimeString(to.start))}${provider ? ` with ${provider}` : ''}?`
  if (provider) return `Move ${name} to ${provider}?`
  return `Change ${name} to ${duration} minutes?`
}
