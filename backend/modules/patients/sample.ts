import { PracticeId } from '#contracts/values/ids.ts'
import type { CommandContext } from '#eventstore/command.ts'
import { ConcurrencyError, CommandRejected } from '#eventstore/command-errors.ts'
import type { Services } from '#modules/module.ts'
import type { SampleContributor, SampleRecord } from '#modules/samples/public.ts'
import { patientDecider } from './decider.ts'

/** Seeds, keeps and removes the patients of a sample practice. */
export const samplePatients: SampleContributor<Services> = {
  async seed({ bus }, { practiceId, patients, today }, context) {
    const options = { idempotencyKey: 'sample practice', isNew: true, consistency: 'eventual' } as const
    await Promise.all(
      patients.map(({ patientId, registeredAt, fields, historyRecordedAt: notedAt }) => {
        const { medicalHistory } = fields
        const patient = { ...fields, medicalHistory: null }
        const commands = [
          { command: { type: 'Register', patientId, practiceId, patient, today } as const, at: registeredAt },
          { command: { type: 'Change', practiceId, change: { medicalHistory }, today } as const, at: notedAt },
        ]
        return bus.executeAll(patientDecider, patientId, commands, context, options)
      }),
    )
  },
  async keepOrRemove(services, records, context) {
    const own = records.filter(({ kind }) => kind === 'patient')
    await Promise.all(own.map((record) => keepOrRemoveOne(services, record, context)))
  },
}

async function keepOrRemoveOne(
  { bus }: Services,
  { id, revision, isInUse, shouldKeep }: SampleRecord,
  context: CommandContext,
) {
  const practiceId = PracticeId.parse(context.practiceId)
  const command = shouldKeep
    ? ({ type: 'KeepSample', practiceId } as const)
    : ({ type: 'RemoveSample', practiceId } as const)
  try {
    // A sample that is in use is removed like any patient, because the practice has data that belongs to it.
    await bus.execute(
      patientDecider,
      id,
      command,
      { ...context, sample: !isInUse },
      { expectedRevision: revision, consistency: 'eventual' },
    )
  } catch (error) {
    // Changed or deleted by a user at the same time: such a record is offered again or no longer exists.
    if (!(error instanceof ConcurrencyError || error instanceof CommandRejected)) throw error
  }
}
