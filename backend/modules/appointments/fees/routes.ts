import { Router } from '@koa/router'
import { changeFees, getFees } from '#contracts/fees.ts'
import type { PracticeId } from '#contracts/values/ids.ts'
import type { Money } from '#contracts/values/money.ts'
import { serve } from '#http/serve.ts'
import type { Services } from '#modules/module.ts'
import { feeDecider, type Fees } from './decider.ts'

/** What a completed visit costs. */
export function feeRoutes({ bus }: Services): Router {
  const router = new Router()

  const answerOf = ({ state: fees, revision }: { state: Fees; revision: bigint | 'no-stream' }) => ({
    fees: { ...fees },
    revision: revision === 'no-stream' ? null : Number(revision),
  })

  serve(router, getFees, async ({ caller }) => answerOf(await bus.load(feeDecider, caller.practiceId)))

  serve(router, changeFees, async ({ caller: { practiceId }, body }, { context }) => {
    const fees = Object.fromEntries(
      Object.entries(body.fees).map(([type, cents]): [string, Money] => [type, { cents, currency: 'USD' }]),
    ) as Partial<Fees>
    return answerOf(await bus.execute(feeDecider, practiceId, asked(practiceId, fees), context))
  })

  return router
}

const asked = (practiceId: PracticeId, fees: Partial<Fees>) => ({ type: 'ChangeFees', practiceId, fees }) as const
