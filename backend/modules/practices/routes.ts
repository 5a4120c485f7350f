import Router from '@koa/router'
import { getPractice, type Practice, setUpPractice } from '#contracts/practices.ts'
import { PracticeId, type UserId } from '#contracts/values/ids.ts'
import { derivedId } from '#eventstore/command-bus.ts'
import { ProblemError } from '#http/problems.ts'
import { serve } from '#http/serve.ts'
import type { Services } from '#modules/module.ts'
import { practiceDecider, type PracticeState } from './decider.ts'
import { findPractice } from './queries.ts'

/**
 * The id of the practice somebody owns follows from their own, so that set-ups at the same moment meet in one stream and
 * make one practice.
 */
const practiceOf = (ownerId: UserId) => PracticeId.parse(derivedId(`practice of ${ownerId}`))

/** Setting up the practice, and looking at it. */
export function practiceRoutes({ bus, db, clock, welcome }: Services): Router {
  const router = new Router()

  serve(router, setUpPractice, async ({ body, caller }, { context, correlationId }) => {
    const practiceId = practiceOf(caller.userId)
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
    await welcome({ practiceId, isNew: events.some(({ type }) => type === 'PracticeSetUp') }, correlationId)
    const row = await findPractice(db, practiceId)
    const reached = Number(revision)
    return row && row.revision >= reached ? row : asDecided(practiceId, state, reached, row, clock())
  })

  serve(router, getPractice, async ({ params, caller }) => {
    const practice = params.practiceId === caller.practiceId ? await findPractice(db, params.practiceId) : null
    if (!practice) throw new ProblemError(404, 'not-found', 'There is no such practice.')
    return practice
  })

  return router
}

/** The practice as it was just decided, for the rare case that its row is not there within two seconds. */
function asDecided(id: PracticeId, state: PracticeState, revision: number, row: Practice | null, now: Date): Practice {
  if (state.status === 'none') throw new Error('A practice that was set up is there')
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
