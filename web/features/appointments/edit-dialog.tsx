import { Skeleton, SkeletonItem, Text } from '@fluentui/react-components'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { type Appointment, AppointmentChange, type AppointmentField, type SlotTaken } from '#contracts/appointments.ts'
import { ApiProblem, wordsOf } from '#web/app/call.ts'
import { ErrorState } from '#web/app/error-state.tsx'
import { useFocusReturn } from '#web/app/focus-return.ts'
import { FormDialog } from '#web/app/form-dialog.tsx'
import { MeanwhileNotice, type Overtaken } from '#web/app/meanwhile-notice.tsx'
import { useNotify } from '#web/app/toasts.tsx'
import { AddProviderDialog } from '#web/app/provider-dialog.tsx'
import { useChangeVisit, visitQuery } from './api.ts'
import { localIn } from './clock.ts'
import { type Desk, providerName } from './desk.ts'
import { changesIn, overtakenBy, rebased, withField } from './meanwhile.ts'
import type { LeftVisits } from './left-dialog.tsx'
import { ScopeField } from './scope-field.tsx'
import { SeriesConflicts } from './series-conflicts.tsx'
import { SlotTakenNotice } from './slot-taken-notice.tsx'
import { untilOf } from './slots.ts'
import { useSeriesChange } from './use-row-change.ts'
import { useSlotFacts } from './use-slot-facts.ts'
import { useVisitForm } from './use-visit-form.ts'
import { VisitFields } from './visit-fields.tsx'
import { changedFields, slotTakenOf, visitChangeOf, type VisitValues, visitValuesOf } from './visit-form.ts'
import { fieldWords, nameOf } from './words.ts'

type EditDialogProps = {
  desk: Desk
  appointmentId: string
  onClose: () => void
  /** Of a row of visits only some were changed. */
  onLeft: (left: LeftVisits) => void
}

/** Changes a visit. Begins with the visit as it is now, not as a list had it. */
export function EditDialog({ desk, appointmentId, onClose, onLeft }: EditDialogProps) {
  // The form replaces what is shown while the visit loads: only from out here is the way back known.
  useFocusReturn()
  const { data, error, isFetching, refetch } = useQuery({ ...visitQuery(appointmentId), refetchOnMount: 'always' })
  const [opened, setOpened] = useState<Appointment>()
  // The form keeps what it began with: a refresh behind it must not move what somebody is typing over.
  if (!opened && data && !isFetching) setOpened(data)
  if (opened) return <EditForm desk={desk} start={opened} onClose={onClose} onLeft={onLeft} />
  return (
    <FormDialog
      title="Edit Appointment"
      action="Save Changes"
      pendingAction="Save Changes"
      pending={isFetching}
      dirty={false}
      onSubmit={(event) => event.preventDefault()}
      onClose={onClose}
    >
      {error && !isFetching ? (
        <ErrorState title="Failed to fetch appointment" hint={wordsOf(error)} onRetry={() => void refetch()} />
      ) : (
        <Skeleton aria-label="Loading the appointment">
          <SkeletonItem size={128} />
        </Skeleton>
      )}
    </FormDialog>
  )
}

const wishOf = ({ date, time, duration, providerId }: VisitValues) => [date, time, duration, providerId].join()

type EditFormProps = Pick<EditDialogProps, 'desk' | 'onClose' | 'onLeft'> & { start: Appointment }

function EditForm({ desk, start, onClose, onLeft }: EditFormProps) {
  const notify = useNotify()
  const queries = useQueryClient()
  const change = useChangeVisit()
  const row = useSeriesChange({ onLeft })
  const [base, setBase] = useState(start)
  const [conflict, setConflict] = useState<{ overtaken: Overtaken<AppointmentField>[]; mine: VisitValues } | null>(null)
  const [theirs, setTheirs] = useState<ReadonlySet<AppointmentField>>(new Set())
  const [refusal, setRefusal] = useState<{ wish: string; slot: SlotTaken } | null>(null)
  const [freeTime, setFreeTime] = useState(false)
  const [addingProvider, setAddingProvider] = useState(false)
  const form = useVisitForm({
    start: visitValuesOf(start),
    schema: AppointmentChange,
    bodyOf: (values) => visitChangeOf(visitValuesOf(base), values),
    failed: 'Failed to update appointment',
  })
  const { control, setValue } = form
  const values = useWatch({ control }) as VisitValues
  const facts = useSlotFacts({ ...values, duration: Number(values.duration), excluding: start.id }, desk)
  const moved = wishOf(values) !== wishOf(visitValuesOf(base)) && values.status !== 'cancelled'
  const taken = refusal?.wish === wishOf(values) ? refusal.slot : null

  function fill(next: VisitValues): void {
    for (const name of Object.keys(next) as (keyof VisitValues)[]) setValue(name, next[name], { shouldDirty: true })
  }

  async function meet(error: ApiProblem, typed: VisitValues): Promise<void> {
    const latest = await queries.fetchQuery(visitQuery(start.id))
    const sides = { base, latest, typed }
    const mine = rebased(sides)
    form.reset(visitValuesOf(latest))
    fill(mine)
    setConflict({ overtaken: overtakenBy(changesIn(error), sides, desk), mine })
    setTheirs(new Set())
    setBase(latest)
  }

  const send = async (typed: VisitValues, allowOverlap: boolean) => {
    if (change.isPending || row.isPending) return
    const fields = changedFields(visitValuesOf(base), typed)
    if (fields.length === 0) return onClose()
    if (row.scope !== 'this') {
      if (fields.includes('status')) {
        const message = 'The status is changed for one visit at a time. Choose "This visit", or leave the status.'
        form.setError('status', { type: 'scope', message }, { shouldFocus: true })
        return
      }
      const { status: _ofOneOnly, ...wish } = visitChangeOf(visitValuesOf(base), typed)
      const failure = await row.send(base, wish, allowOverlap)
      if (failure === 'conflicts') return
      if (failure) return form.showFailure(failure)
      form.reset(typed)
      return onClose()
    }
    try {
      const body = { ...visitChangeOf(visitValuesOf(base), typed), revision: base.revision, allowOverlap }
      const visit = await change.mutateAsync({ appointmentId: start.id, body })
      form.reset(typed)
      notify({ title: 'Appointment updated', body: nameOf(visit.patient) })
      onClose()
    } catch (error) {
      const slot = slotTakenOf(error)
      setRefusal(slot && { wish: wishOf(typed), slot })
      if (slot) return
      if (error instanceof ApiProblem && error.code === 'changed-meanwhile')
        await meet(error, typed).catch(form.showFailure)
      else form.showFailure(error)
    }
  }

  function choose(field: AppointmentField, whose: 'theirs' | 'mine'): void {
    if (!conflict) return
    fill(withField(form.getValues(), field, whose === 'theirs' ? visitValuesOf(base) : conflict.mine))
    const next = new Set(theirs)
    if (whose === 'theirs') next.add(field)
    else next.delete(field)
    setTheirs(next)
  }

  const seen = moved ? facts.conflicts : []
  return (
    <>
      <FormDialog
        title={`Edit appointment of ${nameOf(start.patient)}`}
        action="Save Changes"
        pendingAction="Saving..."
        pending={change.isPending || row.isPending}
        dirty={form.formState.isDirty}
        signedOut={form.signedOut}
        onSubmit={form.handleSubmit((typed) => send(typed, false))}
        onClose={onClose}
      >
        {conflict && (
          <MeanwhileNotice
            key={base.revision}
            overtaken={conflict.overtaken}
            words={fieldWords}
            what="this appointment"
            taken={theirs}
            onChoose={choose}
          />
        )}
        <VisitFields
          control={control}
          existing
          providers={desk.everybody.filter(({ id, active }) => active || id === start.providerId)}
          mayAddProvider={desk.mayAddProvider}
          onAddProvider={() => setAddingProvider(true)}
          takenUntil={facts.takenUntil}
          freeTime={freeTime}
          onFreeTime={() => setFreeTime(true)}
          patient={<Text weight="semibold">{nameOf(start.patient)}</Text>}
          scope={
            start.seriesId && (
              <ScopeField
                visit={start}
                now={desk.now}
                label="Which visits to change?"
                scope={row.scope}
                onScope={(next) => {
                  row.setScope(next)
                  form.clearErrors('status')
                }}
              />
            )
          }
          slots={
            row.conflicts ? (
              <SeriesConflicts
                conflicts={row.conflicts}
                zone={desk.zone}
                pending={row.isPending}
                anyway="Save anyway"
                onAnyway={() => void form.handleSubmit((typed) => send(typed, true))()}
              />
            ) : (
              row.scope === 'this' &&
              (taken || seen.length > 0) && (
                <SlotTakenNotice
                  key={taken ? 'refused' : 'seen'}
                  time={values.time}
                  until={taken ? localIn(desk.zone, taken.takenBy.until).time : untilOf(seen)}
                  provider={taken ? taken.takenBy.providerName : providerName(desk, values.providerId)}
                  patient={taken ? taken.takenBy.patientName : seen.map(({ patient }) => nameOf(patient)).join(' and ')}
                  free={taken ? taken.freeSlots : facts.nearest}
                  today={desk.today}
                  refused={taken !== null}
                  refusedWords="Nothing was changed."
                  anyway="Save anyway"
                  pending={change.isPending}
                  onChoose={(slot) => fill({ ...form.getValues(), date: slot.localDate, time: slot.localTime })}
                  onAnyway={() => void form.handleSubmit((typed) => send(typed, true))()}
                />
              )
            )
          }
        />
      </FormDialog>
      {addingProvider && (
        <AddProviderDialog
          onClose={() => setAddingProvider(false)}
          onAdded={({ id }) => {
            setAddingProvider(false)
            setValue('providerId', id, { shouldDirty: true })
          }}
        />
      )}
    </>
  )
}
