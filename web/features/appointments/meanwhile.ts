import { z } from 'zod'
import { type Appointment, type AppointmentField, AppointmentFieldConflict } from '#contracts/appointments.ts'
import type { ApiProblem } from '#web/app/call.ts'
import type { Overtaken } from '#web/app/meanwhile-notice.tsx'
import { clock } from './clock.ts'
import { plainDay } from './days.ts'
import { type Desk, providerName } from './desk.ts'
import { changedFields, partsOf, type VisitValues, visitValuesOf } from './visit-form.ts'
import { typeWords } from '#web/app/visit-types.ts'
import { statusWords } from './words.ts'

/** What a field of a visit says, on one line; empty where it says nothing. */
export function showField(visit: Appointment, field: AppointmentField, desk: Pick<Desk, 'everybody'>): string {
  switch (field) {
    case 'providerId':
      return providerName(desk, visit.providerId)
    case 'appointmentDate':
      return `${plainDay(visit.localDate)}, ${clock(visit.localTime)}`
    case 'duration':
      return `${visit.duration} minutes`
    case 'type':
      return typeWords[visit.type]
    case 'status':
      return statusWords[visit.status]
    default:
      return visit[field] ?? ''
  }
}

/** What others changed, as the server names it in the problem `changed-meanwhile`. */
export const changesIn = (error: ApiProblem): AppointmentFieldConflict[] =>
  z.array(AppointmentFieldConflict).safeParse(error.problem['changes']).data ?? []

type Sides = { base: Appointment; latest: Appointment; typed: VisitValues }

/** What others changed, against the visit this form began with and what was typed in it since. */
export function overtakenBy(
  changes: readonly AppointmentFieldConflict[],
  { base, latest, typed }: Sides,
  desk: Pick<Desk, 'everybody'>,
): Overtaken<AppointmentField>[] {
  const mine = new Set(changedFields(visitValuesOf(base), typed))
  const differs = new Set(changedFields(visitValuesOf(latest), typed))
  return changes.map(({ field, by, at }) => ({
    field,
    before: showField(base, field, desk),
    theirs: showField(latest, field, desk),
    by,
    at,
    contested: mine.has(field) && differs.has(field),
  }))
}

/** One field of a form, with all its parts, as another state has it. */
export const withField = (values: VisitValues, field: AppointmentField, from: VisitValues): VisitValues => ({
  ...values,
  ...Object.fromEntries(partsOf(field).map((part) => [part, from[part]])),
})

/** The form on the newest visit: what was typed here stays, everything else is as it is now. */
export const rebased = ({ base, latest, typed }: Sides): VisitValues =>
  changedFields(visitValuesOf(base), typed).reduce(
    (values, field) => withField(values, field, typed),
    visitValuesOf(latest),
  )
