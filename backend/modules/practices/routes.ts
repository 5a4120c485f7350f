import Router from '@koa/router'
import { changePractice, type PracticeField, PracticeFields, setUpPractice } from '#contracts/practice-settings.ts'
import { getPractice, type Practice } from '#contracts/practices.ts'
import { PracticeId, type UserId } from '#contracts/values/ids.ts'
import { deriveId, isConflict } from '#eventstore/command-bus.ts'
import type { Recorded } from '#eventstore/event.ts'
import { collectFieldConflicts } from '#http/conflict.ts'
import { ProblemError } from '#http/problems.ts'
import { serve } from '#http/serve.ts'
import { findUserNames } from '#modules/accounts/public.ts'
import type { Services } from '#modules/module.ts'
import { practiceDecider, type PracticeState } from './decider.ts'
import type { PracticeEvent } from './events.ts'
import { findPractice } from './queries.ts'

/**
 * The id of the practice somebody owns follows from their own, so that set-ups at the same moment meet in one stream and
 * make one practice.
 */
const derivePracticeId = (ownerId: UserId) => PracticeId.parse(deriveId(`practice of ${ownerId}`))

const practiceNotFound = () => new ProblemError(404, 'not-found', 'There is no such practice.')

/** The fields of the settings that a fact changed. */
const changedFields = ({ type, data }: Recorded<PracticeEvent>): PracticeField[] =>
  type === 'PracticeDetailsChanged' ? PracticeFields.keyof().options.filter((field) => field in data.to) : []

/** Setting up the practice, looking at it, and changing what it is called and how it is reached. */
export function practiceRoutes(services: Services): Router {
  const { bus, db, clock, modules } = services
  const router = new Router()

  /** The row on screen; what was decided, should the row not have followed in time. */
  async function answerOf(practiceId: PracticeId, state: PracticeState, reached: number): Promise<Practice> {
    const row = await findPractice(db, practiceId)
    return row && row.revision >= reached ? row : practiceFromState(practiceId, state, reached, row, clock())
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
    return await answerOf(practiceId, state, Number(revision))
  })

  serve(router, getPractice, async ({ params, caller }) => {
    const practice = params.practiceId === caller.practiceId ? await findPractice(db, params.practiceId) : null
    if (!practice) throw practiceNotFound()
    return practice
  })

  serve(router, changePractice, async ({ params: { practiceId }, caller, body }, { commandContext: context }) => {
    if (practiceId !== caller.practiceId) throw practiceNotFound()
    const { revision: madeOn, ...typed } = body
    const change = Object.fromEntries(Object.entries(typed).filter(([, value]) => value !== undefined))
    const command = { type: 'ChangeDetails', practiceId, change } as const
    const options = madeOn === undefined ? {} : { expectedRevision: BigInt(madeOn) }
    try {
      const { state, revision } = await bus.execute(practiceDecider, practiceId, command, context, options)
      return await answerOf(practiceId, state, Number(revision))
    } catch (error) {
      if (!isConflict(error, practiceDecider)) throw error
      const { state, conflictingEvents: since } = error
      if (state.status === 'none') throw practiceNotFound()
      const namesOf = (userIds: readonly string[]) => findUserNames(db, userIds)
      const changes = await collectFieldConflicts({
        since,
        changedFields: changedFields,
        now: state.details,
        findNames: namesOf,
      })
      const message = 'The practice was changed by someone else. Check the changes and save again.'
      throw new ProblemError(409, 'changed-meanwhile', message, { changes })
    }
  })

  return router
}

/** The practice as it was just decided, for the rare case that its row is not there within two seconds. */
function practiceFromState(
  id: PracticeId,
  state: PracticeState,
  revision: number,
  row: Practice | null,
  now: Date,
): Practice {
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
