import { addHours } from 'date-fns/addHours'
import { z } from 'zod'
import { toLocalDate } from '#contracts/values/calendar.ts'
import { isCoverageOver } from '#contracts/values/insurance.ts'
import { CommandRejected } from '#eventstore/command-bus.ts'
import { defineJob, type Services } from '#modules/module.ts'
import { findTimeZone } from '#modules/practices/public.ts'
import { processContext } from '#modules/process-context.ts'
import { verificationDecider } from './decider.ts'
import { type Expiring, findExpiring } from './queries.ts'

const jobName = 'expire-verifications'
const pageSize = 500

/**
 * Expires verifications at the midnight of their practice after the last day of the coverage. Every quarter of an hour, because
 * each time zone has its midnight at one; the dates are compared again each time, so a changed time zone or clock needs
 * nothing.
 */
export const expireVerifications = defineJob({
  name: jobName,
  data: z.strictObject({}),
  schedule: '*/15 * * * *',
  run: (services, _, { id, signal }) => expireAllVerifications(services, id, signal),
})

/** Expires all verifications whose coverage is over, page by page. Throws when `signal` is aborted. */
export async function expireAllVerifications(services: Services, jobId: string, signal: AbortSignal): Promise<void> {
  const { db, clock } = services
  const now = clock()
  // The latest date on earth.
  const latestToday = toLocalDate(addHours(now, 14), 'UTC')
  const dates = new Map<string, string>()
  for (let after: string | null = null; ;) {
    signal.throwIfAborted()
    const page: readonly Expiring[] = await findExpiring(db, latestToday, after, pageSize)
    for (const verification of page) {
      const { practiceId } = verification
      const today = dates.get(practiceId) ?? toLocalDate(now, await findTimeZone(db, practiceId))
      dates.set(practiceId, today)
      if (isCoverageOver(verification.expiryDate, today)) await expire(services, verification, today, jobId)
    }
    after = page.at(-1)?.id ?? null
    if (page.length < pageSize) return
  }
}

async function expire({ bus }: Services, { id, practiceId, expiryDate }: Expiring, today: string, jobId: string) {
  const context = processContext(jobName, practiceId, { correlationId: jobId, causationId: jobId })
  const move = { type: 'Move', event: 'InsuranceExpired', data: { expiryDate } } as const
  try {
    await bus.execute(verificationDecider, id, { ...move, practiceId, today }, context)
  } catch (error) {
    // A user has changed it since it was read.
    if (!(error instanceof CommandRejected)) throw error
  }
}
