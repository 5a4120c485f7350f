import { z } from 'zod'
import { type Appointment, type AppointmentField, AppointmentFieldConflict } from '#contracts/appointments.ts'
import type { ApiProblem } from '#web/api/call.ts'
import type { FieldConflict } from '#web/forms/conflict-notice.tsx'
import { formatTime } from '../local-time.ts'
import { formatMediumDate } from '../calendar-dates.ts'
import { type SchedulingContext, findProviderName } from '../scheduling-context.ts'
import { findChangedFields, getFormFields, type AppointmentValues, toAppointmentValues } from './appointment-form.ts'
import { appointmentTypeLabels } from '#web/entities/appointments/appointment-type-labels.ts'
import { statusLabels } from '../labels.ts'

/** What a field of an appointment says, on one line; empty where it says nothing. */
export function formatField(
  appointment: Appointment,
  field: AppointmentField,
  desk: Pick<SchedulingContext, 'allProviders'>,
): string {
  switch (field) {
    case 'providerId':
      return findProviderName(desk, appointment.providerId)
    case 'appointmentDate':
      return `${formatMediumDate(appointment.localDate)}, ${formatTime(appointment.localTime)}`
    case 'duration':
      return `${appointment.duration} minutes`
    case 'type':
      return appointmentTypeLabels[appointment.type]
    case 'status':
      return statusLabels[appointment.status]
    default:
      return appointment[field] ?? ''
  }
}

/** What others changed, as the server names it in the problem `changed-meanwhile`. */
export const parseConflictingChanges = (error: ApiProblem): AppointmentFieldConflict[] =>
  z.array(AppointmentFieldConflict).safeParse(error.problem['changes']).data ?? []

type Sides = { base: Appointment; latest: Appointment; typed: AppointmentValues }

/** What others changed, against the appointment this form began with and what was typed in it since. */
export function findFieldConflicts(
  changes: readonly AppointmentFieldConflict[],
  { base, latest, typed }: Sides,
  desk: Pick<SchedulingContext, 'allProviders'>,
): FieldConflict<AppointmentField>[] {
  const mine = new Set(findChangedFields(toAppointmentValues(base), typed))
  const differs = new Set(findChangedFields(toAppointmentValues(latest), typed))
  return changes.map(({ field, by, at }) => ({
    field,
    before: formatField(base, field, desk),
    theirs: formatField(latest, field, desk),
    by,
    at,
    isContested: mine.has(field) && differs.has(field),
  }))
}

/** One field of a form, with all its parts, as another state has it. */
export const replaceField = (
  values: AppointmentValues,
  field: AppointmentField,
  from: AppointmentValues,
): AppointmentValues => ({
  ...values,
  ...Object.fromEntries(getFormFields(field).map((part) => [part, from[part]])),
})

/** The form on the newest appointment: what was typed here stays, everything else is as it is now. */
export const rebaseValues = ({ base, latest, typed }: Sides): AppointmentValues =>
  findChangedFields(toAppointmentValues(base), typed).reduce(
    (values, field) => replaceField(values, field, typed),
    toAppointmentValues(latest),
  )
