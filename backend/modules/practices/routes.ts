import Router from '@koa/router'
import {
  changePractice,
  type PracticeField,
  PracticeFields,
  previewTimeZone,
  setUpPractice,
} from '#contracts/practice-settings.ts'
import { getPractice, type Practice } from '#contracts/practices.ts'
import { defaultAppointmentTypes } from '#contracts/values/appointment-types.ts'
import { toLocalDateTime } from '#contracts/values/calendar.ts'
import { PracticeId, type UserId } from '#contracts/values/ids.ts'
import { isConflict } from '#eventstore/command-errors.ts'
import { deriveId } from '#eventstore/derive-id.ts'
import type { Recorded } from '#eventstore/event.ts'
import { waitWithinRequest } from '#eventstore/request-scope.ts'
import { fieldError, notFound, ProblemError } from '#http/problems.ts'
import { serve } from '#http/serve.ts'
import { findNewsletterOptIn, findUserEmail, hasSecondFactor, loadSecondFactors } from '#modules/accounts/public.ts'
import { compareLocalTimes } from '#modules/appointments/public.ts'
import { throwFieldConflict } from '#modules/kit/field-conflict.ts'
import { currentRow } from '#modules/kit/current-row.ts'
import type { PracticeSetup, Services } from '#modules/module.ts'
import { recordScope } from '#modules/samples/public.ts'
import { practiceDecider, type PracticeState } from './decider.ts'
import type { PracticeEvent } from './events.ts'
import { findPractice } from './queries.ts'
import { practiceSettings } from './settings.ts'

/**
 * Derives the id of a practice from its owner's, so that concurrent setups write to one stream and create one practice.
 */
const derivePracticeId = (ownerId: UserId) => PracticeId.parse(deriveId(`practice of ${ownerId}`))

/** Returns the settings fields that an event changed. */
const changedFields = ({ type, data }: Recorded<PracticeEvent>): PracticeField[] =>
  type === 'PracticeDetailsChanged' ? PracticeFields.keyof().options.filter((field) => field in data.to) : []

/** The HTTP endpoints for the setup, the data and the settings of a practice. */
export function practiceRoutes(services: Services): Router {
  const { bus, db, clock, modules, quotas } = services
  const { defaultTimeZone } = practiceSettings.read(services)
  const router = new Router()

  /** Returns the row after a command, or, when the projection has not caught up in time, the decided state. */
  async function replyWithPractice(
    practiceId: PracticeId,
    state: PracticeState,
    minRevision: number,
  ): Promise<Practice> {
    const row = await findPractice(db, practiceId)
    return currentRow(row, minRevision) ?? practiceFromState(practiceId, state, minRevision, row, clock())
  }

  async function completeSetUp(setup: PracticeSetup): Promise<void> {
    for (const module of modules) await module.afterPracticeSetUp?.(services, setup)
  }

  serve(router, setUpPractice, async ({ body, caller }, { commandContext: context }) => {
    const practiceId = derivePracticeId(caller.userId)
    // A former owner no longer owns the practice that was set up.
    if (caller.practiceId !== null && (caller.practiceId !== practiceId || !caller.isOwner)) {
      const message = 'You belong to a practice already. Its owner and administrators change it in the settings.'
      throw new ProblemError(403, 'not-owner', message)
    }
    if (caller.practiceId === null) await quotas.checkSignUp()
    const { newsletterOptIn: newsletter, selectedPlan, ...details } = body
    const newsletterOptIn = newsletter ?? (selectedPlan !== undefined && (await findNewsletterOptIn(db, caller.userId)))
    const email = details.email ?? (await findUserEmail(db, caller.userId))
    if (email === null) throw fieldError('email', 'Please enter a valid email address')
    const { state, revision, events } = await bus.execute(
      practiceDecider,
      practiceId,
      {
        type: 'SetUp',
        practiceId,
        ownerId: caller.userId,
        details,
        defaults: { email, timezone: defaultTimeZone },
        completion: selectedPlan === undefined ? null : { newsletterOptIn, selectedPlan },
      },
      { ...context, practiceId },
    )
    const isNew = events.some(({ type }) => type === 'PracticeSetUp')
    // A slow machine takes longer for the sample data than the reply may wait; it goes on, and a job completes it.
    await waitWithinRequest(completeSetUp({ practiceId, isNew }))
    return await replyWithPractice(practiceId, state, Number(revision))
  })

  serve(router, getPractice, async ({ params, caller }) => {
    const practice = params.practiceId === caller.practiceId ? await findPractice(db, params.practiceId) : null
    if (!practice) throw notFound('practice')
    return practice
  })

  serve(router, previewTimeZone, async ({ params: { practiceId }, caller, query }) => {
    const practice = practiceId === caller.practiceId ? await findPractice(db, practiceId) : null
    if (!practice) throw notFound('practice')
    const zones = { before: practice.timezone, after: query.timezone }
    const now = clock()
    return {
      now: { before: toLocalDateTime(now, zones.before), after: toLocalDateTime(now, zones.after) },
      ...(await compareLocalTimes(db, recordScope({ ...caller, practiceId }), zones, now)),
    }
  })

  serve(router, changePractice, async ({ params: { practiceId }, caller, body }, { commandContext: context }) => {
    if (practiceId !== caller.practiceId) throw notFound('practice')
    const { revision: expectedRevision, ...sent } = body
    const change = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined))
    const hasTwoFactor =
      body.requireTwoFactor === true && hasSecondFactor(await loadSecondFactors(services, caller.userId))
    const command = { type: 'ChangeDetails', practiceId, change, hasTwoFactor } as const
    const options = expectedRevision === undefined ? {} : { expectedRevision: BigInt(expectedRevision) }
    try {
      const { state, revision } = await bus.execute(practiceDecider, practiceId, command, context, options)
      return await replyWithPractice(practiceId, state, Number(revision))
    } catch (error) {
      if (!isConflict(error, practiceDecider)) throw error
      const { state, conflictingEvents: since } = error
      if (state.status === 'none') throw notFound('practice')
      return await throwFieldConflict(db, {
        since,
        changedFields,
        now: state.details,
        message: 'The practice was changed by someone else',
      })
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
  const { newsletterOptIn, selectedPlan } = completion ?? { newsletterOptIn: false, selectedPlan: null }
  const { timezone, sessionTimeout, requireTwoFactor } = details
  const appointmentTypes = row?.settings.appointmentTypes ?? { ...defaultAppointmentTypes }
  return {
    id,
    ...details,
    newsletterOptIn,
    selectedPlan,
    setupComplete: completion !== null,
    settings: { timezone, sessionTimeout, requireTwoFactor, newsletterOptIn, selectedPlan, appointmentTypes },
    revision,
    createdAt: row?.createdAt ?? now.toISOString(),
    updatedAt: now.toISOString(),
  }
}
