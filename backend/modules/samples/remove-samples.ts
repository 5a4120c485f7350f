import type { EditedChoice } from '#contracts/sample-data.ts'
import type { PracticeId } from '#contracts/values/ids.ts'
import type { CommandContext } from '#eventstore/command-bus.ts'
import type { SampleRecord, Services } from '#modules/module.ts'
import { sampleDecider } from './decider.ts'
import { planSample } from './plan-sample.ts'
import { findRemainingRecords } from './queries.ts'
import { sampleContext, findCause, waitForSampleProjections, finishSeeding } from './seed-samples.ts'

/** Somebody may change a record in the moment in which it is removed; nobody changes them all so often. */
const maxRounds = 20

/**
 * Takes a practice's sample away, in somebody's name: the settings on request, and whoever learns that a subscription has
 * become active (with `keep`). What somebody worked on, or what the practice's own records need, is kept as its own or
 * goes too. What is half seeded is seeded first. Any number may ask at once; once it is gone, nothing happens.
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

/** Brings a removal that was asked for to its end. */
async function finishRemoval(services: Services, practiceId: PracticeId): Promise<void> {
  const { state } = await services.bus.load(sampleDecider, practiceId)
  if (state.status !== 'removing') return
  const asked = await findCause(services, `${sampleDecider.category}-${practiceId}`, 'SampleRemovalAsked')
  const context = sampleContext(practiceId, asked)
  for (let round = 0; round < maxRounds; round++) {
    await waitForSampleProjections(services)
    const left = await findRemainingRecords(services.db, practiceId)
    if (left.length === 0) {
      const plan = planSample(practiceId, state.parameters)
      for (const part of services.sampleContributors) await part.cleanUp?.(services, plan, context)
      await services.bus.execute(sampleDecider, practiceId, { type: 'FinishRemoval', practiceId }, context)
      return
    }
    const records = left.map(({ id, kind, revision, why }): SampleRecord => {
      const wanted = why !== null
      return { id, kind, revision: BigInt(revision), isInUse: wanted, shouldKeep: wanted && state.edited === 'keep' }
    })
    // The other way round than they came: appointments before their patients.
    for (const part of services.sampleContributors.toReversed()) await part.keepOrRemove(services, records, context)
  }
  throw new Error('Sample records are being changed all the time')
}
