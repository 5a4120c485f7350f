import type { ModelName } from '#contracts/values/ai-models.ts'
import { costUnitsPerDollar, toModelName } from '#contracts/values/ai-models.ts'
import { toInstant, toLocalDate } from '#contracts/values/calendar.ts'
import type { AnalysisResult } from '#contracts/values/forms.ts'
import { AiInteractionId, type FormId, type PracticeId } from '#contracts/values/ids.ts'
import type { Patient } from '#contracts/patients.ts'
import { type CommandContext, deriveId } from '#eventstore/command-bus.ts'
import type { Services } from '#modules/module.ts'
import { findTimeZone } from '#modules/practices/public.ts'
import { analyzeByRules } from './analyze-by-rules.ts'
import { interactionDecider } from './decider.ts'
import { describeForm } from './model/describe-form.ts'
import { askModel, type ModelReply } from './model/openai.ts'
import { computeCost } from './model/prices.ts'
import { formInstructions, ModelAnalysis, readReply } from './model/read-reply.ts'
import { sumInteractions } from './queries.ts'
import type { FormToAnalyze } from './rules/rule.ts'
import { assistantSettings, type ModelSettings } from './settings.ts'

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
  const ask = () =>
    askModel(
      settings,
      {
        instructions: formInstructions,
        input: describeForm(toAnalyze, patient ?? unknownPatient, today),
        name: 'form_analysis',
        schema: ModelAnalysis,
      },
      signal,
    )
  const interactionId = AiInteractionId.parse(deriveId(`analysis of ${formId} version ${version}`))
  const interaction = {
    interactionId,
    practiceId,
    interactionType: 'form-analysis',
    formId,
    model: settings.model,
  } as const
  const reply = await askOnce(
    services,
    settings,
    { interaction, dayStart: toInstant(today, '00:00', timeZone) },
    ask,
    context,
  )
  return reply
    ? { analyst: 'model', model, result: readReply(reply, toAnalyze) }
    : { analyst: 'rules', model, result: analyzeByRules(toAnalyze) }
}

const unknownPatient = { firstName: '', lastName: '', dateOfBirth: null, phone: null, email: null, address: null }

type Asked = {
  interaction: Extract<Parameters<typeof interactionDecider.decide>[0], { type: 'Begin' }>['interaction']
  /** The start of the practice's day, an ISO instant. */
  dayStart: string
}

/** Asks unless it was asked before, and records it before and after. Returns the reply; null without a usable one. */
async function askOnce(
  { bus, db, vendors }: Services,
  { price, dailyBudget }: ModelSettings,
  { interaction, dayStart }: Asked,
  ask: () => Promise<ModelReply<ModelAnalysis>>,
  context: CommandContext,
): Promise<ModelAnalysis | null> {
  const { interactionId, practiceId } = interaction
  const spent = await sumInteractions(db, practiceId, dayStart)
  const begin = { type: 'Begin', interaction } as const
  const { events } = await bus.execute(interactionDecider, interactionId, begin, context)
  const isNew = events.length > 0
  const end = (status: 'completed' | 'failed' | 'unknown' | 'skipped', reason: string | null, tokens = noTokens) => {
    const used = { inputTokens: tokens.input, outputTokens: tokens.output, cost: computeCost(tokens, price) }
    const command = { type: 'End', outcome: { status, reason, ...used } } as const
    return bus.execute(interactionDecider, interactionId, command, context)
  }
  if (!isNew) {
    // An earlier attempt was stopped, or is still waiting: it may have been charged.
    await end('unknown', 'interrupted')
    return null
  }
  if (spent.cost >= dailyBudget * costUnitsPerDollar) {
    await end('skipped', 'daily-budget')
    return null
  }
  const { output, reason, tokens } = await ask()
  await vendors.record('ai', isVendorFailure(reason) ? reason : null)
  await end(output === null ? 'failed' : 'completed', reason, tokens)
  return output
}

const noTokens = { input: 0, output: 0 }

/** A refusal, or a reply that cannot be used, is about one question: the vendor works. */
const isVendorFailure = (reason: string | null) => reason !== null && /^(http-|no-reply)/.test(reason)
