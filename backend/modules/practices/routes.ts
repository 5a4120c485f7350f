import Router from '@koa/router'
import { changePractice, type PracticeField, PracticeFields, setUpPractice } from '#contracts/practice-settings.ts'
import { getPractice, type Practice } from '#contracts/practices.ts'
import { PracticeId, type UserId } from '#contracts/values/ids.ts'
import { deriveId, isConflict } from '#eventstore/command-bus.ts'
import type { Recorded } from '#eventstore/event.ts'
import { collectFieldConflicts } from '#http/conflict.ts'
import { notFound, ProblemError } from '#http/problems.ts'
import { serve } from '#http/serve.ts'
import { findUserNames } from '#modules/accounts/public.ts'
import type { Services } from '#modules/module.ts'
import { practiceDecider, type PracticeState } from './decider.ts'
import type { PracticeEvent } from './events.ts'
import { findPractice } from './queries.ts'

/**
 * Derives the id of a practice from its owner's, so that concurrent setups write to one stream and create one practice.
 */
const derivePracticeId = (ownerId: UserId) => PracticeId.parse(deriveId(`practice of ${ownerId}`))

/** Returns the settings fields that an event changed. */
const changedFields = ({ type, data }: Recorded<PracticeEvent>): PracticeField[] =>
  type === 'PracticeDetailsChanged' ? PracticeFields.keyof().options.filter((field) => field in data.to) : []

/** The HTTP endpoints for the setup, the data and the settings of a practice. */
export function practiceRoutes(services: Services): Router {
  const { bus, db, clock, modules } = services
  const router = new Router()

  /** Returns the row after a command, or, when the projection has not caught up in time, the decided state. */
  async function replyWithPractice(
    practiceId: PracticeId,
    state: PracticeState,
    minRevision: number,
  ): Promise<Practice> {
    const row = await findPractice(db, practiceId)
    return row && row.revision >= minRevision ? row : practiceFromState(practiceId, state, minRevision, row, clock())
  }

  serve(router, setUpPractice, async ({ body, caller }, { commandContext: context }) => {
    const practiceId = derivePracticeId(caller.userId)
    if (caller.practiceId !== null && caller.practiceId !== practiceId) {
      const message = 'You belong to a practice already. Only its owner can change it.'
      throw new ProblemError(403, 'not-owner', message)
    }
    const { newsletterOptIn, selectedPlan, ...details } = body
    const { state, revision, events } = await bus.execute(
      practiceDecider,
      practiceId,
      {
        type: 'SetUp',
        practiceId,
        ownerId: caller.userId,
        details,
        completion: selectedPlan === undefined ? null : { newsletterOptIn, selectedPlan },
      },
      { ...context, practiceId },
    )
    const isNew = events.some(({ type }) => type === 'PracticeSetUp')
    for (const module of modules) await module.afterPracticeSetUp?.(services, { practiceId, isNew })
    return await replyWithPractice(practiceId, state, Number(revision))
  })

  serve(router, getPractice, async ({ params, caller }) => {
    const practice = params.practiceId === caller.practiceId ? await findPractice(db, params.practiceId) : null
    if (!practice) throw notFound('practice')
    return practice
  })

  serve(router, changePractice, async ({ params: { practiceId }, caller, body }, { commandContext: context }) => {
    if (practiceId !== caller.practiceId) throw notFound('practice')
    const { revision: expectedRevision, ...sent } = body
    const change = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined))
    const command = { type: 'ChangeDetails', practiceId, change } as const
    const options = expectedRevision === undefined ? {} : { expectedRevision: BigInt(expectedRevision) }
    try {
      const { state, revision } = await bus.execute(practiceDecider, practiceId, command, context, options)
      return await replyWithPractice(practiceId, state, Number(revision))
    } catch (error) {
      if (!isConflict(error, practiceDecider)) throw error
      const { state, conflictingEvents: since } = error
      if (state.status === 'none') throw notFound('practice')
      const changes = await collectFieldConflicts({
        since,
        changedFields,
        now: state.details,
        findNames: (userIds) => findUserNames(db, userIds),
      })
      const message = 'The practice was changed by someone else. Check the changes and save again.'
      throw new ProblemError(409, 'changed-meanwhile', message, { changes })
    }
  })

  return router
}

/** Returns the decided practice, for the rare case that its row has not caught up within two seconds. */
function practiceFromState(
  id: PracticeId,
  state: PracticeState,
  revision: number,
  row: Practice | null,
  now: Date,
): Practice {
  if (state.status === 'none') throw new Error('The practice that was just set up has no state')
  const { details, completion } = state
  return {
    id,
    ...details,
    newsletterOptIn: completion?.newsletterOptIn ?? false,
    selectedPlan: completion?.selectedPlan ?? null,
    setupComplete: completion !== null,
    revision,
    createdAt: row?.createdAt ?? now.toISOString(),
    updatedAt: now.toISOString(),
  }
}
