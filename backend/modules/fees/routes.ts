import { Router } from '@koa/router'
import { changeFees, getFees } from '#contracts/fees.ts'
import type { PracticeId } from '#contracts/values/ids.ts'
import type { Money } from '#contracts/values/money.ts'
import type { AppointmentType } from '#contracts/values/appointments.ts'
import { ConcurrencyError } from '#eventstore/command-bus.ts'
import type { Recorded } from '#eventstore/event.ts'
import { collectFieldConflicts } from '#http/conflict.ts'
import { ProblemError } from '#http/problems.ts'
import { serve } from '#http/serve.ts'
import type { Services } from '#modules/module.ts'
import { findNames } from '#modules/appointments/queries.ts'
import { feeDecider, type Fees } from './decider.ts'
import type { FeeEvent } from './events.ts'

/** What a completed appointment costs. */
export function feeRoutes({ bus, db }: Services): Router {
  const router = new Router()

  const answerOf = ({ state: fees, revision }: { state: Fees; revision: bigint | 'no-stream' }) => ({
    fees: { ...fees },
    revision: revision === 'no-stream' ? null : Number(revision),
  })

  serve(router, getFees, async ({ caller }) => answerOf(await bus.load(feeDecider, caller.practiceId)))

  serve(router, changeFees, async ({ caller: { practiceId }, body }, { commandContext: context }) => {
    const fees = Object.fromEntries(
      Object.entries(body.fees).map(([type, cents]): [string, Money] => [type, { cents, currency: 'USD' }]),
    ) as Partial<Fees>
    // Without a change there is no revision to name: whoever looked then saw what was before the first.
    const options = body.revision === undefined ? {} : { expectedRevision: BigInt(body.revision ?? -1) }
    try {
      return answerOf(await bus.execute(feeDecider, practiceId, asked(practiceId, fees), context, options))
    } catch (error) {
      if (!(error instanceof ConcurrencyError)) throw error
      const { state: now } = await bus.load(feeDecider, practiceId)
      const fieldsOf = ({ data }: Recorded<FeeEvent>) => Object.keys(data.to) as AppointmentType[]
      const since = error.conflictingEvents as unknown as readonly Recorded<FeeEvent>[]
      const changes = await collectFieldConflicts({
        since,
        changedFields: fieldsOf,
        now,
        findNames: (userIds) => findNames(db, userIds),
      })
      const message = 'Somebody changed the fees meanwhile. Look at the changes and save again.'
      throw new ProblemError(409, 'changed-meanwhile', message, { changes })
    }
  })

  return router
}

const asked = (practiceId: PracticeId, fees: Partial<Fees>) => ({ type: 'ChangeFees', practiceId, fees }) as const
