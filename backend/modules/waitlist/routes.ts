import { Router } from '@koa/router'
import type { CommonQueryMethods } from 'slonik'
import {
  addToWaitlist,
  findBookedWaitlistEntry,
  listWaitlist,
  removeFromWaitlist,
  returnToWaitlist,
  waitlistCandidates,
} from '#contracts/waitlist.ts'
import { WaitlistEntryId } from '#contracts/values/ids.ts'
import { notFound, ProblemError } from '#http/problems.ts'
import { serve } from '#http/serve.ts'
import { isWorkingTime, requireAppointment } from '#modules/appointments/public.ts'
import { toLocalDateTime } from '#contracts/values/calendar.ts'
import type { Services } from '#modules/module.ts'
import { requirePatient } from '#modules/patients/public.ts'
import { requireProvider } from '#modules/providers/public.ts'
import { recordScope } from '#modules/samples/public.ts'
import { parseStart } from '#modules/schedule/public.ts'
import { findWorkCalendar } from '#modules/working-hours/public.ts'
import { waitlistDecider } from './decider.ts'
import { findCandidates, findEntryOf, findWaitingSince, findWaitlist } from './queries.ts'

/** Serves the waitlist of a practice. */
export function waitlistRoutes(services: Services): Router {
  const { bus, db, clock, newId } = services
  const router = new Router()

  serve(router, listWaitlist, ({ caller }) => findWaitlist(services, caller.practiceId))

  serve(router, addToWaitlist, async ({ caller, body }, { commandContext }) => {
    const { practiceId } = caller
    const { providerId, patientId, appointmentId } = body
    const patient = await requireLivingPatient(db, practiceId, patientId)
    if (providerId) await requireProvider(services, caller, providerId, commandContext)
    if (appointmentId) {
      const { state } = await requireAppointment(bus, practiceId, appointmentId)
      if (state.patientId !== patientId) throw notFound('appointment')
    }
    const waitlistEntryId = WaitlistEntryId.parse(newId('waitlist entry'))
    const entry = { waitlistEntryId, practiceId, ...body }
    await bus.execute(waitlistDecider, waitlistEntryId, { type: 'Add', entry }, commandContext)
    const waitingSince = (await findWaitingSince(db, waitlistEntryId)) ?? clock().toISOString()
    return { id: waitlistEntryId, ...body, patient, patientDeceased: false, waitingSince }
  })

  serve(
    router,
    removeFromWaitlist,
    async ({ caller: { practiceId }, params: { waitlistEntryId } }, { commandContext }) => {
      const loaded = await bus.load(waitlistDecider, waitlistEntryId)
      const { state } = loaded
      if (state.status === 'unknown' || state.practiceId !== practiceId) throw notFound('entry on the waitlist')
      const command = { type: 'Remove', practiceId, reason: 'requested' } as const
      const { events } = await bus.execute(waitlistDecider, waitlistEntryId, command, commandContext, { loaded })
      // It was removed before, and not by an earlier attempt at this request.
      if (state.status === 'removed' && events.length === 0) throw notFound('entry on the waitlist')
      return null
    },
  )

  serve(router, findBookedWaitlistEntry, ({ caller, query }) =>
    findEntryOf(services, caller.practiceId, query.appointmentId),
  )

  serve(
    router,
    returnToWaitlist,
    async ({ caller: { practiceId }, params: { waitlistEntryId } }, { commandContext }) => {
      const loaded = await bus.load(waitlistDecider, waitlistEntryId)
      const { state, history } = loaded
      const [added] = history
      if (state.status === 'unknown' || state.practiceId !== practiceId || !added)
        throw notFound('entry on the waitlist')
      // It was removed for another reason.
      if (state.status === 'removed' && !state.booked) throw notFound('entry on the waitlist')
      if (state.booked) {
        const { state: appointment } = await requireAppointment(bus, practiceId, state.booked.appointmentId)
        if (appointment.status !== 'cancelled')
          throw new ProblemError(
            409,
            'still-booked',
            'The appointment that was booked for this patient is not cancelled.',
          )
      }
      const patient = await requireLivingPatient(db, practiceId, state.patientId)
      const { at: waitingSince } = added.metadata
      const command = { type: 'Return', practiceId, waitingSince } as const
      const { state: returned } = await bus.execute(waitlistDecider, waitlistEntryId, command, commandContext, {
        loaded,
      })
      if (returned.status !== 'waiting') throw notFound('entry on the waitlist')
      const { practiceId: _, waitlistEntryId: id, ...entry } = returned.entry
      return { id, ...entry, patient, patientDeceased: false, waitingSince }
    },
  )

  serve(router, waitlistCandidates, async ({ caller, query }, { commandContext }) => {
    const { practiceId } = caller
    const { providerId, duration } = query
    const provider = await requireProvider(services, caller, providerId, commandContext, providerId)
    const zone = caller.timezone
    const startsAt = parseStart(query.start, zone, 'start')
    const { date: day } = toLocalDateTime(startsAt, zone)
    const slot = { providerId: provider.id, startsAt, day, duration }
    const calendar = await findWorkCalendar(db, practiceId, { from: day, until: day })
    return isWorkingTime(calendar, zone, slot) ? await findCandidates(services, recordScope(caller), slot) : []
  })

  return router
}

/** Returns the name of a patient. Throws 404, and 409 `patient-deceased`. */
async function requireLivingPatient(db: CommonQueryMethods, practiceId: string, patientId: string) {
  const { firstName, lastName, deceasedOn } = await requirePatient(db, practiceId, patientId)
  if (deceasedOn !== null) throw new ProblemError(409, 'patient-deceased', 'This patient is recorded as deceased.')
  return { firstName, lastName }
}
