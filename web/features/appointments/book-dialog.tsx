import { useEffect, useRef, useState } from 'react'
import { useWatch } from 'react-hook-form'
import type { PlannedVisit } from '#contracts/appointment-series.ts'
import { NewAppointment, type SlotTaken } from '#contracts/appointments.ts'
import { ApiProblem } from '#web/app/call.ts'
import { FormDialog } from '#web/app/form-dialog.tsx'
import { useNotify } from '#web/app/toasts.tsx'
import { AddProviderDialog } from '#web/app/provider-dialog.tsx'
import { useBook } from './api.ts'
import { clock, localIn } from './clock.ts'
import { nearDay } from './days.ts'
import { type Desk, providerName } from './desk.ts'
import { NewPatient } from './new-patient.tsx'
import { NextFree } from './next-free.tsx'
import { type Chosen, PatientPicker } from './patient-picker.tsx'
import { outcomeOf, resolutionsOf, rhythmWords, undecidedOf } from './repeat.ts'
import { RepeatFields } from './repeat-fields.tsx'
import { useBookSeries } from './series-api.ts'
import { SlotTakenNotice } from './slot-taken-notice.tsx'
import { untilOf } from './slots.ts'
import { useSeriesPlan } from './use-series-plan.ts'
import { asUnsure, isUnsure } from './use-row-change.ts'
import { useSlotFacts } from './use-slot-facts.ts'
import { useVisitForm } from './use-visit-form.ts'
import { VisitFields } from './visit-fields.tsx'
import { blankVisit, newVisitOf, slotTakenOf, type VisitValues } from './visit-form.ts'
import { nameOf } from './words.ts'

type BookDialogProps = {
  desk: Desk
  /** Where to begin: a day, and a slot when one was pressed. */
  date: string
  time?: string | undefined
  providerId: string
  /** What is known already, when one visit is booked in place of another. */
  given?: GivenVisit | undefined
  onClose: () => void
  onBooked: (date: string) => void
  /** Some visits of a row were not booked: somebody else was faster. */
  onMissing: (missing: MissingVisits) => void
}

/** Whose visit it is and what for, when that is known before the form opens. */
export type GivenVisit = { patient: Chosen; type: string; duration: string; reason: string; notes: string }
/** Visits of a row that are not booked, as days and times on the practice's clocks. */
export type MissingVisits = {
  given: GivenVisit
  providerId: string
  booked: number
  times: readonly { date: string; time: string }[]
}

/** Moves on without the mouse: to what is sent next. */
const focusSubmit = (form: HTMLFormElement | null) =>
  setTimeout(() => form?.querySelector<HTMLElement>('[type=submit]')?.focus())

const wishOf = ({ date, time, duration, providerId }: VisitValues) => [date, time, duration, providerId].join()

/** Books a visit: a name, Enter, a letter for the type, Enter. */
export function BookDialog(props: BookDialogProps) {
  const { desk, date, time, providerId, given, onClose, onBooked, onMissing } = props
  const notify = useNotify()
  const book = useBook()
  const bookAll = useBookSeries()
  const pending = book.isPending || bookAll.isPending
  const field = useRef<HTMLInputElement>(null)
  const [start] = useState(() => blankVisit({ date, time: time ?? '', providerId, ...asTyped(given) }))
  const [chosen, setChosen] = useState<Chosen | null>(given?.patient ?? null)
  const [adding, setAdding] = useState<{ patient: string } | 'provider' | null>(null)
  const [freeTime, setFreeTime] = useState(false)
  const [refusal, setRefusal] = useState<{ wish: string; slot: SlotTaken } | null>(null)
  const form = useVisitForm({
    start,
    schema: NewAppointment,
    bodyOf: newVisitOf,
    failed: 'Failed to schedule appointment',
  })
  const { control, setValue, setFocus } = form
  const values = useWatch({ control }) as VisitValues
  const plan = useSeriesPlan(values)
  const facts = useSlotFacts({ ...values, duration: Number(values.duration) }, desk)

  // Until somebody chooses a time, it is the next one that is free.
  const first = facts.next[0]
  const open = values.time === '' && !freeTime && first !== undefined
  const dateChosen = Boolean(form.formState.dirtyFields.date)
  useEffect(() => {
    if (!open || !first || (dateChosen && first.localDate !== values.date)) return
    setValue('date', first.localDate)
    setValue('time', first.localTime)
  }, [open, first, dateChosen, values.date, setValue])
  // Another wish: what was said about the last one is no longer true.
  const taken = refusal?.wish === wishOf(values) ? refusal.slot : null

  const choose = (slot: { localDate: string; localTime: string }) => {
    setFreeTime(false)
    setValue('date', slot.localDate, { shouldDirty: true })
    setValue('time', slot.localTime, { shouldDirty: true, shouldValidate: form.formState.isSubmitted })
  }
  const choosePatient = (patient: Chosen | null) => {
    setChosen(patient)
    setAdding(null)
    setValue('patientId', patient?.id ?? '', { shouldDirty: true, shouldValidate: form.formState.isSubmitted })
    if (patient) setTimeout(() => setFocus('type'))
  }
  const send = async (typed: VisitValues, allowOverlap: boolean) => {
    if (pending) return
    if (plan.on) return await sendRow(typed)
    try {
      const visit = await book.mutateAsync({ ...newVisitOf(typed), allowOverlap })
      form.reset(typed)
      notify({
        title: 'Appointment scheduled',
        body: `${nameOf(visit.patient)}, ${nearDay(visit.localDate, desk.today)}, ${clock(visit.localTime)}`,
      })
      onClose()
      // Not while the form is there, which asks before one leaves it.
      setTimeout(() => onBooked(visit.localDate))
    } catch (error) {
      const slot = slotTakenOf(error)
      setRefusal(slot && { wish: wishOf(typed), slot })
      if (!slot) form.showFailure(error)
    }
  }
  const sendRow = async (typed: VisitValues) => {
    plan.insist()
    const { recurrence } = plan
    if (!recurrence || undecidedOf(plan.visits, plan.decisions).length > 0) return
    const { status: _alwaysScheduled, ...visit } = newVisitOf(typed)
    plan.hold()
    try {
      const reply = await bookAll.mutateAsync({ ...visit, recurrence, resolutions: resolutionsOf(plan.decisions) })
      const { appointments, notBooked } = reply
      form.reset(typed)
      notify({
        title: `${appointments.length} appointments scheduled`,
        body: `${chosen ? nameOf(chosen) : ''}, ${rhythmWords(recurrence, typed.date, typed.time).toLowerCase()}`,
      })
      onClose()
      const first = appointments[0]?.localDate ?? typed.date
      const times = notBooked.map(({ start: at }) => localIn(desk.zone, at))
      setTimeout(() => {
        onBooked(first)
        if (times.length === 0 || !chosen) return
        const { type, duration, reason, notes } = typed
        const what = { patient: chosen, type, duration, reason, notes }
        onMissing({ given: what, providerId: typed.providerId, booked: appointments.length, times })
      })
    } catch (error) {
      if (!isUnsure(error)) plan.release()
      if (error instanceof ApiProblem && error.code === 'series-conflicts') {
        // Whoever was moved to a time that is taken by now is decided about anew.
        const now = error.problem['visits'] as readonly PlannedVisit[]
        const isMoved = (index: number) => plan.decisions.get(index)?.do === 'move'
        plan.drop(now.flatMap(({ index, conflict }) => (conflict && isMoved(index) ? [index] : [])))
        plan.retry()
      } else if (!(error instanceof ApiProblem && plan.refuse(error)))
        form.showFailure(
          asUnsure(error, 'Some visits may be booked already. Schedule again: only the others are booked then.'),
        )
    }
  }
  const overlapping = facts.conflicts
  const notice = (taken || overlapping[0]) && (
    <SlotTakenNotice
      key={taken ? 'refused' : 'seen'}
      time={values.time}
      until={taken ? localIn(desk.zone, taken.takenBy.until).time : untilOf(overlapping)}
      provider={taken ? taken.takenBy.providerName : providerName(desk, values.providerId)}
      patient={taken ? taken.takenBy.patientName : overlapping.map(({ patient }) => nameOf(patient)).join(' and ')}
      free={taken ? taken.freeSlots : facts.nearest}
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

  const rowCount = plan.on ? outcomeOf(plan.visits, plan.decisions).count : 0
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
        <VisitFields
          control={control}
          providers={desk.providers}
          mayAddProvider={desk.mayAddProvider}
          onAddProvider={() => setAdding('provider')}
          takenUntil={facts.takenUntil}
          freeTime={freeTime}
          onFreeTime={() => setFreeTime(true)}
          patient={
            adding && adding !== 'provider' ? (
              <NewPatient typed={adding.patient} onAdded={choosePatient} onBack={() => setAdding(null)} />
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
            <RepeatFields plan={plan} date={values.date} time={values.time} today={desk.today} zone={desk.zone} />
          }
          slots={
            (!plan.on && notice) || (
              <NextFree
                slots={facts.next}
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

const asTyped = (given: GivenVisit | undefined): Partial<VisitValues> =>
  given
    ? {
        patientId: given.patient.id,
        type: given.type,
        duration: given.duration,
        reason: given.reason,
        notes: given.notes,
      }
    : {}
