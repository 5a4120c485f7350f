import { formatName } from '#web/ui/format.ts'
import { useRef, useState } from 'react'
import type { Appointment } from '#contracts/appointments.ts'
import { ApiProblem, errorMessage } from '#web/api/call.ts'
import { FormDialog } from '#web/forms/form-dialog.tsx'
import { useNotify } from '#web/ui/toasts.tsx'
import type { SchedulingContext } from '../scheduling-context.ts'
import { NewPatientForm } from '../booking/new-patient-form.tsx'
import { type PickedPatient, PatientPicker } from '#web/entities/patients/patient-picker.tsx'
import { useAddToWaitlist } from './waitlist-api.ts'
import { useAppointmentTypes } from '#web/entities/appointments/use-appointment-types.ts'
import { useOwnAppointments } from './use-own-appointments.ts'
import { blankWishes, toEarlierWishes, toWishes } from './wishes.ts'
import { WishFields } from './wish-fields.tsx'

type WaitlistDialogProps = {
  context: SchedulingContext
  /** The appointment that its patient wants earlier. */
  appointment?: Appointment | undefined
  onClose: () => void
}

/** Adds a patient to the waitlist: for a new appointment, or for an earlier time of one that the patient has. */
export function WaitlistDialog({ context, appointment, onClose }: WaitlistDialogProps) {
  const notify = useNotify()
  const add = useAddToWaitlist()
  const types = useAppointmentTypes()
  const patientInput = useRef<HTMLInputElement>(null)
  const typeInput = useRef<HTMLSelectElement>(null)
  const [patient, setPatient] = useState<PickedPatient | null>(
    appointment ? { ...appointment.patient, id: appointment.patientId, dateOfBirth: null } : null,
  )
  const [newPatientName, setNewPatientName] = useState<string | null>(null)
  const [start] = useState(appointment ? toEarlierWishes(appointment) : blankWishes)
  const [values, setValues] = useState(start)
  const [isSubmitted, setIsSubmitted] = useState(false)
  const loadedOwn = useOwnAppointments(patient?.id, context.now)
  const isGiven = appointment !== undefined && appointment.patientId === patient?.id
  const own = isGiven ? [appointment, ...loadedOwn.filter(({ id }) => id !== appointment.id)] : loadedOwn
  const problem = add.error instanceof ApiProblem ? add.error.problem : null
  const getMessage = (path: string) => problem?.errors.find((error) => error.path === path)?.message

  const patientMessage = isSubmitted && !patient ? 'Please choose a patient' : getMessage('patientId')

  const choosePatient = (chosen: PickedPatient | null) => {
    setPatient(chosen)
    setNewPatientName(null)
    setValues({ ...values, appointmentId: '' })
    if (chosen) setTimeout(() => typeInput.current?.focus())
  }

  const send = async () => {
    setIsSubmitted(true)
    if (!patient) return patientInput.current?.focus()
    if (values.type === '') return typeInput.current?.focus()
    try {
      const entry = await add.mutateAsync({ patientId: patient.id, ...toWishes(values, own, types) })
      notify({ title: 'Added to the waitlist', body: formatName(entry.patient) })
      onClose()
    } catch (error) {
      notify({ title: 'Failed to change the waitlist', body: errorMessage(error), intent: 'error' })
    }
  }

  return (
    <FormDialog
      title="Add to Waitlist"
      action="Add to waitlist"
      pendingAction="Adding..."
      pending={add.isPending}
      dirty={!add.isSuccess && ((patient !== null && !isGiven) || values !== start)}
      signedOut={problem?.status === 401}
      onSubmit={(event) => {
        event.preventDefault()
        return send()
      }}
      onClose={onClose}
    >
      <WishFields
        patient={
          newPatientName === null ? (
            <PatientPicker
              chosen={patient}
              message={patientMessage}
              inputRef={patientInput}
              onChoose={choosePatient}
              onNew={setNewPatientName}
            />
          ) : (
            <NewPatientForm
              typed={newPatientName}
              message={patientMessage}
              inputRef={patientInput}
              onAdded={choosePatient}
              onBack={() => setNewPatientName(null)}
            />
          )
        }
        typeInput={typeInput}
        values={values}
        own={own}
        providers={context.activeProviders}
        getMessage={(path) =>
          path === 'type' && isSubmitted && values.type === '' ? 'Please choose a type' : getMessage(path)
        }
        onChange={(change) => setValues({ ...values, ...change })}
      />
    </FormDialog>
  )
}
