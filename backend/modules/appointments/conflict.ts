import type { AppointmentField } from '#contracts/appointments.ts'
import type { Recorded } from '#eventstore/event.ts'
import { notFound } from '#http/problems.ts'
import { throwFieldConflict } from '#modules/kit/field-conflict.ts'
import type { Services } from '#modules/module.ts'
import type { AppointmentState, KnownAppointment } from './decider.ts'
import type { AppointmentEvent } from './events.ts'

function changedFields(event: AppointmentEvent): AppointmentField[] {
  switch (event.type) {
    case 'AppointmentRescheduled': {
      const { from, to } = event.data
      return [
        ...(from.providerId === to.providerId ? [] : ['providerId' as const]),
        ...(from.startsAt === to.startsAt ? [] : ['appointmentDate' as const]),
        ...(from.duration === to.duration ? [] : ['duration' as const]),
      ]
    }
    case 'AppointmentDetailsChanged':
      return Object.keys(event.data.to) as AppointmentField[]
    case 'AppointmentStatusChanged':
    case 'AppointmentCompleted':
    case 'AppointmentCancelled':
      return ['status']
    default:
      return []
  }
}

const toFields = ({ slot, type, status, reason, notes }: KnownAppointment): Record<AppointmentField, unknown> => ({
  providerId: slot.providerId,
  appointmentDate: slot.startsAt,
  duration: slot.duration,
  type,
  status,
  reason,
  notes,
})

/**
 * Throws the 409 for a change of a stale revision, with the fields that the events since then changed. `state` is the state
 * after them. Throws 404 when the appointment was removed.
 */
export async function throwChangeConflict(
  { db }: Pick<Services, 'db'>,
  state: AppointmentState,
  since: readonly Recorded<AppointmentEvent>[],
): Promise<never> {
  if (!state.known) throw notFound('appointment')
  return await throwFieldConflict(db, {
    since,
    changedFields,
    now: toFields(state),
    message: 'This appointment was changed by someone else',
  })
}
