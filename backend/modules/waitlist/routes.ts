import { Router } from '@koa/router'
import type { CommonQueryMethods } from 'slonik'
import {
  addToWaitlist,
  changeWaitlistEntry,
  findBookedWaitlistEntry,
  listWaitlist,
  removeFromWaitlist,
  returnToWaitlist,
  waitlistCandidates,
  type WaitlistEntry,
  type WaitlistEntryChange,
} from '#contracts/waitlist.ts'
import { WaitlistEntryId } from '#contracts/values/ids.ts'
import type { CommandContext } from '#eventstore/command.ts'
import { notFound, ProblemError } from '#http/problems.ts'
import { serve } from '#http/serve.ts'
import type { Member } from '#http/session.ts'
import { isWorkingTime, requireAppointment } from '#modules/appointments/public.ts'
import { toLocalDateTime } from '#contracts/values/calendar.ts'
import type { Services } from '#modules/module.ts'
import { requirePatient } from '#modules/patients/public.ts'
import { requireProvider } from '#modules/providers/public.ts'
import { parseStart } from '#modules/schedule/public.ts'
import { findWorkCalendar } from '#modules/working-hours/public.ts'
import { waitlistDecider } from './decider.ts'
import type { StoredEntry } from './entries.ts'
import { findCandidates, findEntryOf, findWaitingSince, findWaitlist, toReplies } from './queries.ts'

/** Serves the waitlist of a practice. */
export function waitlistRoutes(services: Services): Router {
  const { bus, db, clock, newId } = services
  const router = new Router()

  serve(router, listWaitlist, ({ caller }) => findWaitlist(services, caller))

  serve(router, addToWaitlist, async ({ caller, body }, { commandContext }) => {
    const { practiceId } = caller
    await requireLivingPatient(db, practiceId, body.patientId)
    await requireWishes(services, caller, body, commandContext)
    const waitlistEntryId = WaitlistEntryId.parse(newId('waitlist entry'))
    const entry = { waitlistEntryId, practiceId, ...body }
    await bus.execute(waitlistDecider, waitlistEntryId, { type: 'Add', entry }, commandContext)
    const waitingSince = (await findWaitingSince(db, waitlistEntryId)) ?? clock().toISOString()
    return await toOneReply(services, caller, { id: waitlistEntryId, ...body, waitingSince })
  })

  serve(
    router,
    changeWaitlistEntry,
    async ({ caller, params: { waitlistEntryId }, body: change }, { commandContext }) => {
      const { practiceId } = caller
      const loaded = await bus.load(waitlistDecider, waitlistEntryId)
      const { state, history } = loaded
      const [added] = history
      if (state.status !== 'waiting' || state.practiceId !== practiceId || !added)
        throw notFound('entry on the waitlist')
      const { patientId } = state
      await requireWishes(services, caller, { patientId, ...change }, commandContext)
      const command = { type: 'Change', practiceId, change } as const
      const { state: changed } = await bus.execute(waitlistDecider, waitlistEntryId, command, commandContext, {
        loaded,
      })
      if (changed.status === 'unknown') throw notFound('entry on the waitlist')
      const { practiceId: _, waitlistEntryId: id, ...entry } = changed.entry
      return await toOneReply(services, caller, { id, ...entry, waitingSince: added.metadata.at })
    },
  )

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

  serve(router, findBookedWaitlistEntry, ({ caller, query }) => findEntryOf(services, caller, query.appointmentId))

  serve(router, returnToWaitlist, async ({ caller, params: { waitlistEntryId } }, { commandContext }) => {
    const { practiceId } = caller
    const loaded = await bus.load(waitlistDecider, waitlistEntryId)
    const { state, history } = loaded
    const [added] = history
    if (state.status === 'unknown' || state.practiceId !== practiceId || !added) throw notFound('entry on the waitlist')
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
    await requireLivingPatient(db, practiceId, state.patientId)
    const { at: waitingSince } = added.metadata
    const command = { type: 'Return', practiceId, waitingSince } as const
    const { state: returned } = await bus.execute(waitlistDecider, waitlistEntryId, command, commandContext, {
      loaded,
    })
    if (returned.status !== 'waiting') throw notFound('entry on the waitlist')
    const { practiceId: _, waitlistEntryId: id, ...entry } = returned.entry
    return await toOneReply(services, caller, { id, ...entry, waitingSince })
  })

  serve(router, waitlistCandidates, async ({ caller, query }, { commandContext }) => {
    const { practiceId } = caller
    const { providerId, duration } = query
    const provider = await requireProvider(services, caller, providerId, commandContext, providerId)
    const zone = caller.timezone
    const startsAt = parseStart(query.start, zone, 'start')
    const { date: day } = toLocalDateTime(startsAt, zone)
    const slot = { providerId: provider.id, startsAt, day, duration }
    const calendar = await findWorkCalendar(db, practiceId, { from: day, until: day })
    return isWorkingTime(calendar, zone, slot) ? await findCandidates(services, caller, slot) : []
  })

  return router
}

/** Throws 404 for an unknown patient, and 409 `patient-deceased`. */
async function requireLivingPatient(db: CommonQueryMethods, practiceId: string, patientId: string): Promise<void> {
  const { deceasedOn } = await requirePatient(db, practiceId, patientId)
  if (deceasedOn !== null) throw new ProblemError(409, 'patient-deceased', 'This patient is recorded as deceased.')
}

type RequestedWishes = Pick<WaitlistEntryChange, 'providerId' | 'appointmentId'> & { patientId: string }

/** Throws 404 for a provider or an appointment of someone else, and 409 for an appointment that cannot be moved any more. */
async function requireWishes(
  services: Services,
  caller: Member,
  { patientId, providerId, appointmentId }: RequestedWishes,
  context: CommandContext,
): Promise<void> {
  if (providerId) await requireProvider(services, caller, providerId, context)
  if (!appointmentId) return
  const { state } = await requireAppointment(services.bus, caller.practiceId, appointmentId)
  if (state.patientId !== patientId) throw notFound('appointment')
  const isOpen = state.status === 'scheduled' || state.status === 'confirmed'
  if (isOpen && state.slot.startsAt > services.clock().toISOString()) return
  const message = 'This appointment is cancelled, or has begun.'
  throw new ProblemError(409, 'appointment-not-open', message, { errors: [{ path: 'appointmentId', message }] })
}

/** Returns the reply for one entry. Throws 404 when its patient was removed in the meantime. */
async function toOneReply(services: Services, caller: Member, entry: StoredEntry): Promise<WaitlistEntry> {
  const [reply] = await toReplies(services, caller, [entry])
  if (!reply) throw notFound('patient')
  return reply
}
