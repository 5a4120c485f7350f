import { sampleSeed } from '#contracts/sample-practice.ts'
import type { PracticeId } from '#contracts/values/ids.ts'
import type { CommandContext } from '#eventstore/command-bus.ts'
import type { Services } from '#modules/module.ts'
import { type Cause, toCause } from '#process-managers/process-manager.ts'
import { sampleDecider } from './decider.ts'
import { planSample } from './plan-sample.ts'
import { findSampleEligibility } from './queries.ts'

/** In whose name a sample practice is written, and everything of it is marked. */
export const sampleContext = (practiceId: PracticeId, cause: Cause): CommandContext => ({
  practiceId,
  actor: { kind: 'process', name: 'sample-practice' },
  ...cause,
  sample: true,
})

/** What everything follows from that is done for a fact, whoever does it in the end: the first of its kind in a stream. */
export async function findCause({ store }: Services, stream: string, type: string): Promise<Cause> {
  for await (const event of store.read(stream)) if (event.type === type) return toCause(event)
  throw new Error(`There is no ${type}`)
}

const findSetUpCause = (services: Services, practiceId: PracticeId) =>
  findCause(services, `practice-${practiceId}`, 'PracticeSetUp')

/** What read models make of a sample practice can be seen by now. */
export async function waitForSampleProjections({ store, waitUntilCaughtUp: caughtUp }: Services): Promise<void> {
  const head = await store.head()
  const types = [
    'PatientRegistered',
    'PatientRemoved',
    'AppointmentBooked',
    'AppointmentRemoved',
    'PatientAddedToWaitlist',
  ]
  if (head !== null) await caughtUp(types, head)
}

/** Decides what the sample of a practice will be, unless it is known or its owner is no demo user. Answers false if that cannot be looked up yet. */
export async function planIfEligible(services: Services, practiceId: PracticeId): Promise<boolean> {
  if (!services.hasSamplePractices) return true
  const owner = await findSampleEligibility(services.db, practiceId)
  if (!owner) return false
  if (!owner.isDemo) return true
  const at = services.clock().toISOString()
  const command = { type: 'Plan', practiceId, at, timezone: owner.timezone, seed: sampleSeed } as const
  const context = sampleContext(practiceId, await findSetUpCause(services, practiceId))
  await services.bus.execute(sampleDecider, practiceId, command, context)
  return true
}

/** Writes a planned sample practice to its end. Any number may do so at once, and after a crash the next one goes on. */
export async function finishSeeding(services: Services, practiceId: PracticeId): Promise<void> {
  const { bus, sampleContributors: sampleParts } = services
  const { state } = await bus.load(sampleDecider, practiceId)
  if (state.status !== 'planned') return
  const plan = planSample(practiceId, state.parameters)
  const context = sampleContext(practiceId, await findSetUpCause(services, practiceId))
  for (const part of sampleParts) await part.seed(services, plan, context)
  await waitForSampleProjections(services)
  const counted = { patients: plan.patients.length, appointments: plan.appointments.length }
  await bus.execute(sampleDecider, practiceId, { type: 'FinishSeeding', practiceId, ...counted }, context)
}
