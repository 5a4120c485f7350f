import { useEffect, useRef, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { NewAppointment, type SlotTaken } from '#contracts/appointments.ts'
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
import { SlotTakenNotice } from './slot-taken-notice.tsx'
import { untilOf } from './slots.ts'
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
  onClose: () => void
  onBooked: (date: string) => void
}

/** Moves on without the mouse: to what is sent next. */
const focusSubmit = (form: HTMLFormElement | null) =>
  setTimeout(() => form?.querySelector<HTMLElement>('[type=submit]')?.focus())

const wishOf = ({ date, time, duration, providerId }: VisitValues) => [date, time, duration, providerId].join()

/** Books a visit: a name, Enter, a letter for the type, Enter. */
export function BookDialog({ desk, date, time, providerId, onClose, onBooked }: BookDialogProps) {
  const notify = useNotify()
  const book = useBook()
  const field = useRef<HTMLInputElement>(null)
  const [start] = useState(() => blankVisit({ date, time: time ?? '', providerId }))
  const [chosen, setChosen] = useState<Chosen | null>(null)
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
    if (book.isPending) return
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
      pending={book.isPending}
      onChoose={(slot, button) => {
        const owner = button.form
        choose(slot)
        focusSubmit(owner)
      }}
      onAnyway={() => void form.handleSubmit((typed) => send(typed, true))()}
    />
  )

  return (
    <>
      <FormDialog
        title="Schedule Appointment"
        action="Schedule appointment"
        pendingAction="Scheduling..."
        pending={book.isPending}
        dirty={form.formState.isDirty}
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
          slots={
            notice || (
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
