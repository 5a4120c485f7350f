import { Skeleton, SkeletonItem, Text } from '@fluentui/react-components'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { type Appointment, AppointmentChange, type AppointmentField, type SlotTaken } from '#contracts/appointments.ts'
import { ApiProblem, errorMessage } from '#web/api/call.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { useFocusReturn } from '#web/ui/use-focus-return.ts'
import { FormDialog } from '#web/forms/form-dialog.tsx'
import { ConflictNotice, type FieldConflict } from '#web/forms/conflict-notice.tsx'
import { useNotify } from '#web/ui/toasts.tsx'
import { AddProviderDialog } from '#web/entities/providers/provider-dialog.tsx'
import { useUpdateAppointment, appointmentQuery } from '../api.ts'
import { toLocalDateTime } from '../local-time.ts'
import { type SchedulingContext, findProviderName } from '../scheduling-context.ts'
import { parseConflictingChanges, findFieldConflicts, rebaseValues, replaceField } from './conflict.ts'
import type { PartialSeriesChange } from '../series/partial-series-dialog.tsx'
import { ScopeField } from '../series/series-scope-field.tsx'
import { SeriesConflicts } from '../series/series-conflicts.tsx'
import { SlotTakenNotice } from './slot-taken-notice.tsx'
import { getLatestEnd } from '../slots.ts'
import { useSeriesChange } from '../series/use-series-change.ts'
import { useSlotAvailability } from './use-slot-availability.ts'
import { useAppointmentForm } from './use-appointment-form.ts'
import { AppointmentFields } from './appointment-fields.tsx'
import {
  findChangedFields,
  parseSlotTaken,
  toAppointmentChange,
  type AppointmentValues,
  toAppointmentValues,
} from './appointment-form.ts'
import { fieldLabels, formatName } from '../labels.ts'

type EditDialogProps = {
  desk: SchedulingContext
  appointmentId: string
  onClose: () => void
  /** Of a row of appointments only some were changed. */
  onLeft: (left: PartialSeriesChange) => void
}

/** Changes an appointment. Begins with the appointment as it is now, not as a list had it. */
export function EditAppointmentDialog({ desk, appointmentId, onClose, onLeft }: EditDialogProps) {
  // The form replaces what is shown while the appointment loads: only from out here is the way back known.
  useFocusReturn()
  const { data, error, isFetching, refetch } = useQuery({
    ...appointmentQuery(appointmentId),
    refetchOnMount: 'always',
  })
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
        <ErrorState title="Failed to fetch appointment" hint={errorMessage(error)} onRetry={() => void refetch()} />
      ) : (
        <Skeleton aria-label="Loading the appointment">
          <SkeletonItem size={128} />
        </Skeleton>
      )}
    </FormDialog>
  )
}

const requestedSlotKey = ({ date, time, duration, providerId }: AppointmentValues) =>
  [date, time, duration, providerId].join()

type EditFormProps = Pick<EditDialogProps, 'desk' | 'onClose' | 'onLeft'> & { start: Appointment }

function EditForm({ desk, start, onClose, onLeft }: EditFormProps) {
  const notify = useNotify()
  const queries = useQueryClient()
  const change = useUpdateAppointment()
  const row = useSeriesChange({ onLeft })
  const [base, setBase] = useState(start)
  const [conflict, setConflict] = useState<{
    overtaken: FieldConflict<AppointmentField>[]
    mine: AppointmentValues
  } | null>(null)
  const [theirs, setTheirs] = useState<ReadonlySet<AppointmentField>>(new Set())
  const [refusal, setRefusal] = useState<{ wish: string; slot: SlotTaken } | null>(null)
  const [freeTime, setFreeTime] = useState(false)
  const [addingProvider, setAddingProvider] = useState(false)
  const form = useAppointmentForm({
    start: toAppointmentValues(start),
    schema: AppointmentChange,
    toBody: (values) => toAppointmentChange(toAppointmentValues(base), values),
    failed: 'Failed to update appointment',
  })
  const { control, setValue } = form
  const values = useWatch({ control }) as AppointmentValues
  const facts = useSlotAvailability({ ...values, duration: Number(values.duration), excluding: start.id }, desk)
  const moved =
    requestedSlotKey(values) !== requestedSlotKey(toAppointmentValues(base)) && values.status !== 'cancelled'
  const taken = refusal?.wish === requestedSlotKey(values) ? refusal.slot : null

  function fill(next: AppointmentValues): void {
    for (const name of Object.keys(next) as (keyof AppointmentValues)[])
      setValue(name, next[name], { shouldDirty: true })
  }

  async function meet(error: ApiProblem, typed: AppointmentValues): Promise<void> {
    const latest = await queries.fetchQuery(appointmentQuery(start.id))
    const sides = { base, latest, typed }
    const mine = rebaseValues(sides)
    form.reset(toAppointmentValues(latest))
    fill(mine)
    setConflict({ overtaken: findFieldConflicts(parseConflictingChanges(error), sides, desk), mine })
    setTheirs(new Set())
    setBase(latest)
  }

  const send = async (typed: AppointmentValues, allowOverlap: boolean) => {
    if (change.isPending || row.isPending) return
    const fields = findChangedFields(toAppointmentValues(base), typed)
    if (fields.length === 0) return onClose()
    if (row.scope !== 'this') {
      if (fields.includes('status')) {
        const message =
          'The status is changed for one appointment at a time. Choose "This appointment", or leave the status.'
        form.setError('status', { type: 'scope', message }, { shouldFocus: true })
        return
      }
      const { status: _ofOneOnly, ...wish } = toAppointmentChange(toAppointmentValues(base), typed)
      const failure = await row.send(base, wish, allowOverlap)
      if (failure === 'conflicts') return
      if (failure) return form.showFailure(failure)
      form.reset(typed)
      return onClose()
    }
    try {
      const body = { ...toAppointmentChange(toAppointmentValues(base), typed), revision: base.revision, allowOverlap }
      const appointment = await change.mutateAsync({ appointmentId: start.id, body })
      form.reset(typed)
      notify({ title: 'Appointment updated', body: formatName(appointment.patient) })
      onClose()
    } catch (error) {
      const slot = parseSlotTaken(error)
      setRefusal(slot && { wish: requestedSlotKey(typed), slot })
      if (slot) return
      if (error instanceof ApiProblem && error.code === 'changed-meanwhile')
        await meet(error, typed).catch(form.showFailure)
      else form.showFailure(error)
    }
  }

  function choose(field: AppointmentField, whose: 'theirs' | 'mine'): void {
    if (!conflict) return
    fill(replaceField(form.getValues(), field, whose === 'theirs' ? toAppointmentValues(base) : conflict.mine))
    const next = new Set(theirs)
    if (whose === 'theirs') next.add(field)
    else next.delete(field)
    setTheirs(next)
  }

  const seen = moved ? facts.conflicts : []
  return (
    <>
      <FormDialog
        title={`Edit appointment of ${formatName(start.patient)}`}
        action="Save Changes"
        pendingAction="Saving..."
        pending={change.isPending || row.isPending}
        dirty={form.formState.isDirty}
        signedOut={form.signedOut}
        onSubmit={form.handleSubmit((typed) => send(typed, false))}
        onClose={onClose}
      >
        {conflict && (
          <ConflictNotice
            key={base.revision}
            overtaken={conflict.overtaken}
            words={fieldLabels}
            what="this appointment"
            taken={theirs}
            onChoose={choose}
          />
        )}
        <AppointmentFields
          control={control}
          existing
          providers={desk.allProviders.filter(({ id, active }) => active || id === start.providerId)}
          mayAddProvider={desk.canAddProvider}
          onAddProvider={() => setAddingProvider(true)}
          takenUntil={facts.getTakenUntil}
          freeTime={freeTime}
          onFreeTime={() => setFreeTime(true)}
          patient={<Text weight="semibold">{formatName(start.patient)}</Text>}
          scope={
            start.seriesId && (
              <ScopeField
                appointment={start}
                now={desk.now}
                label="Which appointments to change?"
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
                zone={desk.timeZone}
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
                  until={taken ? toLocalDateTime(desk.timeZone, taken.conflict.until).time : getLatestEnd(seen)}
                  provider={taken ? taken.conflict.providerName : findProviderName(desk, values.providerId)}
                  patient={
                    taken ? taken.conflict.patientName : seen.map(({ patient }) => formatName(patient)).join(' and ')
                  }
                  free={taken ? taken.freeSlots : facts.nearestSlots}
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
