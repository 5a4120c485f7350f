import { Text } from '@fluentui/react-components'
import { useRef, useState } from 'react'
import type { WaitlistEntry } from '#contracts/waitlist.ts'
import { toLocalDateTime } from '#contracts/values/calendar.ts'
import { ApiProblem, errorMessage } from '#web/api/call.ts'
import { useAppointmentTypes } from '#web/entities/appointments/use-appointment-types.ts'
import { FormDialog } from '#web/forms/form-dialog.tsx'
import { formatName } from '#web/ui/format.ts'
import { useNotify } from '#web/ui/toasts.tsx'
import type { SchedulingContext } from '../scheduling-context.ts'
import { useOwnAppointments } from './use-own-appointments.ts'
import { useChangeWaitlistEntry } from './waitlist-api.ts'
import { type OwnAppointment, toWishChange, toWishValues } from './wishes.ts'
import { WishFields } from './wish-fields.tsx'

/** Returns the appointment that an entry is about, as far as the entry tells. */
function toOwn({ appointmentId, appointmentDate, type, duration }: WaitlistEntry, zone: string): OwnAppointment[] {
  if (appointmentId === null || appointmentDate === null) return []
  const { date: localDate, time: localTime } = toLocalDateTime(appointmentDate, zone)
  return [{ id: appointmentId, type, duration, localDate, localTime }]
}

type EditEntryDialogProps = { context: SchedulingContext; entry: WaitlistEntry; onClose: () => void }

/** Changes what a patient on the waitlist waits for; the place on the list stays. */
export function EditEntryDialog({ context, entry, onClose }: EditEntryDialogProps) {
  const notify = useNotify()
  const save = useChangeWaitlistEntry()
  const types = useAppointmentTypes()
  const typeInput = useRef<HTMLSelectElement>(null)
  const [start] = useState(() => toWishValues(entry))
  const [values, setValues] = useState(start)
  const loadedOwn = useOwnAppointments(entry.patientId, context.now)
  const isLoaded = loadedOwn.some(({ id }) => id === entry.appointmentId)
  const own = isLoaded ? loadedOwn : [...toOwn(entry, context.timeZone), ...loadedOwn]
  const problem = save.error instanceof ApiProblem ? save.error.problem : null
  const getMessage = (path: string) => problem?.errors.find((error) => error.path === path)?.message
  const name = formatName(entry.patient)

  const send = async () => {
    if (values.type === '') return typeInput.current?.focus()
    try {
      await save.mutateAsync({ id: entry.id, change: toWishChange(entry, values, own, types) })
      notify({ title: 'Waitlist updated', body: name })
      onClose()
    } catch (error) {
      notify({ title: 'Failed to change the waitlist', body: errorMessage(error), intent: 'error' })
    }
  }

  return (
    <FormDialog
      title={`Edit the waitlist entry of ${name}`}
      action="Save Changes"
      pendingAction="Saving..."
      pending={save.isPending}
      dirty={!save.isSuccess && values !== start}
      signedOut={problem?.status === 401}
      onSubmit={(event) => {
        event.preventDefault()
        return send()
      }}
      onClose={onClose}
    >
      <WishFields
        patient={<Text weight="semibold">{name}</Text>}
        typeInput={typeInput}
        values={values}
        own={own}
        providers={context.allProviders.filter(({ id, active }) => active || id === entry.providerId)}
        getMessage={(path) => (path === 'type' && values.type === '' ? 'Please choose a type' : getMessage(path))}
        onChange={(change) => setValues({ ...values, ...change })}
      />
    </FormDialog>
  )
}
