import { addDays } from 'date-fns/addDays'
import { z } from 'zod'
import { recheckDays } from '#contracts/values/eligibility.ts'
import type { PatientId, PracticeId } from '#contracts/values/ids.ts'
import { deriveId } from '#eventstore/derive-id.ts'
import { findExpectedPatients } from '#modules/appointments/public.ts'
import { isSwitchedOn } from '#modules/automation/switches/public.ts'
import { hasPlan } from '#modules/billing/public.ts'
import { defineJob, type Services } from '#modules/module.ts'
import { findTimeZone } from '#modules/practices/public.ts'
import { findPracticesWithVerified, findVerifiedToRecheck } from '../queries.ts'
import { jobNames } from './process-manager.ts'
import { findNight } from './rechecks.ts'
import { insuranceSettings } from './settings.ts'

const pageSize = 500

/** Requests the questions about verified policies of patients who are expected soon, in the night of each practice. */
export const recheckCoverages = defineJob({
  name: jobNames.recheck,
  data: z.strictObject({}),
  schedule: '11 * * * *',
  run: (services, _, { id, signal }) => requestRechecks(services, id, signal),
})

/** Requests what is due at the moment; repeated in the same night, it adds nothing. Throws when `signal` is aborted. */
export async function requestRechecks(services: Services, jobId: string, signal: AbortSignal): Promise<void> {
  const { db, clock } = services
  if (!insuranceSettings.read(services).clearinghouse) return
  for (const practiceId of await findPracticesWithVerified(db)) {
    signal.throwIfAborted()
    const date = findNight(clock(), await findTimeZone(db, practiceId))
    if (date === null || !(await hasPlan(db, practiceId, clock()))) continue
    if (await isSwitchedOn(services, practiceId, 'coverage-rechecks'))
      await requestOf(services, practiceId, date, jobId)
  }
}

async function requestOf(services: Services, practiceId: PracticeId, date: string, jobId: string): Promise<void> {
  const { db, clock, jobs } = services
  const from = clock()
  const expected = { from, until: addDays(from, recheckDays.before), limit: pageSize }
  const askedBefore = addDays(from, -recheckDays.apart)
  const cause = { correlationId: jobId, causationId: jobId }
  for (let after: PatientId | null = null; ;) {
    const patientIds: readonly PatientId[] = await findExpectedPatients(db, practiceId, { ...expected, after })
    for (const verificationId of await findVerifiedToRecheck(db, practiceId, patientIds, askedBefore)) {
      // The job decides whether it is due. With the same id, it is enqueued once in a night.
      const id = deriveId(`recheck of ${verificationId} on ${date}`)
      await jobs.send(jobNames.ask, { verificationId, practiceId, attempt: 1, cause }, { id })
    }
    after = patientIds.at(-1) ?? null
    if (patientIds.length < pageSize) return
  }
}
