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
  tokens,
} from '@fluentui/react-components'
import { useState } from 'react'
import type { Appointment } from '#contracts/appointments.ts'
import { errorMessage } from '#web/api/call.ts'
import { useFocusReturn } from '#web/ui/use-focus-return.ts'
import { formatTime, toTimeString } from '../local-time.ts'
import { type SchedulingContext, findProviderName } from '../scheduling-context.ts'
import type { PartialSeriesChange } from './partial-series-dialog.tsx'
import { ScopeField } from './series-scope-field.tsx'
import { SeriesConflicts } from './series-conflicts.tsx'
import { type Placement, toPlacementChange } from '../day/use-appointment-drag.ts'
import { useSeriesChange } from './use-series-change.ts'
import { formatName } from '../labels.ts'

const useStyles = makeStyles({
  content: { display: 'grid', rowGap: '12px' },
  failed: { color: tokens.colorStatusDangerForeground1 },
})

/** An appointment of a row that somebody moved, lengthened or handed over on the day. */
export type SeriesMove = { appointment: Appointment; to: Placement }

type ScopeDialogProps = {
  desk: SchedulingContext
  asked: SeriesMove
  /** Only this one: as any other appointment. */
  onOne: () => Promise<void>
  onLeft: (left: PartialSeriesChange) => void
  onClose: () => void
}

/** Asks which appointments of a row a move is for. Leaving the question leaves every appointment where it was. */
export function SeriesScopeDialog({ desk, asked: { appointment, to }, onOne, onLeft, onClose }: ScopeDialogProps) {
  useFocusReturn()
  const styles = useStyles()
  const row = useSeriesChange({ onLeft })
  const [failure, setFailure] = useState<string | null>(null)
  const [isSending, setSending] = useState(false)
  const pending = row.isPending || isSending
  async function send(allowOverlap: boolean): Promise<void> {
    if (pending) return
    setFailure(null)
    setSending(true)
    if (row.scope === 'this') await onOne()
    else {
      const error = await row.send(appointment, toPlacementChange(appointment, to), allowOverlap)
      if (error === null) onClose()
      else if (error !== 'conflicts') setFailure(errorMessage(error))
    }
    setSending(false)
  }

  return (
    <Dialog open modalType="alert" onOpenChange={(_, { open }) => !open && !pending && onClose()}>
      <DialogSurface>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            void send(false)
          }}
        >
          <DialogBody>
            <DialogTitle>{describeMove(appointment, to, desk)}</DialogTitle>
            <DialogContent className={styles.content}>
              <ScopeField
                appointment={appointment}
                now={desk.now}
                label="Which appointments to change?"
                scope={row.scope}
                onScope={(scope) => {
                  setFailure(null)
                  row.setScope(scope)
                }}
              />
              {row.conflicts && (
                <SeriesConflicts
                  conflicts={row.conflicts}
                  zone={desk.timeZone}
                  pending={pending}
                  anyway="Move anyway"
                  onAnyway={() => void send(true)}
                />
              )}
              {failure && (
                <Text className={styles.failed} role="alert">
                  {failure}
                </Text>
              )}
            </DialogContent>
            <DialogActions>
              <Button onClick={onClose} disabledFocusable={pending}>
                Leave it as it was
              </Button>
              <Button type="submit" appearance="primary" disabledFocusable={pending}>
                {pending ? 'Saving...' : 'Save'}
              </Button>
            </DialogActions>
          </DialogBody>
        </form>
      </DialogSurface>
    </Dialog>
  )
}

/** "Move Grace Hopper to 9:30 AM?" */
function describeMove(appointment: Appointment, to: Placement, desk: SchedulingContext): string {
  const name = formatName(appointment.patient)
  const { appointmentDate, duration, providerId } = toPlacementChange(appointment, to)
  const whom = providerId && findProviderName(desk, providerId)
  if (appointmentDate) return `Move ${name} to ${formatTime(toTimeString(to.start))}${whom ? ` with ${whom}` : ''}?`
  if (whom) return `Give ${name} to ${whom}?`
  return `Change ${name} to ${duration} minutes?`
}
