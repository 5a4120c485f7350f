import { Router } from '@koa/router'
import { changeFees, getFees } from '#contracts/fees.ts'
import type { AppointmentType } from '#contracts/values/appointments.ts'
import type { Money } from '#contracts/values/money.ts'
import { isConflict } from '#eventstore/command-bus.ts'
import { collectFieldConflicts } from '#http/conflict.ts'
import { ProblemError } from '#http/problems.ts'
import { serve } from '#http/serve.ts'
import { findUserNames } from '#modules/accounts/public.ts'
import type { Services } from '#modules/module.ts'
import { feeDecider, type Fees } from './decider.ts'

/** Serves the fee schedule of a practice. */
export function feeRoutes({ bus, db }: Services): Router {
  const router = new Router()

  serve(router, getFees, async ({ caller }) => toReply(await bus.load(feeDecider, caller.practiceId)))

  serve(router, changeFees, async ({ caller: { practiceId }, body }, { commandContext }) => {
    const fees = Object.fromEntries(
      Object.entries(body.fees).map(([type, cents]): [string, Money] => [type, { cents, currency: 'USD' }]),
    ) as Partial<Fees>
    // A revision of null means the default fees: the stream must not exist yet.
    const options = body.revision === undefined ? {} : { expectedRevision: BigInt(body.revision ?? -1) }
    const command = { type: 'ChangeFees', practiceId, fees } as const
    try {
      return toReply(await bus.execute(feeDecider, practiceId, command, commandContext, options))
    } catch (error) {
      if (!isConflict(error, feeDecider)) throw error
      const changes = await collectFieldConflicts({
        since: error.conflictingEvents,
        changedFields: ({ data }) => Object.keys(data.to) as AppointmentType[],
        now: error.state,
        findNames: (userIds) => findUserNames(db, userIds),
      })
      const message = 'Another user changed the fees. Look at the changes and save again.'
      throw new ProblemError(409, 'changed-meanwhile', message, { changes })
    }
  })

  return router
}

const toReply = ({ state: fees, revision }: { state: Fees; revision: bigint | 'no-stream' }) => ({
  fees: { ...fees },
  revision: revision === 'no-stream' ? null : Number(revision),
})
