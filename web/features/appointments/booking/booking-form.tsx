import { useController } from 'react-hook-form'
import { RecurrenceFields } from '../series/recurrence-fields.tsx'
import type { SchedulingContext } from '../scheduling-context.ts'
import { WaitingChoice } from '../waitlist/waiting-choice.tsx'
import { formatName } from '#web/ui/format.ts'
import { AppointmentFields } from './appointment-fields.tsx'
import { ConfirmNotice } from './confirm-notice.tsx'
import { NewPatientForm } from './new-patient-form.tsx'
import { NextFreeSlots } from './next-free-slots.tsx'
import { PatientPicker } from '#web/entities/patients/patient-picker.tsx'
import { RequestedSlotNotice } from './requested-slot-notice.tsx'
import type { Booking } from './use-booking.ts'

type BookingFormProps = {
  context: SchedulingContext
  booking: Booking
  /** The search text with which a new patient is added; null while searching. */
  newPatientName: string | null
  onNewPatient: (typed: string | null) => void
  onAddProvider: () => void
}

/** Inputs of a booking: the patient, the slot, the details, and how the appointment repeats. */
export function BookingForm({ context, booking, newPatientName, onNewPatient, onAddProvider }: BookingFormProps) {
  const { form, values, plan, availability, waiting } = booking
  // Registered before the other inputs: of several invalid ones, the first gets the focus.
  const { field: patientField } = useController({ control: form.control, name: 'patientId' })
  const choosePatient: typeof booking.choosePatient = (patient) => {
    onNewPatient(null)
    booking.choosePatient(patient)
  }
  return (
    <AppointmentFields
      control={form.control}
      providers={context.activeProviders}
      canAddProvider={context.canAddProvider}
      onAddProvider={onAddProvider}
      daySlots={availability.slots}
      dayNote={availability.dayNote}
      getTakenUntil={availability.getTakenUntil}
      isFreeTime={booking.isFreeTime}
      onFreeTime={booking.enterFreeTime}
      onType={booking.handleType}
      onDuration={booking.handleDuration}
      patient={
        newPatientName === null ? (
          <PatientPicker
            chosen={booking.patient}
            message={form.formState.errors.patientId?.message}
            inputRef={patientField.ref}
            onChoose={choosePatient}
            onNew={onNewPatient}
          />
        ) : (
          <NewPatientForm
            typed={newPatientName}
            message={form.formState.errors.patientId?.message}
            inputRef={patientField.ref}
            onAdded={choosePatient}
            onBack={() => onNewPatient(null)}
          />
        )
      }
      waitlist={
        waiting.entry &&
        !plan.isRepeating && (
          <WaitingChoice
            entry={waiting.entry}
            zone={context.timeZone}
            isRemoved={waiting.isRemoved}
            onChange={waiting.setRemoved}
          />
        )
      }
      isRepeating={plan.isRepeating}
      recurrence={
        <RecurrenceFields
          plan={plan}
          date={values.date}
          time={values.time}
          today={context.today}
          zone={context.timeZone}
        />
      }
      slots={<SlotSuggestions context={context} booking={booking} />}
    />
  )
}

/** Moves the focus to the submit button, so that the form can be sent without the mouse. */
const focusSubmit = (form: HTMLFormElement | null) => form?.querySelector<HTMLElement>('[type=submit]')?.focus()

function SlotSuggestions({ context, booking }: Pick<BookingFormProps, 'context' | 'booking'>) {
  const { values, plan, availability, refusedSlot, chooseSlot } = booking
  const { question } = booking.confirmation
  if (question)
    return (
      <ConfirmNotice
        concerns={question.concerns}
        patientName={booking.patient ? formatName(booking.patient) : 'This patient'}
        zone={context.timeZone}
        confirmLabel="Book anyway"
        pending={booking.isPending}
        onConfirm={() => {
          booking.confirmation.accept(question)
          void booking.submit(question.allowOverlap)()
        }}
      />
    )
  const isTaken = refusedSlot !== null || availability.conflicts.length > 0
  if (isTaken && !plan.isRepeating)
    return (
      <RequestedSlotNotice
        context={context}
        values={values}
        refusedSlot={refusedSlot}
        conflicts={availability.conflicts}
        nearestSlots={availability.nearestSlots}
        overlapLabel="Book anyway"
        pending={booking.isPending}
        onChoose={(slot, button) => {
          // At once: the next key press may come before a timer.
          focusSubmit(button.form)
          chooseSlot(slot)
        }}
        onOverlap={() => void booking.submit(true)()}
      />
    )
  return (
    <NextFreeSlots
      slots={availability.nextSlots}
      today={context.today}
      chosen={{ date: values.date, time: values.time }}
      onChoose={chooseSlot}
    />
  )
}
