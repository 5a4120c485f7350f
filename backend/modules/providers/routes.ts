import Router from '@koa/router'
import {
  addProvider,
  changeProvider,
  getProviderSeats,
  listProviders,
  type NewProvider,
  type Provider,
  type ProviderChange,
} from '#contracts/providers.ts'
import { type PracticeId, ProviderId } from '#contracts/values/ids.ts'
import type { CommandContext } from '#eventstore/command.ts'
import { CommandRejected } from '#eventstore/command-errors.ts'
import { isRepeatedRequest } from '#eventstore/request-scope.ts'
import { notFound, ProblemError } from '#http/problems.ts'
import { serve } from '#http/serve.ts'
import type { Member } from '#http/session.ts'
import { countUpcomingAppointments } from '#modules/appointments/public.ts'
import { currentRow } from '#modules/kit/current-row.ts'
import type { Services } from '#modules/module.ts'
import { findPracticeProfile } from '#modules/practices/public.ts'
import { recordScope } from '#modules/samples/public.ts'
import { withAdvisoryLocks } from '#database/advisory-locks.ts'
import { ReadModelsBehind } from '#modules/kit/wait-for-read-models.ts'
import { providerDecider, type ProviderState, upcomingAppointments } from './decider.ts'
import { ensureFirstProvider } from './first-provider.ts'
import { isProviderActive } from './public.ts'
import { findProviders } from './queries.ts'
import { findSeats, providersLock, requireFreeSeat } from './seats.ts'
import { undoDeactivationIfBooked } from './undo-deactivation.ts'
import { findUnusedColour } from './unused-colour.ts'

/** The HTTP endpoints for providers. */
export function providerRoutes(services: Services): Router {
  const { bus, db, pool, clock, newId } = services
  const router = new Router()
  const withLocks = withAdvisoryLocks(pool, 2)

  async function findOrCreateProviders(practiceId: string, correlationId: string): Promise<Provider[]> {
    const existing = await findProviders(db, practiceId)
    if (existing.length > 0) return existing
    await ensureFirstProvider(services, practiceId, { correlationId })
    return await findProviders(db, practiceId)
  }

  /** Returns the row after a command, or, when the projection has not caught up in time, the decided state. */
  async function replyWithProvider(
    state: ProviderState,
    revision: bigint | 'no-stream',
    userId: Provider['userId'] = null,
  ) {
    if (!state.exists) throw notFound('provider')
    const rows = await findProviders(db, state.practiceId)
    const row = rows.find(({ id }) => id === state.providerId)
    const current = currentRow(row, revision)
    if (current) return current
    const now = clock().toISOString()
    const { providerId: id, practiceId, details, isActive: active } = state
    const since = { createdAt: row?.createdAt ?? now, updatedAt: now }
    return { id, practiceId, userId: row?.userId ?? userId, ...details, active, revision: Number(revision), ...since }
  }

  serve(router, listProviders, ({ caller }, { correlationId }) =>
    findOrCreateProviders(caller.practiceId, correlationId),
  )

  serve(router, getProviderSeats, ({ caller: { practiceId } }) => findSeats(db, practiceId, clock()))

  // One change at a time per practice: the last seat is given once, and of two providers deactivated at the same moment one must
  // stay active.
  serve(router, addProvider, ({ caller: { practiceId }, body }, { commandContext: context }) =>
    withLocks([providersLock(practiceId)], () => add(practiceId, body, context)),
  )

  serve(router, changeProvider, ({ caller, params, body }, { commandContext: context }) =>
    withLocks([providersLock(caller.practiceId)], () => change(caller, params.providerId, body, context)),
  )

  async function add(practiceId: PracticeId, body: NewProvider, context: CommandContext) {
    const existing = await findOrCreateProviders(practiceId, context.correlationId)
    const practice = await findPracticeProfile(db, practiceId)
    const providerId = ProviderId.parse(newId('provider'))
    const { name, title, colour = findUnusedColour(existing) } = body
    const details = { name, title, colour }
    const timezone = practice?.timezone ?? 'UTC'
    const command = { type: 'Add', providerId, practiceId, userId: null, details, timezone } as const
    // The first attempt at this request may have taken the seat.
    const isAdded = isRepeatedRequest() && (await bus.load(providerDecider, providerId)).state.exists
    if (!isAdded) await requireFreeSeat(services, practiceId, context)
    const { state, revision } = await bus.execute(providerDecider, providerId, command, context)
    return await replyWithProvider(state, revision)
  }

  /** Throws 409 `upcoming-appointments` when an appointment was booked while its provider was deactivated. */
  async function requireNoBooking(caller: Member, providerId: ProviderId, context: CommandContext): Promise<void> {
    const { practiceId } = caller
    const target = { providerId, practiceId, scope: recordScope(caller) }
    const booked = await undoDeactivationIfBooked(services, target, context).catch((error: unknown) => {
      // The job `review-deactivation` looks once more.
      if (error instanceof ReadModelsBehind) return null
      throw error
    })
    if (booked) throw new ProblemError(409, upcomingAppointments.rejected, upcomingAppointments.message, booked)
  }

  async function change(caller: Member, providerId: ProviderId, body: ProviderChange, context: CommandContext) {
    const { practiceId } = caller
    const { revision: expectedRevision, ...sent } = body
    const existing = await findProviders(db, practiceId)
    if (!existing.some(({ id }) => id === providerId)) throw notFound('provider')
    if (body.active === true && !(await isProviderActive(bus, providerId)))
      await requireFreeSeat(services, practiceId, context, 'active')
    const upcoming = await countUpcomingAppointments(db, recordScope(caller), providerId, clock())
    const hasOthers = existing.some(({ id, active }) => active && id !== providerId)
    const changes = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined))
    const command = {
      type: 'Change',
      practiceId,
      change: changes,
      upcomingAppointmentCount: upcoming.appointments,
      hasOtherActiveProviders: hasOthers,
    } as const
    try {
      const options = expectedRevision === undefined ? {} : { expectedRevision: BigInt(expectedRevision) }
      const { state, revision, events } = await bus.execute(providerDecider, providerId, command, context, options)
      if (events.some(({ type }) => type === 'ProviderDeactivated')) await requireNoBooking(caller, providerId, context)
      return await replyWithProvider(state, revision)
    } catch (error) {
      if (!(error instanceof CommandRejected) || error.rejection.rejected !== 'upcoming-appointments') throw error
      const { rejected, message } = error.rejection
      throw new ProblemError(409, rejected, message, upcoming)
    }
  }

  return router
}
