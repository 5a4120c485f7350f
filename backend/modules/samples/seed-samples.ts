import { sampleSeed } from '#contracts/sample-practice.ts'
import type { PracticeId } from '#contracts/values/ids.ts'
import type { CommandContext } from '#eventstore/command.ts'
import { findSubscriptionStatus } from '#modules/accounts/public.ts'
import type { Services } from '#modules/module.ts'
import { findPracticeProfile } from '#modules/practices/public.ts'
import { ReadModelsBehind, waitForReadModels } from '#modules/kit/wait-for-read-models.ts'
import { type Cause, toCause } from '#process-managers/process-manager.ts'
import { sampleDecider } from './decider.ts'
import { planSample } from './plan-sample.ts'
import type { SampleContributor } from './public.ts'
import { sampleSettings } from './settings.ts'

/** The command context of seeding and removal; it marks every event as a sample. */
export const sampleContext = (practiceId: PracticeId, cause: Cause): CommandContext => ({
  practiceId,
  actor: { kind: 'process', name: 'sample-practice' },
  ...cause,
  sample: true,
})

/** Returns the modules' parts of a sample practice, in the order in which they depend on each other. */
export const listContributors = ({ modules }: Services): readonly SampleContributor<Services>[] =>
  modules.flatMap(({ sample }) => sample ?? [])

/** Returns the set-up of a practice as the cause of its sample data, so that all processes that seed it record the same cause. */
async function findSetUpCause({ store }: Services, practiceId: PracticeId): Promise<Cause> {
  for await (const event of store.read(`practice-${practiceId}`))
    if (event.type === 'PracticeSetUp') return toCause(event)
  throw new Error('There is no PracticeSetUp')
}

/** Waits until the read models of patients, appointments and the waitlist are up to date. Throws ReadModelsBehind. */
export const waitForSampleProjections = (services: Services): Promise<void> =>
  waitForReadModels(services, [
    'PatientRegistered',
    'PatientRemoved',
    'AppointmentBooked',
    'AppointmentRemoved',
    'PatientAddedToWaitlist',
  ])

/** Continues although read models are behind, where their content decides nothing. */
export function ignoreReadModelsBehind(error: unknown): void {
  if (!(error instanceof ReadModelsBehind)) throw error
}

/**
 * Plans the sample data of a practice, unless it is already planned or the owner is no demo user. Returns false if the
 * practice or its owner is not in the read models yet.
 */
export async function planIfEligible(services: Services, practiceId: PracticeId): Promise<boolean> {
  const { db, bus, clock } = services
  if (!sampleSettings.read(services).isEnabled) return true
  const practice = await findPracticeProfile(db, practiceId)
  const status = practice && (await findSubscriptionStatus(db, practice.ownerId))
  if (!practice || status === null) return false
  if (status !== 'demo') return true
  const at = clock().toISOString()
  const command = { type: 'Plan', practiceId, at, timezone: practice.timezone, seed: sampleSeed } as const
  const context = sampleContext(practiceId, await findSetUpCause(services, practiceId))
  await bus.execute(sampleDecider, practiceId, command, context)
  return true
}

/** Writes all planned sample data. Safe to run concurrently; after a crash, the next run continues. */
export async function finishSeeding(services: Services, practiceId: PracticeId): Promise<void> {
  const { bus } = services
  const { state } = await bus.load(sampleDecider, practiceId)
  if (state.status !== 'planned') return
  const plan = planSample(practiceId, state.parameters)
  const context = sampleContext(practiceId, await findSetUpCause(services, practiceId))
  for (const contributor of listContributors(services)) await contributor.seed(services, plan, context)
  await waitForSampleProjections(services).catch(ignoreReadModelsBehind)
  const counts = { patients: plan.patients.length, appointments: plan.appointments.length }
  await bus.execute(sampleDecider, practiceId, { type: 'FinishSeeding', practiceId, ...counts }, context)
}
