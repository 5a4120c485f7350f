import type { AppointmentField } from '#contracts/appointments.ts'
import type { Recorded } from '#eventstore/event.ts'
import { collectFieldConflicts } from '#http/conflict.ts'
import { notFound, ProblemError } from '#http/problems.ts'
import { findUserNames } from '#modules/accounts/public.ts'
import type { Services } from '#modules/module.ts'
import { type AppointmentState, appointmentDecider } from './decider.ts'
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

const toFields = ({
  slot,
  type,
  status,
  reason,
  notes,
}: Extract<AppointmentState, { known: true }>): Record<AppointmentField, unknown> => ({
  providerId: slot.providerId,
  appointmentDate: slot.startsAt,
  duration: slot.duration,
  type,
  status,
  reason,
  notes,
})

/** Throws the 409 for a change of a stale revision, with the fields that others have changed since. */
export async function throwChangeConflict(
  { bus, db, store }: Pick<Services, 'bus' | 'db' | 'store'>,
  appointmentId: string,
  expectedRevision: number,
): Promise<never> {
  const since: Recorded<AppointmentEvent>[] = []
  const stream = `${appointmentDecider.category}-${appointmentId}`
  for await (const event of store.read(stream, BigInt(expectedRevision) + 1n))
    since.push(event as unknown as Recorded<AppointmentEvent>)
  const { state } = await bus.load(appointmentDecider, appointmentId)
  if (!state.known) throw notFound('appointment')
  const changes = await collectFieldConflicts({
    since,
    changedFields,
    now: toFields(state),
    findNames: (userIds) => findUserNames(db, userIds),
  })
  const message = 'Another user changed this appointment. Look at the changes and save again.'
  throw new ProblemError(409, 'changed-meanwhile', message, { changes })
}
