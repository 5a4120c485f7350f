import type { EditedChoice } from '#contracts/sample-data.ts'
import type { PracticeId } from '#contracts/values/ids.ts'
import type { CommandContext } from '#eventstore/command.ts'
import type { Services } from '#modules/module.ts'
import { toCause } from '#process-managers/process-manager.ts'
import { sampleDecider } from './decider.ts'
import { planSample } from './plan-sample.ts'
import type { SampleRecord } from './public.ts'
import { findRemainingRecords } from './queries.ts'
import { sampleContext, listContributors, waitForSampleProjections, finishSeeding } from './seed-samples.ts'

/** Maximum number of passes. A record that is edited during its removal is handled in the next pass. */
const maxRounds = 20

/**
 * Removes the sample data of a practice: on request in the settings, or when its subscription starts (with `keep`). Records
 * that a user edited or that the practice's own records need are kept or removed according to `edited`. Finishes seeding
 * first. Idempotent, and safe to run concurrently. Throws ReadModelsBehind once the removal is recorded but the records that
 * remain are not known yet: the next run, at the latest that of the job, completes it.
 */
export async function removeSamples(
  services: Services,
  practiceId: PracticeId,
  edited: EditedChoice,
  context: CommandContext,
): Promise<void> {
  await finishSeeding(services, practiceId)
  const command = { type: 'Remove', practiceId, edited } as const
  await services.bus.execute(sampleDecider, practiceId, command, { ...context, sample: true })
  await finishRemoval(services, practiceId)
}

/** Completes a removal that was requested. */
async function finishRemoval(services: Services, practiceId: PracticeId): Promise<void> {
  const { state, history } = await services.bus.load(sampleDecider, practiceId)
  const request = history.find(({ type }) => type === 'SampleRemovalRequested')
  if (state.status !== 'removing' || !request) return
  const context = sampleContext(practiceId, toCause(request))
  const contributors = listContributors(services)
  for (let round = 0; round < maxRounds; round++) {
    await waitForSampleProjections(services)
    const remaining = await findRemainingRecords(services.db, practiceId)
    if (remaining.length === 0) {
      const plan = planSample(practiceId, state.parameters)
      for (const contributor of contributors) await contributor.cleanUp?.(services, plan, context)
      await services.bus.execute(sampleDecider, practiceId, { type: 'FinishRemoval', practiceId }, context)
      return
    }
    const records = remaining.map(({ id, kind, revision, reason }): SampleRecord => {
      const isInUse = reason !== null
      return { id, kind, revision: BigInt(revision), isInUse, shouldKeep: isInUse && state.edited === 'keep' }
    })
    // Patients only when no appointment is left: one that a user has just changed may keep its patient.
    const appointments = records.filter(({ kind }) => kind === 'appointment')
    const next = appointments.length > 0 ? appointments : records
    for (const contributor of contributors) await contributor.keepOrRemove(services, next, context)
  }
  throw new Error(`Sample records were still being changed after ${maxRounds} passes`)
}
