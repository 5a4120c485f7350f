import Router from '@koa/router'
import {
  addProvider,
  changeProvider,
  listProviders,
  type Provider,
  type ProviderChange,
  ProviderColour,
} from '#contracts/providers.ts'
import { type PracticeId, ProviderId } from '#contracts/values/ids.ts'
import { type CommandContext, CommandRejected } from '#eventstore/command-bus.ts'
import { ProblemError } from '#http/problems.ts'
import { serve } from '#http/serve.ts'
import { findUpcomingAppointments } from '#modules/appointments/public.ts'
import type { Services } from '#modules/module.ts'
import { findPracticeProfile } from '#modules/practices/public.ts'
import { withAdvisoryLocks } from '#database/advisory-locks.ts'
import { providerDecider, type ProviderState } from './decider.ts'
import { ensureFirstProvider } from './first-provider.ts'
import { findProviders } from './queries.ts'

const providerNotFound = () => new ProblemError(404, 'not-found', 'There is no such provider.')

/** Those who see patients. */
export function providerRoutes(services: Services): Router {
  const { bus, db, pool, clock, newId } = services
  const router = new Router()
  const inTurn = withAdvisoryLocks(pool, 2)

  async function everybody(practiceId: string, correlationId: string): Promise<Provider[]> {
    const there = await findProviders(db, practiceId)
    if (there.length > 0) return there
    await ensureFirstProvider(services, practiceId, { correlationId })
    return await findProviders(db, practiceId)
  }

  /** The row on screen; what was decided, should the row not have followed in time. */
  async function answerOf(state: ProviderState, revision: bigint | 'no-stream', userId: Provider['userId'] = null) {
    if (!state.exists) throw providerNotFound()
    const rows = await findProviders(db, state.practiceId)
    const row = rows.find(({ id }) => id === state.providerId)
    if (row && BigInt(row.revision) >= BigInt(revision)) return row
    const now = clock().toISOString()
    const { providerId: id, practiceId, details, isActive: active } = state
    const since = { createdAt: row?.createdAt ?? now, updatedAt: now }
    return { id, practiceId, userId: row?.userId ?? userId, ...details, active, revision: Number(revision), ...since }
  }

  serve(router, listProviders, ({ caller }, { correlationId }) => everybody(caller.practiceId, correlationId))

  serve(router, addProvider, async ({ caller: { practiceId }, body }, { commandContext: context, correlationId }) => {
    const there = await everybody(practiceId, correlationId)
    const practice = await findPracticeProfile(db, practiceId)
    const providerId = ProviderId.parse(newId())
    const worn = new Set(there.filter(({ active }) => active).map(({ colour }) => colour))
    const { name, title, colour = ProviderColour.options.find((each) => !worn.has(each)) ?? 'teal' } = body
    const details = { name, title, colour }
    const timezone = practice?.timezone ?? 'UTC'
    const command = { type: 'Add', providerId, practiceId, userId: null, details, timezone } as const
    const { state, revision } = await bus.execute(providerDecider, providerId, command, context)
    return await answerOf(state, revision)
  })

  // One after the other in a practice: of two who leave at the same moment one must stay.
  serve(router, changeProvider, ({ caller: { practiceId }, params, body }, { commandContext: context }) =>
    inTurn([`providers of ${practiceId}`], () => change(practiceId, params.providerId, body, context)),
  )

  async function change(practiceId: PracticeId, providerId: ProviderId, body: ProviderChange, context: CommandContext) {
    const { revision: madeOn, ...changed } = body
    const there = await findProviders(db, practiceId)
    if (!there.some(({ id }) => id === providerId)) throw providerNotFound()
    const coming = await findUpcomingAppointments(db, providerId, clock())
    const othersActive = there.some(({ id, active }) => active && id !== providerId)
    const wanted = Object.fromEntries(Object.entries(changed).filter(([, value]) => value !== undefined))
    const command = {
      type: 'Change',
      practiceId,
      change: wanted,
      upcomingAppointmentCount: coming.appointments,
      hasOtherActiveProviders: othersActive,
    } as const
    try {
      const options = madeOn === undefined ? {} : { expectedRevision: BigInt(madeOn) }
      const { state, revision } = await bus.execute(providerDecider, providerId, command, context, options)
      return await answerOf(state, revision)
    } catch (error) {
      if (!(error instanceof CommandRejected) || error.rejection.rejected !== 'upcoming-appointments') throw error
      const { rejected, message } = error.rejection
      throw new ProblemError(409, rejected, message, coming)
    }
  }

  return router
}
