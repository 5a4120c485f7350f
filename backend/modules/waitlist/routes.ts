import { Router } from '@koa/router'
import { addToWaitlist, listWaitlist, removeFromWaitlist, waitlistCandidates } from '#contracts/waitlist.ts'
import { type PracticeId, WaitlistEntryId } from '#contracts/values/ids.ts'
import { serve } from '#http/serve.ts'
import type { Services } from '#modules/module.ts'
import { appointmentDecider } from '#modules/appointments/decider.ts'
import { type SchedulingContext, notFound } from '#modules/appointments/scheduling-context.ts'
import { toLocalTime } from '#modules/local-time.ts'
import { waitlistDecider } from './decider.ts'
import { findCandidates, findWaitlist } from './queries.ts'

/** Patients who wait for an earlier slot. */
export function waitlistRoutes({ bus, db, clock, newId }: Services, desk: SchedulingContext): Router {
  const router = new Router()

  serve(router, listWaitlist, ({ caller }) => findWaitlist(db, caller.practiceId))

  serve(router, addToWaitlist, async ({ caller, body }, { commandContext: context }) => {
    const { practiceId } = caller
    const { firstName, lastName } = await desk.requirePatient(practiceId, body.patientId)
    if (body.providerId) await desk.provider(caller, body.providerId)
    if (body.appointmentId) await requireAppointmentOf(practiceId, body.patientId, body.appointmentId)
    const waitlistEntryId = WaitlistEntryId.parse(newId())
    const entry = { waitlistEntryId, practiceId, ...body }
    await bus.execute(waitlistDecider, waitlistEntryId, { type: 'Add', entry }, context)
    const row = (await findWaitlist(db, practiceId)).find(({ id }) => id === waitlistEntryId)
    if (row) return row
    const patient = { firstName, lastName }
    return { id: waitlistEntryId, ...body, patient, waitingSince: clock().toISOString() }
  })

  serve(
    router,
    removeFromWaitlist,
    async ({ caller: { practiceId }, params: { waitlistEntryId } }, { commandContext: context }) => {
      const { state } = await bus.load(waitlistDecider, waitlistEntryId)
      if (state.status !== 'waiting' || state.practiceId !== practiceId) throw notFound('entry on the waitlist')
      await bus.execute(waitlistDecider, waitlistEntryId, { type: 'TakeOff', practiceId, reason: 'asked' }, context)
      return null
    },
  )

  serve(router, waitlistCandidates, async ({ caller, query }) => {
    const { practiceId } = caller
    const provider = await desk.provider(caller, query.providerId, query.providerId)
    const zone = await desk.zone(practiceId)
    const start = desk.moment(query.start, zone, 'start')
    const { date: day } = toLocalTime(start, zone)
    return await findCandidates(db, practiceId, { providerId: provider.id, start, day, duration: query.duration })
  })

  async function requireAppointmentOf(practiceId: PracticeId, patientId: string, appointmentId: string): Promise<void> {
    const { state } = await bus.load(appointmentDecider, appointmentId)
    if (!state.known || state.practiceId !== practiceId || state.patientId !== patientId) throw notFound('appointment')
  }

  return router
}
