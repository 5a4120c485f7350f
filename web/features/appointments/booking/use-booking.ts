import { formatTime } from '#web/ui/dates.ts'
import { formatName } from '#web/ui/format.ts'
import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { useWatch } from 'react-hook-form'
import { NewAppointment } from '#contracts/appointments.ts'
import { useContractForm } from '#web/forms/use-contract-form.ts'
import { useNotify } from '#web/ui/toasts.tsx'
import { useBookAppointment } from '../api.ts'
import { formatRelativeDay } from '../calendar-dates.ts'
import type { SchedulingContext } from '../scheduling-context.ts'
import { useSeriesBooking } from '../series/use-series-booking.ts'
import { useSeriesPlan } from '../series/use-series-plan.ts'
import { useWaitingEntry } from '../waitlist/use-waiting-entry.ts'
import {
  type AppointmentValues,
  appointmentFormOptions,
  createBlankValues,
  getSlotKey,
  toNewAppointment,
} from './appointment-form.ts'
import type { PickedPatient } from '#web/entities/patients/patient-picker.tsx'
import type { BookingPrefill, UnbookedAppointments } from './booking-prefill.ts'
import { useConfirmation } from './use-confirmation.ts'
import { useProposedDuration } from './use-proposed-duration.ts'
import { useRefusedSlot } from './use-refused-slot.ts'
import { useSlotAvailability } from './use-slot-availability.ts'
import { useSlotChoice } from './use-slot-choice.ts'

export type BookingOptions = {
  context: SchedulingContext
  /** Day of the form, and time when a slot was chosen. */
  date: string
  time?: string | undefined
  providerId: string
  /** Prefilled values, when one appointment is booked in place of another. */
  prefill?: BookingPrefill | undefined
  onClose: () => void
  onBooked: (date: string) => void
  /** Called when some appointments of a series were not booked because their time was taken in the meantime. */
  onUnbooked: (unbooked: UnbookedAppointments) => void
}

const toStart = ({ date, time, providerId, prefill }: BookingOptions): AppointmentValues => {
  const { patient, ...details } = prefill ?? {}
  return createBlankValues({ date, time: time ?? '', providerId, ...details, patientId: patient?.id ?? '' })
}

/** Holds the state of a booking, of one appointment or of a series, and sends it. */
export function useBooking(options: BookingOptions) {
  const { context, onClose, onBooked } = options
  const notify = useNotify()
  const book = useBookAppointment()
  const [patient, setPatient] = useState<PickedPatient | null>(options.prefill?.patient ?? null)
  const [start] = useState(() => toStart(options))
  const form = useContractForm({
    start,
    schema: NewAppointment,
    toBody: toNewAppointment,
    ...appointmentFormOptions,
    failed: 'Failed to schedule appointment',
  })
  const values = useWatch({ control: form.control }) as AppointmentValues
  const plan = useSeriesPlan(values)
  const waiting = useWaitingEntry(patient?.id, values.type)
  const availability = useSlotAvailability({ ...values, duration: Number(values.duration) }, context)
  const { refusedSlot, recordRefusal } = useRefusedSlot(values)
  const getRequestKey = (requested: AppointmentValues) =>
    [requested.patientId, getSlotKey(requested), JSON.stringify([plan.recurrence, [...plan.resolutions]])].join()
  const confirmation = useConfirmation(getRequestKey(values))
  const slotChoice = useSlotChoice({ form, values, nextSlot: availability.nextSlot })
  const { handleType, handleDuration } = useProposedDuration(form.setValue, start)
  const { setFocus } = form
  const isPatientGiven = start.patientId !== '' && start.type === ''
  useEffect(() => {
    // After the dialog has given the focus to its first input.
    if (isPatientGiven) setTimeout(() => setFocus('type'))
  }, [isPatientGiven, setFocus])
  const series = useSeriesBooking({
    ...options,
    plan,
    patient,
    finish,
    showFailure: form.showFailure,
    onQuestion: (error, typed) => confirmation.recordQuestion(error, getRequestKey(typed), false),
  })

  function finish(typed: AppointmentValues, toast: { title: string; body: string }, after: () => void): void {
    form.reset(typed)
    notify(toast)
    // Unmounted at once: while it is there, the form asks before the URL changes, and the change is lost.
    flushSync(onClose)
    after()
  }

  async function bookOne(typed: AppointmentValues, allowOverlap: boolean): Promise<void> {
    try {
      const confirmed = confirmation.getConfirmed(getRequestKey(typed))
      const body = { ...toNewAppointment(typed), allowOverlap, confirmed, ...waiting.body }
      const appointment = await book.mutateAsync(body)
      if (waiting.isRemoved) waiting.refresh()
      const { localDate, localTime } = appointment
      const when = `${formatRelativeDay(localDate, context.today)}, ${formatTime(localTime)}`
      const toast = { title: 'Appointment scheduled', body: `${formatName(appointment.patient)}, ${when}` }
      finish(typed, toast, () => onBooked(localDate))
    } catch (error) {
      const isQuestion = confirmation.recordQuestion(error, getRequestKey(typed), allowOverlap)
      if (isQuestion || recordRefusal(error, typed)) return
      form.showFailure(error)
      // Another user may have booked for it, or removed it.
      waiting.refresh()
    }
  }

  return {
    form,
    values,
    plan,
    availability,
    waiting,
    refusedSlot,
    ...slotChoice,
    handleType,
    handleDuration,
    patient,
    choosePatient: (chosen: PickedPatient | null) => {
      setPatient(chosen)
      const shouldValidate = form.formState.isSubmitted
      form.setValue('patientId', chosen?.id ?? '', { shouldDirty: true, shouldValidate })
      if (chosen) setTimeout(() => form.setFocus('type'))
    },
    isPending: book.isPending || series.isPending,
    isDirty: form.formState.isDirty || (plan.isRepeating && !series.isBooked),
    confirmation,
    submit: (allowOverlap: boolean) =>
      form.submitOnce((typed) =>
        plan.isRepeating
          ? series.book(typed, confirmation.getConfirmed(getRequestKey(typed)))
          : bookOne(typed, allowOverlap),
      ),
  }
}

export type Booking = ReturnType<typeof useBooking>
