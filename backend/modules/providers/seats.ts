import { subDays } from 'date-fns/subDays'
import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'
import type { ProviderSeats } from '#contracts/providers.ts'
import { getPlan, type PlanId } from '#contracts/values/plans.ts'
import { demoLimitPlan, findPlanFor, providerLimits } from '#contracts/values/tiers.ts'
import type { CommandContext } from '#eventstore/command.ts'
import { deriveId } from '#eventstore/derive-id.ts'
import { ProblemError } from '#http/problems.ts'
import { findLastPlan } from '#modules/billing/public.ts'
import type { Services } from '#modules/module.ts'
import { countPatients } from '#modules/patients/public.ts'
import { throwNotReady, waitForReadModels } from '#modules/kit/wait-for-read-models.ts'
import { ensureFirstProvider, memberProviderKey } from './first-provider.ts'

const ActiveRow = z.object({ active: z.number() })
const AddedRow = z.object({ added: z.number() })

/** Returns the lock name that everything holds that takes a seat of a practice, so that the last one is given once. */
export const providersLock = (practiceId: string): string => `providers of ${practiceId}`

/** Days after an acceptance within which a job adds the provider; a person who joined elsewhere never becomes one. */
const maxDaysToAdd = 1

const Invited = z.object({ userId: z.string().nullable() })

/** Counts the active providers of a practice, and the open invitations that will add one. */
export async function countSeats(
  db: CommonQueryMethods,
  practiceId: string,
  now: Date,
): Promise<Pick<ProviderSeats, 'active' | 'invited'>> {
  const active = await db.oneFirst(
    sql.type(ActiveRow)`
      select count(*)::int4 as active from read.providers where practice_id = ${practiceId} and active`,
  )
  const invited = await db.any(
    sql.type(Invited)`
      select user_id as "userId" from read.invited_providers
      where practice_id = ${practiceId} and case when accepted_at is null then expires_at > ${now.toISOString()}
        else accepted_at > ${subDays(now, maxDaysToAdd).toISOString()} end`,
  )
  const providerIds = invited.flatMap(({ userId }) =>
    userId === null ? [] : [deriveId(memberProviderKey({ practiceId, userId }))],
  )
  if (providerIds.length === 0) return { active, invited: invited.length }
  const added = await db.oneFirst(
    sql.type(AddedRow)`
      select count(*)::int4 as added from read.providers where id = any(${sql.array(providerIds, 'uuid')})`,
  )
  return { active, invited: invited.length - added }
}

/** The plan whose limit counts; `isDemo` for a practice that never had one. */
type Plan = { id: PlanId; isDemo: boolean }

async function findPlan(db: CommonQueryMethods, practiceId: string): Promise<Plan> {
  const paidPlan = await findLastPlan(db, practiceId)
  return { id: paidPlan ?? demoLimitPlan, isDemo: paidPlan === null }
}

/** Returns the seats of a practice. One that never subscribed has the limit of the smallest plan. */
export async function findSeats(db: CommonQueryMethods, practiceId: string, now: Date): Promise<ProviderSeats> {
  const plan = await findPlan(db, practiceId)
  return { ...(await countSeats(db, practiceId, now)), max: providerLimits[plan.id] }
}

/**
 * Throws 402 `plan-limit`, with the plan that is needed as `tier`, when a practice has no seat left for one more provider. The
 * caller holds `providersLock`. `path` names the field that asked for the seat. Throws 503 while the read models are behind.
 */
export async function requireFreeSeat(
  services: Pick<Services, 'bus' | 'db' | 'store' | 'waitUntilCaughtUp' | 'clock'>,
  practiceId: string,
  { correlationId }: Pick<CommandContext, 'correlationId'>,
  path?: string,
): Promise<void> {
  const { db, clock } = services
  const plan = await findPlan(db, practiceId)
  const max = providerLimits[plan.id]
  if (max === null) return
  await waitForReadModels(services, ['ProviderAdded', 'MemberInvited']).catch(throwNotReady)
  let seats = await countSeats(db, practiceId, clock())
  if (seats.active === 0) {
    // The owner takes the first seat, also when an invitation comes before the job that adds them.
    await ensureFirstProvider(services, practiceId, { correlationId })
    seats = await countSeats(db, practiceId, clock())
  }
  const used = seats.active + seats.invited
  if (used < max) return
  const tier = findPlanFor(await countPatients(db, practiceId), used + 1)
  const holder = plan.isDemo ? 'The demo' : `Your ${getPlan(plan.id).name} plan`
  const invited = seats.invited > 0 ? ', and open invitations count' : ''
  const message = `${holder} holds ${max} providers${invited}. Upgrade to ${getPlan(tier).name} to add more.`
  const errors = path === undefined ? [] : [{ path, message }]
  throw new ProblemError(402, 'plan-limit', message, { limit: max, tier, errors })
}
