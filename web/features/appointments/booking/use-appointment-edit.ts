import { formatName } from '#web/ui/format.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { type Appointment, AppointmentChange, type AppointmentField } from '#contracts/appointments.ts'
import { fetchNewest } from '#web/api/fetch-newest.ts'
import { type ConflictForm, useConflictForm } from '#web/forms/use-conflict-form.ts'
import { useNotify } from '#web/ui/toasts.tsx'
import { useUpdateAppointment } from '#web/entities/appointments/update-appointment.ts'
import { appointmentQuery } from '#web/entities/appointments/appointment-query.ts'
import { formatField } from '../labels.ts'
import type { SchedulingContext } from '../scheduling-context.ts'
import type { PartialSeriesChange } from '../series/partial-series-dialog.tsx'
import { useSeriesChange } from '../series/use-series-change.ts'
import { useFulfilledWish } from '../waitlist/use-waiting-entry.ts'
import {
  appointmentFormFields,
  appointmentFormOptions,
  type AppointmentValues,
  getSlotKey,
  toAppointmentChange,
  toAppointmentValues,
} from './appointment-form.ts'
import { useConfirmation } from './use-confirmation.ts'
import { useRefusedSlot } from './use-refused-slot.ts'
import { useSlotAvailability } from './use-slot-availability.ts'

type Change = ReturnType<typeof toAppointmentChange>

type AppointmentEdit = {
  context: SchedulingContext
  start: Appointment
  onClose: () => void
  onPartialChange: (partial: PartialSeriesChange) => void
}

/** Returns the local start in the inputs, as a text that sorts by time. */
const toStart = ({ date, time }: AppointmentValues): string => `${date}T${time}`

const statusScopeMessage =
  'The status is changed for one appointment at a time. Choose "This appointment", or leave the status.'

/** Holds the state of an edit, of one appointment or of several in its series, and saves it. */
export function useAppointmentEdit({ context, start, onClose, onPartialChange }: AppointmentEdit) {
  const notify = useNotify()
  const queries = useQueryClient()
  const update = useUpdateAppointment()
  const series = useSeriesChange({ onPartialChange })
  const [isFreeTime, setIsFreeTime] = useState(false)
  const form: ConflictForm<Appointment, AppointmentValues, AppointmentField, Change> = useConflictForm({
    base: start,
    fields: appointmentFormFields,
    toValues: toAppointmentValues,
    format: (appointment: Appointment, field: AppointmentField) => formatField(appointment, field, context),
    schema: AppointmentChange,
    toChange: toAppointmentChange,
    ...appointmentFormOptions,
    save: (change, base, typed) => save(change, base, typed, false),
    reload: () => fetchNewest(queries, appointmentQuery(start.id)),
    failed: 'Failed to update appointment',
  })
  const values = useWatch({ control: form.control }) as AppointmentValues
  const availability = useSlotAvailability(
    { ...values, duration: Number(values.duration), excluding: start.id },
    context,
  )
  const { refusedSlot, recordRefusal } = useRefusedSlot(values)
  const getRequestKey = (requested: AppointmentValues) => [series.scope, getSlotKey(requested)].join()
  const confirmation = useConfirmation(getRequestKey(values))
  const before = toAppointmentValues(form.base)
  const isMoved = getSlotKey(values) !== getSlotKey(before) && values.status !== 'cancelled'
  const isEarlier = isMoved && series.scope === 'this' && toStart(values) < toStart(before)
  const waiting = useFulfilledWish(start.id, isEarlier)

  async function saveOne(
    change: Change,
    { revision }: Appointment,
    typed: AppointmentValues,
    allowOverlap: boolean,
  ): Promise<Appointment | null> {
    try {
      const confirmed = confirmation.getConfirmed(getRequestKey(typed))
      const body = { ...change, revision, allowOverlap, confirmed, ...waiting.body }
      const appointment = await update.mutateAsync({ appointmentId: start.id, body })
      if (waiting.isRemoved) waiting.refresh()
      notify({ title: 'Appointment updated', body: formatName(appointment.patient) })
      return appointment
    } catch (error) {
      if (confirmation.recordQuestion(error, getRequestKey(typed), allowOverlap)) return null
      if (recordRefusal(error, typed)) return null
      throw error
    }
  }

  async function saveSeries(
    change: Change,
    base: Appointment,
    typed: AppointmentValues,
    allowOverlap: boolean,
  ): Promise<Appointment | null> {
    const { status, ...seriesChange } = change
    if (status !== undefined) {
      form.setError('status', { type: 'scope', message: statusScopeMessage }, { shouldFocus: true })
      return null
    }
    const confirmed = confirmation.getConfirmed(getRequestKey(typed))
    const failure = await series.send(base, { ...seriesChange, confirmed }, allowOverlap)
    if (failure === null) return base
    const isQuestion = confirmation.recordQuestion(failure, getRequestKey(typed), allowOverlap)
    if (!isQuestion && failure !== 'conflicts') form.showFailure(failure)
    return null
  }

  function save(
    change: Change,
    base: Appointment,
    typed: AppointmentValues,
    allowOverlap: boolean,
  ): Promise<Appointment | null> {
    const saveInScope = series.scope === 'this' ? saveOne : saveSeries
    return saveInScope(change, base, typed, allowOverlap)
  }

  return {
    form,
    values,
    series,
    availability,
    /** The appointments that overlap the slot in the form, unless the slot is the appointment's own. */
    conflicts: isMoved ? availability.conflicts : [],
    refusedSlot,
    isFreeTime,
    enterFreeTime: () => setIsFreeTime(true),
    chooseSlot: ({ localDate, localTime }: { localDate: string; localTime: string }) => {
      form.setValue('date', localDate, { shouldDirty: true })
      form.setValue('time', localTime, { shouldDirty: true })
    },
    isPending: update.isPending || series.isPending,
    confirmation,
    waiting,
    submit: (allowOverlap: boolean) =>
      form.submit(onClose, (change, base, typed) => save(change, base, typed, allowOverlap)),
  }
}

export type AppointmentEditState = ReturnType<typeof useAppointmentEdit>
