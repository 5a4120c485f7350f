import Router from '@koa/router'
import {
  addProvider,
  changeProvider,
  listProviders,
  type Provider,
  type ProviderChange,
  ProviderColour,
} from '#contracts/providers.ts'
import { ProviderId } from '#contracts/values/ids.ts'
import { type CommandContext, CommandRejected } from '#eventstore/command-bus.ts'
import { notFound, ProblemError } from '#http/problems.ts'
import { serve } from '#http/serve.ts'
import type { Member } from '#http/session.ts'
import { countUpcomingAppointments } from '#modules/appointments/public.ts'
import type { Services } from '#modules/module.ts'
import { findPracticeProfile } from '#modules/practices/public.ts'
import { recordScope } from '#modules/samples/public.ts'
import { withAdvisoryLocks } from '#database/advisory-locks.ts'
import { providerDecider, type ProviderState } from './decider.ts'
import { ensureFirstProvider } from './first-provider.ts'
import { findProviders } from './queries.ts'

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
    if (row && BigInt(row.revision) >= BigInt(revision)) return row
    const now = clock().toISOString()
    const { providerId: id, practiceId, details, isActive: active } = state
    const since = { createdAt: row?.createdAt ?? now, updatedAt: now }
    return { id, practiceId, userId: row?.userId ?? userId, ...details, active, revision: Number(revision), ...since }
  }

  serve(router, listProviders, ({ caller }, { correlationId }) =>
    findOrCreateProviders(caller.practiceId, correlationId),
  )

  serve(router, addProvider, async ({ caller: { practiceId }, body }, { commandContext: context, correlationId }) => {
    const existing = await findOrCreateProviders(practiceId, correlationId)
    const practice = await findPracticeProfile(db, practiceId)
    const providerId = ProviderId.parse(newId('provider'))
    const usedColours = new Set(existing.filter(({ active }) => active).map(({ colour }) => colour))
    const { name, title, colour = ProviderColour.options.find((each) => !usedColours.has(each)) ?? 'teal' } = body
    const details = { name, title, colour }
    const timezone = practice?.timezone ?? 'UTC'
    const command = { type: 'Add', providerId, practiceId, userId: null, details, timezone } as const
    const { state, revision } = await bus.execute(providerDecider, providerId, command, context)
    return await replyWithProvider(state, revision)
  })

  // One change at a time per practice: of two providers deactivated at the same moment one must stay active.
  serve(router, changeProvider, ({ caller, params, body }, { commandContext: context }) =>
    withLocks([`providers of ${caller.practiceId}`], () => change(caller, params.providerId, body, context)),
  )

  async function change(caller: Member, providerId: ProviderId, body: ProviderChange, context: CommandContext) {
    const { practiceId } = caller
    const { revision: expectedRevision, ...sent } = body
    const existing = await findProviders(db, practiceId)
    if (!existing.some(({ id }) => id === providerId)) throw notFound('provider')
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
      const { state, revision } = await bus.execute(providerDecider, providerId, command, context, options)
      return await replyWithProvider(state, revision)
    } catch (error) {
      if (!(error instanceof CommandRejected) || error.rejection.rejected !== 'upcoming-appointments') throw error
      const { rejected, message } = error.rejection
      throw new ProblemError(409, rejected, message, upcoming)
    }
  }

  return router
}
