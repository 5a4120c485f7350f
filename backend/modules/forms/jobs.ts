import { z } from 'zod'
import { findTemplate } from '#contracts/form-templates.ts'
import { toLocalDate } from '#contracts/values/calendar.ts'
import { FormId, PracticeId } from '#contracts/values/ids.ts'
import { analyzeByRules } from '#modules/assistant/public.ts'
import { defineJob, type Services } from '#modules/module.ts'
import { findPatientRecords } from '#modules/patients/public.ts'
import { findTimeZone } from '#modules/practices/public.ts'
import { processContext } from '#modules/process-context.ts'
import { Cause } from '#process-managers/process-manager.ts'
import { formDecider, type KnownForm, toAnswers } from './decider.ts'
import { jobNames } from './process-manager.ts'

/** Analyzes one version of the answers of a form. Its result is recorded once, however often it runs. */
export const analyzeForm = defineJob({
  name: jobNames.analyze,
  data: z.strictObject({ formId: FormId, practiceId: PracticeId, version: z.number().int(), cause: Cause }),
  retry: { limit: 5, maxDelaySeconds: 60 },
  async run(services, { formId, practiceId, version, cause }) {
    const { bus } = services
    const loaded = await bus.load(formDecider, formId)
    const { state } = loaded
    // A later version, or another attempt, has its own analysis.
    if (!state.known || state.version !== version || state.analysis?.version === version) return
    const result = await analyze(services, state)
    const analysis = { analyst: 'rules', model: null, result } as const
    const command = { type: 'RecordAnalysis', practiceId, version, ...analysis } as const
    await bus.execute(formDecider, formId, command, processContext(jobNames.analyze, practiceId, cause))
  },
  async onDeadLetter({ bus }, { formId, practiceId, version, cause }) {
    const command = { type: 'FailAnalysis', practiceId, version } as const
    await bus.execute(formDecider, formId, command, processContext(jobNames.analyze, practiceId, cause))
  },
})

async function analyze(services: Services, { practiceId, patientId, formType, templateVersion, answers }: KnownForm) {
  const template = findTemplate(formType, templateVersion)
  if (!template) throw new Error(`There is no version ${templateVersion} of the template ${formType}`)
  const [patient] = await findPatientRecords(services, practiceId, [patientId])
  const chart = {
    allergies: patient?.allergies ?? [],
    medications: (patient?.medications ?? []).map(({ name }) => name),
  }
  const today = toLocalDate(services.clock().toISOString(), await findTimeZone(services.db, practiceId))
  return analyzeByRules({ template, answers: toAnswers(answers), chart, today })
}
