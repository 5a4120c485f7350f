import { useState } from 'react'
import { AddProviderDialog } from '#web/entities/providers/provider-dialog.tsx'
import { FormDialog } from '#web/forms/form-dialog.tsx'
import { computeOutcome } from '../series/recurrence.ts'
import { BookingForm } from './booking-form.tsx'
import { type BookingOptions, useBooking } from './use-booking.ts'

/** Books an appointment or a series. The keyboard path: a name, Enter, a letter for the type, Enter. */
export function BookDialog(options: BookingOptions) {
  const { context, onClose } = options
  const booking = useBooking(options)
  const { form, plan } = booking
  const [adding, setAdding] = useState<{ patient: string } | 'provider' | null>(null)
  const count = plan.isRepeating ? computeOutcome(plan.appointments, plan.resolutions).count : 0
  return (
    <>
      <FormDialog
        title="Schedule Appointment"
        action={count > 0 ? `Schedule ${count} appointments` : 'Schedule appointment'}
        pendingAction="Scheduling..."
        pending={booking.isPending}
        dirty={booking.isDirty}
        signedOut={form.signedOut}
        onSubmit={(event) => booking.submit(false)(event)}
        onClose={onClose}
      >
        <BookingForm
          context={context}
          booking={booking}
          newPatientName={adding && adding !== 'provider' ? adding.patient : null}
          onNewPatient={(typed) => setAdding(typed === null ? null : { patient: typed })}
          onAddProvider={() => setAdding('provider')}
        />
      </FormDialog>
      {adding === 'provider' && (
        <AddProviderDialog
          onClose={() => setAdding(null)}
          onAdded={({ id }) => {
            setAdding(null)
            form.setValue('providerId', id, { shouldDirty: true })
          }}
        />
      )}
    </>
  )
}
