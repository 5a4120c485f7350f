import type { ModelName } from '#contracts/values/ai-models.ts'
import { toModelName } from '#contracts/values/ai-models.ts'
import { toLocalDate } from '#contracts/values/calendar.ts'
import type { AnalysisResult } from '#contracts/values/forms.ts'
import { AiInteractionId, type FormId, type PracticeId } from '#contracts/values/ids.ts'
import type { Patient } from '#contracts/patients.ts'
import type { CommandContext } from '#eventstore/command.ts'
import { deriveId } from '#eventstore/derive-id.ts'
import type { Services } from '#modules/module.ts'
import { findTimeZone } from '#modules/practices/public.ts'
import { analyzeByRules } from './analyze-by-rules.ts'
import { askOnce } from './ask-once.ts'
import { describeForm } from './model/describe-form.ts'
import { formInstructions, ModelAnalysis, readReply } from './model/read-reply.ts'
import type { FormToAnalyze } from './rules/rule.ts'
import { assistantSettings } from './settings.ts'

/** A version of the answers of a form, with the chart of its patient. */
export type VersionToAnalyze = {
  practiceId: PracticeId
  formId: FormId
  version: number
  form: Omit<FormToAnalyze, 'chart' | 'today'>
  /** Undefined when the patient was removed. */
  patient: Patient | undefined
}

/** `model`: the model that was to analyze it, also when the rules did; null without one. */
export type FormAnalyzed = { analyst: 'rules' | 'model'; model: ModelName | null; result: AnalysisResult }

/**
 * Analyzes one version of a form: by the model where one is connected and replies within the practice's budget, otherwise by
 * rules. However often it runs, a version is asked about once, so that it is charged once.
 */
export async function analyzeForm(
  services: Services,
  { practiceId, formId, version, form, patient }: VersionToAnalyze,
  context: CommandContext,
  signal: AbortSignal,
): Promise<FormAnalyzed> {
  const timeZone = await findTimeZone(services.db, practiceId)
  const today = toLocalDate(services.clock().toISOString(), timeZone)
  const chart = {
    allergies: patient?.allergies ?? [],
    medications: (patient?.medications ?? []).map(({ name }) => name),
  }
  const toAnalyze = { ...form, chart, today }
  const { model: settings } = assistantSettings.read(services)
  if (!settings) return { analyst: 'rules', model: null, result: analyzeByRules(toAnalyze) }
  const model = toModelName(settings.model)
  const reply = await askOnce(
    services,
    {
      interactionId: AiInteractionId.parse(deriveId(`analysis of ${formId} version ${version}`)),
      practiceId,
      interactionType: 'form-analysis',
      formId,
      instructions: formInstructions,
      input: describeForm(toAnalyze, patient ?? unknownPatient, today),
      name: 'form_analysis',
      schema: ModelAnalysis,
    },
    context,
    signal,
  )
  return reply
    ? { analyst: 'model', model, result: readReply(reply, toAnalyze) }
    : { analyst: 'rules', model, result: analyzeByRules(toAnalyze) }
}

const unknownPatient = { firstName: '', lastName: '', dateOfBirth: null, phone: null, email: null, address: null }
