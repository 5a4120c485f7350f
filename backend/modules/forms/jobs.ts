import { z } from 'zod'
import { findTemplate } from '#contracts/form-templates.ts'
import { FormId, PracticeId } from '#contracts/values/ids.ts'
import { isSwitchedOn } from '#modules/automation/switches/public.ts'
import { analyzeForm as analyze } from '#modules/assistant/public.ts'
import { defineJob } from '#modules/module.ts'
import { findPatientRecords } from '#modules/patients/public.ts'
import { processContext } from '#modules/kit/process-context.ts'
import { Cause } from '#process-managers/process-manager.ts'
import { formDecider, type KnownForm, toAnswers } from './decider.ts'
import { jobNames } from './process-manager.ts'

/** Analyzes one version of the answers of a form, unless only a user may request it (`isRequested`). Its result is recorded once, however often it runs. */
export const analyzeForm = defineJob({
  name: jobNames.analyze,
  data: z.strictObject({
    formId: FormId,
    practiceId: PracticeId,
    version: z.number().int(),
    isRequested: z.boolean().default(true),
    cause: Cause,
  }),
  retry: { limit: 5, maxDelaySeconds: 60 },
  // A model replies within three attempts of 30 seconds.
  expireSeconds: 180,
  async run(services, { formId, practiceId, version, isRequested, cause }, { signal }) {
    const { bus } = services
    const loaded = await bus.load(formDecider, formId)
    const { state } = loaded
    // A later version, or another attempt, has its own analysis.
    if (!state.known || state.version !== version || state.analysis?.version === version) return
    const context = processContext(jobNames.analyze, practiceId, cause)
    if (!isRequested && !(await isSwitchedOn(services, practiceId, 'form-analysis'))) {
      await bus.execute(formDecider, formId, { type: 'SkipAnalysis', practiceId, version }, context)
      return
    }
    const form = readForm(state)
    const [patient] = await findPatientRecords(services, practiceId, [state.patientId])
    const analysis = await analyze(services, { practiceId, formId, version, form, patient }, context, signal)
    await bus.execute(formDecider, formId, { type: 'RecordAnalysis', practiceId, version, ...analysis }, context)
  },
  async onDeadLetter({ bus }, { formId, practiceId, version, cause }) {
    const command = { type: 'FailAnalysis', practiceId, version } as const
    await bus.execute(formDecider, formId, command, processContext(jobNames.analyze, practiceId, cause))
  },
})

/** Returns the answers of a form with their template. */
function readForm({ formType, templateVersion, answers }: KnownForm) {
  const template = findTemplate(formType, templateVersion)
  if (!template) throw new Error(`There is no version ${templateVersion} of the template ${formType}`)
  return { template, answers: toAnswers(answers) }
}
