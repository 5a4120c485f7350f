import { addMinutes } from 'date-fns/addMinutes'
import { subDays } from 'date-fns/subDays'
import { findTemplate } from '#contracts/form-templates.ts'
import { sampleFormAnswers } from '#contracts/sample-forms.ts'
import { FormId, UserId } from '#contracts/values/ids.ts'
import { deriveId } from '#eventstore/derive-id.ts'
import { analyzeByRules } from '#modules/assistant/public.ts'
import type { Services } from '#modules/module.ts'
import { findPracticeProviders } from '#modules/providers/public.ts'
import type { SampleContributor, SamplePlan } from '#modules/samples/public.ts'
import { type FormCommand, formDecider } from './decider.ts'

const seedOptions = { idempotencyKey: 'sample practice', isNew: true, consistency: 'eventual' } as const

type SampleForm = (typeof sampleFormAnswers)[number]

/**
 * The forms of a sample practice with their analyses. They are shown only while sample data is, so that none has to be removed;
 * the forms of a removed patient are not shown either.
 */
export const sampleForms: SampleContributor<Services> = {
  async seed({ bus, db }, plan, context) {
    const [provider] = await findPracticeProviders(db, plan.practiceId)
    const userId = provider?.userId ? UserId.parse(provider.userId) : null
    await Promise.all(
      sampleFormAnswers.map((form, index) => {
        const formId = FormId.parse(deriveId(`sample form ${index} of ${plan.practiceId}`))
        return bus.executeAll(formDecider, formId, toCommands(form, formId, plan, userId), context, seedOptions)
      }),
    )
  },
  keepOrRemove: async () => undefined,
}

/** Returns the commands that lead to a form, each with the time at which it happened. */
function toCommands(form: SampleForm, formId: FormId, plan: SamplePlan, userId: UserId | null) {
  const { practiceId } = plan
  const { formType, title, answers, isAnalyzed, status } = form
  const template = findTemplate(formType)
  const { patientId, fields } = plan.patients[form.person] ?? {}
  const medications = (fields?.medications ?? []).map(({ name }) => name)
  if (!template || !patientId) throw new Error(`The sample form ${title} has no template or no patient`)
  const assignedAt = subDays(addMinutes(plan.at, -form.minutesAgo), form.daysAgo)
  const at = (minutes: number) => addMinutes(assignedAt, minutes).toISOString()
  const assigned = { formId, practiceId, patientId, formType, templateVersion: template.version, title }
  const changed = new Map(Object.entries(answers))
  const commands: { command: FormCommand; at: string }[] = [
    { command: { type: 'Assign', form: assigned }, at: at(0) },
    { command: { type: 'SaveAnswers', practiceId, changed, submit: isAnalyzed }, at: at(1) },
  ]
  if (isAnalyzed) {
    const result = analyzeByRules({ template, answers, chart: { allergies: fields?.allergies ?? [], medications } })
    const analysis = { version: 1, analyst: 'rules', model: null, result } as const
    commands.push({ command: { type: 'RecordAnalysis', practiceId, ...analysis }, at: at(1) })
  }
  if (userId && status !== 'pending') commands.push({ command: { type: 'Review', practiceId, userId }, at: at(2) })
  if (userId && status === 'completed') commands.push({ command: { type: 'Complete', practiceId, userId }, at: at(3) })
  return commands
}
