import { useEffect, useRef, useState } from 'react'
import { useWatch } from 'react-hook-form'
import type { PlannedAppointment } from '#contracts/appointment-series.ts'
import { NewAppointment, type SlotTaken } from '#contracts/appointments.ts'
import { ApiProblem } from '#web/api/call.ts'
import { FormDialog } from '#web/forms/form-dialog.tsx'
import { useNotify } from '#web/ui/toasts.tsx'
import { AddProviderDialog } from '#web/entities/providers/provider-dialog.tsx'
import { useBookAppointment } from '../api.ts'
import { formatTime, toLocalDateTime } from '../local-time.ts'
import { formatRelativeDay } from '../calendar-dates.ts'
import { type SchedulingContext, findProviderName } from '../scheduling-context.ts'
import { NewPatientForm } from './new-patient-form.tsx'
import { NextFreeSlots } from './next-free-slots.tsx'
import { type PickedPatient, PatientPicker } from './patient-picker.tsx'
import { computeOutcome, toResolutionsBody, describeRecurrence, findUnresolved } from '../series/recurrence.ts'
import { RecurrenceFields } from '../series/recurrence-fields.tsx'
import { useBookSeries } from '../series/series-api.ts'
import { SlotTakenNotice } from './slot-taken-notice.tsx'
import { getLatestEnd } from '../slots.ts'
import { useSeriesPlan } from '../series/use-series-plan.ts'
import { withUnknownOutcome, isUnknownOutcome } from '../series/use-series-change.ts'
import { useSlotAvailability } from './use-slot-availability.ts'
import { useAppointmentForm } from './use-appointment-form.ts'
import { AppointmentFields } from './appointment-fields.tsx'
import { createBlankValues, toNewAppointment, parseSlotTaken, type AppointmentValues } from './appointment-form.ts'
import { formatName } from '../labels.ts'

type BookDialogProps = {
  desk: SchedulingContext
  /** Where to begin: a day, and a slot when one was pressed. */
  date: string
  time?: string | undefined
  providerId: string
  /** What is known already, when one appointment is booked in place of another. */
  given?: BookingPrefill | undefined
  onClose: () => void
  onBooked: (date: string) => void
  /** Some appointments of a row were not booked: somebody else was faster. */
  onMissing: (missing: UnbookedAppointments) => void
}

/** Whose appointment it is and what for, when that is known before the form opens. */
export type BookingPrefill = { patient: PickedPatient; type: string; duration: string; reason: string; notes: string }
/** Appointments of a row that are not booked, as days and times on the practice's clocks. */
export type UnbookedAppointments = {
  prefill: BookingPrefill
  providerId: string
  bookedCount: number
  unbookedTimes: readonly { date: string; time: string }[]
}

/** Moves on without the mouse: to what is sent next. */
const focusSubmit = (form: HTMLFormElement | null) =>
  setTimeout(() => form?.querySelector<HTMLElement>('[type=submit]')?.focus())

const requestedSlotKey = ({ date, time, duration, providerId }: AppointmentValues) =>
  [date, time, duration, providerId].join()

/** Books an appointment: a name, Enter, a letter for the type, Enter. */
export function BookDialog(props: BookDialogProps) {
  const { desk, date, time, providerId, given, onClose, onBooked, onMissing } = props
  const notify = useNotify()
  const book = useBookAppointment()
  const bookAll = useBookSeries()
  const pending = book.isPending || bookAll.isPending
  const field = useRef<HTMLInputElement>(null)
  const [start] = useState(() => createBlankValues({ date, time: time ?? '', providerId, ...asTyped(given) }))
  const [chosen, setChosen] = useState<PickedPatient | null>(given?.patient ?? null)
  const [adding, setAdding] = useState<{ patient: string } | 'provider' | null>(null)
  const [freeTime, setFreeTime] = useState(false)
  const [refusal, setRefusal] = useState<{ wish: string; slot: SlotTaken } | null>(null)
  const form = useAppointmentForm({
    start,
    schema: NewAppointment,
    toBody: toNewAppointment,
    failed: 'Failed to schedule appointment',
  })
  const { control, setValue, setFocus } = form
  const values = useWatch({ control }) as AppointmentValues
  const plan = useSeriesPlan(values)
  const facts = useSlotAvailability({ ...values, duration: Number(values.duration) }, desk)

  // Until somebody chooses a time, it is the next one that is free.
  const first = facts.nextSlots[0]
  const open = values.time === '' && !freeTime && first !== undefined
  const dateChosen = Boolean(form.formState.dirtyFields.date)
  useEffect(() => {
    if (!open || !first || (dateChosen && first.localDate !== values.date)) return
    setValue('date', first.localDate)
    setValue('time', first.localTime)
  }, [open, first, dateChosen, values.date, setValue])
  // Another wish: what was said about the last one is no longer true.
  const taken = refusal?.wish === requestedSlotKey(values) ? refusal.slot : null

  const choose = (slot: { localDate: string; localTime: string }) => {
    setFreeTime(false)
    setValue('date', slot.localDate, { shouldDirty: true })
    setValue('time', slot.localTime, { shouldDirty: true, shouldValidate: form.formState.isSubmitted })
  }
  const choosePatient = (patient: PickedPatient | null) => {
    setChosen(patient)
    setAdding(null)
    setValue('patientId', patient?.id ?? '', { shouldDirty: true, shouldValidate: form.formState.isSubmitted })
    if (patient) setTimeout(() => setFocus('type'))
  }
  const send = async (typed: AppointmentValues, allowOverlap: boolean) => {
    if (pending) return
    if (plan.on) return await sendRow(typed)
    try {
      const appointment = await book.mutateAsync({ ...toNewAppointment(typed), allowOverlap })
      form.reset(typed)
      notify({
        title: 'Appointment scheduled',
        body: `${formatName(appointment.patient)}, ${formatRelativeDay(appointment.localDate, desk.today)}, ${formatTime(appointment.localTime)}`,
      })
      onClose()
      // Not while the form is there, which asks before one leaves it.
      setTimeout(() => onBooked(appointment.localDate))
    } catch (error) {
      const slot = parseSlotTaken(error)
      setRefusal(slot && { wish: requestedSlotKey(typed), slot })
      if (!slot) form.showFailure(error)
    }
  }
  const sendRow = async (typed: AppointmentValues) => {
    plan.insist()
    const { recurrence } = plan
    if (!recurrence || findUnresolved(plan.appointments, plan.decisions).length > 0) return
    const { status: _alwaysScheduled, ...appointment } = toNewAppointment(typed)
    plan.hold()
    try {
      const reply = await bookAll.mutateAsync({
        ...appointment,
        recurrence,
        resolutions: toResolutionsBody(plan.decisions),
      })
      const { appointments, notBooked } = reply
      form.reset(typed)
      notify({
        title: `${appointments.length} appointments scheduled`,
        body: `${chosen ? formatName(chosen) : ''}, ${describeRecurrence(recurrence, typed.date, typed.time).toLowerCase()}`,
      })
      onClose()
      const first = appointments[0]?.localDate ?? typed.date
      const times = notBooked.map(({ start: at }) => toLocalDateTime(desk.timeZone, at))
      setTimeout(() => {
        onBooked(first)
        if (times.length === 0 || !chosen) return
        const { type, duration, reason, notes } = typed
        const what = { patient: chosen, type, duration, reason, notes }
        onMissing({
          prefill: what,
          providerId: typed.providerId,
          bookedCount: appointments.length,
          unbookedTimes: times,
        })
      })
    } catch (error) {
      if (!isUnknownOutcome(error)) plan.release()
      if (error instanceof ApiProblem && error.code === 'series-conflicts') {
        // Whoever was moved to a time that is taken by now is decided about anew.
        const now = error.problem['appointments'] as readonly PlannedAppointment[]
        const isMoved = (index: number) => plan.decisions.get(index)?.action === 'move'
        plan.drop(now.flatMap(({ index, conflict }) => (conflict && isMoved(index) ? [index] : [])))
        plan.retry()
      } else if (!(error instanceof ApiProblem && plan.refuse(error)))
        form.showFailure(
          withUnknownOutcome(
            error,
            'Some appointments may be booked already. Schedule again: only the others are booked then.',
          ),
        )
    }
  }
  const overlapping = facts.conflicts
  const notice = (taken || overlapping[0]) && (
    <SlotTakenNotice
      key={taken ? 'refused' : 'seen'}
      time={values.time}
      until={taken ? toLocalDateTime(desk.timeZone, taken.conflict.until).time : getLatestEnd(overlapping)}
      provider={taken ? taken.conflict.providerName : findProviderName(desk, values.providerId)}
      patient={taken ? taken.conflict.patientName : overlapping.map(({ patient }) => formatName(patient)).join(' and ')}
      free={taken ? taken.freeSlots : facts.nearestSlots}
      today={desk.today}
      refused={taken !== null}
      anyway="Book anyway"
      pending={pending}
      onChoose={(slot, button) => {
        const owner = button.form
        choose(slot)
        focusSubmit(owner)
      }}
      onAnyway={() => void form.handleSubmit((typed) => send(typed, true))()}
    />
  )

  const rowCount = plan.on ? computeOutcome(plan.appointments, plan.decisions).count : 0
  return (
    <>
      <FormDialog
        title="Schedule Appointment"
        action={rowCount > 0 ? `Schedule ${rowCount} appointments` : 'Schedule appointment'}
        pendingAction="Scheduling..."
        pending={pending}
        dirty={form.formState.isDirty || (plan.on && !bookAll.isSuccess)}
        signedOut={form.signedOut}
        onSubmit={(event) =>
          form.handleSubmit(
            (typed) => send(typed, false),
            (errors) => errors.patientId && field.current?.focus(),
          )(event)
        }
        onClose={onClose}
      >
        <AppointmentFields
          control={control}
          providers={desk.activeProviders}
          mayAddProvider={desk.canAddProvider}
          onAddProvider={() => setAdding('provider')}
          takenUntil={facts.getTakenUntil}
          freeTime={freeTime}
          onFreeTime={() => setFreeTime(true)}
          patient={
            adding && adding !== 'provider' ? (
              <NewPatientForm typed={adding.patient} onAdded={choosePatient} onBack={() => setAdding(null)} />
            ) : (
              <PatientPicker
                chosen={chosen}
                message={form.formState.errors.patientId?.message}
                field={field}
                onChoose={choosePatient}
                onNew={(typed) => setAdding({ patient: typed })}
              />
            )
          }
          repeats={plan.on}
          repeat={
            <RecurrenceFields
              plan={plan}
              date={values.date}
              time={values.time}
              today={desk.today}
              zone={desk.timeZone}
            />
          }
          slots={
            (!plan.on && notice) || (
              <NextFreeSlots
                slots={facts.nextSlots}
                today={desk.today}
                chosen={{ date: values.date, time: values.time }}
                onChoose={choose}
              />
            )
          }
        />
      </FormDialog>
      {adding === 'provider' && (
        <AddProviderDialog
          onClose={() => setAdding(null)}
          onAdded={({ id }) => {
            setAdding(null)
            setValue('providerId', id, { shouldDirty: true })
          }}
        />
      )}
    </>
  )
}

const asTyped = (given: BookingPrefill | undefined): Partial<AppointmentValues> =>
  given
    ? {
        patientId: given.patient.id,
        type: given.type,
        duration: given.duration,
        reason: given.reason,
        notes: given.notes,
      }
    : {}
