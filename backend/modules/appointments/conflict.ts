import type { CommonQueryMethods } from 'slonik'
import type { AppointmentField, AppointmentFieldConflict } from '#contracts/appointments.ts'
import type { Recorded } from '#eventstore/event.ts'
import { collectFieldConflicts as sinceThen } from '#http/conflict.ts'
import type { AppointmentState } from './decider.ts'
import type { AppointmentEvent } from './events.ts'
import { findNames } from './queries.ts'

type Known = Extract<AppointmentState, { known: true }>

function fieldsOf(event: AppointmentEvent): AppointmentField[] {
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

const valuesOf = ({ place, type, status, reason, notes }: Known): Record<AppointmentField, unknown> => ({
  providerId: place.providerId,
  appointmentDate: place.startsAt,
  duration: place.duration,
  type,
  status,
  reason,
  notes,
})

/** What others changed since somebody looked: each field once, with its value now, who changed it last, and when. */
export async function findConflicts(
  db: CommonQueryMethods,
  since: readonly Recorded<AppointmentEvent>[],
  now: Known,
): Promise<AppointmentFieldConflict[]> {
  return await sinceThen({
    since,
    changedFields: fieldsOf,
    now: valuesOf(now),
    findNames: (userIds) => findNames(db, userIds),
  })
}
